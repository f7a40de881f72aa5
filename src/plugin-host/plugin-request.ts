import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Caller } from '../kit/request/caller.ts'
import { Problem } from '../kit/request/problem.ts'
import type { Database } from '../kit/sql/tx.ts'
import type { Answer, Json } from '../plugin-api/index.ts'
import { API_VERSION_HEADER } from '../wire.ts'

/** One request of a plugin. */
export type PluginRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Readonly<Record<string, string | number | boolean>>
  body?: Json
}

/** Sends a request to the API on behalf of an account; with a reader, inside the write that the reader belongs to. */
export type SendPluginRequest = (caller: Caller, request: PluginRequest, reader?: Database) => Promise<Answer>

/** Provides credentials with which a request is authenticated as this account. */
type AccessGate = {
  sendAs<T>(caller: Caller, send: (authorization: string) => Promise<T>, inside: { reader?: Database }): Promise<T>
}

/**
 * Sends a request without a connection, through the same checks as external requests. Only `/api/` is available: metrics, files and pages
 * are not tied to the account, and some of them are open to any program on this machine.
 */
export const createRequestSender = (
  app: FastifyInstance,
  gate: AccessGate,
  { siteUrl }: Pick<Config, 'siteUrl'>,
): SendPluginRequest => {
  const { host } = new URL(siteUrl)
  return async (caller, { method, path, query = {}, body }, reader) => {
    const url = buildUrl(path, query)
    if (!url.startsWith('/api/')) return { status: forbiddenProblem.status, body: forbiddenProblem.body as Json }
    const send = async (authorization: string): Promise<Answer> => {
      const response = await app.inject({
        method,
        url: url,
        headers: {
          host,
          authorization,
          [API_VERSION_HEADER]: '196',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        payload: body === undefined ? undefined : JSON.stringify(body),
      })
      const isJson = String(response.headers['content-type'] ?? '').includes('json')
      return {
        status: response.statusCode,
        body: response.payload === '' ? null : isJson ? JSON.parse(response.payload) : response.payload,
      }
    }
    return gate.sendAs(caller, send, { reader })
  }
}

const forbiddenProblem = new Problem('permission_denied')

/** Builds a path with its query, limited to this service, with `..` resolved. */
function buildUrl(path: string, query: NonNullable<PluginRequest['query']>): string {
  if (!/^\/(?![/\\])/.test(path)) throw new Error('a path must start with one /')
  const url = new URL(path, 'http://localhost')
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value))
  return `${url.pathname}${url.search}`
}
