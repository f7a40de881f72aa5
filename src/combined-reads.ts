import type { FastifyInstance } from 'fastify'
import type { Routes } from './kit/http/routes.ts'
import { withPipeline } from './kit/reading/pipeline.ts'
import type { Caller } from './kit/request/caller.ts'
import { Problem } from './kit/request/problem.ts'
import { requestErrors } from './kit/request/request-errors.ts'
import type { CombinedResponse, Services } from './kit/services/services.ts'
import type { Database } from './kit/sql/tx.ts'

/** Maximum bytes of all bodies of one request together: they stay in memory until the last one is complete. */
const MAX_BYTES = 16 * 1024 * 1024

/** Provides an authorization for requests of an account. */
type AuthorizationGate = {
  sendAs<T>(caller: Caller, send: (authorization: string) => Promise<T>, inside: { reader: Database; site: string }): Promise<T>
}

/**
 * Sends several GETs to the application without a socket, each through the same layers as a request from outside. Their statements are
 * pipelined over one connection to the database.
 */
export function createCombinedReader(app: FastifyInstance, gate: AuthorizationGate, routes: Routes): Services['readCombined'] {
  return async ({ caller, urls, site, headers }) => {
    const host = site.replace(/^\w+:\/\//, '')
    let remainingBytes = MAX_BYTES
    const readAddress = (url: string, reader: Database): Promise<CombinedResponse> =>
      gate.sendAs(
        caller,
        async (authorization) => {
          const response = await app.inject({ method: 'GET', url, headers: { ...headers, host, authorization } })
          const { etag, 'content-type': type = '' } = response.headers
          const { length } = response.rawPayload
          if (length > remainingBytes) return TOO_LARGE
          remainingBytes -= length
          return { status: response.statusCode, type: String(type), body: response.payload, etag: etag?.toString() }
        },
        { reader, site },
      )
    await routes.flushPendingData()
    return withPipeline(routes.services, caller.pk, (pipeline) =>
      Promise.all(urls.map((address) => readAddress(address, pipeline))),
    )
  }
}

const { status, body } = new Problem('too_large', requestErrors.joint_read_too_large)
const TOO_LARGE: CombinedResponse = { status, type: 'application/json', body: JSON.stringify(body), etag: undefined }
