import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import { header } from './http.ts'

/** How many large bodies are read at once: JSON is held whole in memory, and some times over while it is read. */
const AT_ONCE = 8

/** Lets only so many requests at once send a body of JSON that is larger than most, such as one that holds a file. Forms are not held. */
export class LargeBodies {
  readonly #usual: number
  #open = 0

  /** @param usual how many bytes a body may have without being counted */
  constructor(usual: number) {
    this.#usual = usual
  }

  /** To be called before a body is read. @throws Problem 503 */
  enter(request: FastifyRequest, reply: FastifyReply): void {
    const isJson = header(request, 'content-type')?.startsWith('application/json') ?? false
    const length = Number(header(request, 'content-length') ?? Number.POSITIVE_INFINITY)
    if (!isJson || length <= this.#usual) return
    if (this.#open >= AT_ONCE)
      throw new Problem('unavailable', requestErrors.too_many_large_bodies, {
        'retry-after': '2',
      })
    this.#open++
    reply.raw.once('close', () => this.#open--)
  }
}
