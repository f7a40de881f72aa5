import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Caller } from '../kit/request/caller.ts'
import { Problem } from '../kit/request/problem.ts'
import type { Database } from '../kit/sql/tx.ts'
import type { Answer, Json } from '../plugin-api/index.ts'

/** One request of a plugin. */
export type Asked = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Readonly<Record<string, string | number | boolean>>
  body?: Json
}

/** Asks the interface for something in the name of an account; with a reader, inside the write that lends it. */
export type Ask = (caller: Caller, asked: Asked, reader?: Database) => Promise<Answer>

/** Where a request that carries it is let in as this account. */
type Lender = {
  lend<T>(caller: Caller, send: (authorization: string) => Promise<T>, inside: { reader?: Database }): Promise<T>
}

/**
 * Asks without a connection; all that stands before a request from outside stands before this one too. Only what lies below `/api/` is
 * asked for: metrics, files and pages are not the account's, and some of them are shown to whatever runs on this machine.
 */
export const askOf = (app: FastifyInstance, gate: Lender, { siteUrl }: Pick<Config, 'siteUrl'>): Ask => {
  const { host } = new URL(siteUrl)
  return async (caller, { method, path, query = {}, body }, reader) => {
    const address = addressOf(path, query)
    if (!address.startsWith('/api/')) return { status: forbidden.status, body: forbidden.body as Json }
    const send = async (authorization: string): Promise<Answer> => {
      const response = await app.inject({
        method,
        url: address,
        headers: { host, authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
        payload: body === undefined ? undefined : JSON.stringify(body),
      })
      const isJson = String(response.headers['content-type'] ?? '').includes('json')
      return {
        status: response.statusCode,
        body: response.payload === '' ? null : isJson ? JSON.parse(response.payload) : response.payload,
      }
    }
    return gate.lend(caller, send, { reader })
  }
}

const forbidden = new Problem('permission_denied')

/** A path with its query, of this service and no other, once its `..` are followed. */
function addressOf(path: string, query: NonNullable<Asked['query']>): string {
  if (!/^\/(?![/\\])/.test(path)) throw new Error('a path must start with one /')
  const address = new URL(path, 'http://localhost')
  for (const [name, value] of Object.entries(query)) address.searchParams.append(name, String(value))
  return `${address.pathname}${address.search}`
}
