import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import { header } from './http.ts'

/** Maximum number of large bodies read concurrently: JSON is held in memory as a whole, and several times over while it is parsed. */
const MAX_CONCURRENT_BODIES = 8

/** Limits the number of concurrent requests with a JSON body larger than usual, such as one that holds a file. Forms are not limited. */
export class LargeBodies {
  readonly #thresholdBytes: number
  #open = 0

  /** @param usual maximum bytes of a body that is not counted */
  constructor(usual: number) {
    this.#thresholdBytes = usual
  }

  /** Called before a body is read. @throws Problem 503 */
  enter(request: FastifyRequest, reply: FastifyReply): void {
    const isJson = header(request, 'content-type')?.startsWith('application/json') ?? false
    const length = Number(header(request, 'content-length') ?? Number.POSITIVE_INFINITY)
    if (!isJson || length <= this.#thresholdBytes) return
    if (this.#open >= MAX_CONCURRENT_BODIES)
      throw new Problem('unavailable', requestErrors.too_many_large_bodies, {
        'retry-after': '2',
      })
    this.#open++
    reply.raw.once('close', () => this.#open--)
  }
}
