import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import { readHeader } from './http.ts'

/** Maximum number of large bodies read concurrently: JSON is held in memory as a whole, and several times over while it is parsed. */
const MAX_CONCURRENT_BODIES = 8

/** Limits the number of concurrent requests with a JSON body above a size, such as one that contains a file. Forms are not limited. */
export class LargeBodies {
  readonly #thresholdBytes: number
  #openCount = 0

  /** @param thresholdBytes maximum bytes of a body that is not counted */
  constructor(thresholdBytes: number) {
    this.#thresholdBytes = thresholdBytes
  }

  /** Called before a body is read. @throws Problem 503 */
  enter(request: FastifyRequest, reply: FastifyReply): void {
    const isJson = readHeader(request, 'content-type')?.startsWith('application/json') ?? false
    const length = Number(readHeader(request, 'content-length') ?? Number.POSITIVE_INFINITY)
    if (!isJson || length <= this.#thresholdBytes) return
    if (this.#openCount >= MAX_CONCURRENT_BODIES)
      throw new Problem('unavailable', requestErrors.too_many_large_bodies, {
        'retry-after': '2',
      })
    this.#openCount++
    reply.raw.once('close', () => this.#openCount--)
  }
}
