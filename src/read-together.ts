import type { FastifyInstance } from 'fastify'
import type { Routes } from './kit/http/routes.ts'
import type { Caller } from './kit/request/caller.ts'
import { Problem } from './kit/request/problem.ts'
import { Semaphore } from './kit/services/semaphore.ts'
import type { AnsweredGet, Services } from './kit/services/services.ts'
import { readMoment } from './kit/sql/moment.ts'
import type { Database } from './kit/sql/tx.ts'

/** Milliseconds that one waits for its turn. */
const PATIENCE = 10_000

/** Bytes that the bodies of one request hold together: they are kept until the last is there. */
const MOST_BYTES = 16 * 1024 * 1024

/** Where a request that carries it is let in as this account. */
type Lender = {
  lend<T>(caller: Caller, send: (authorization: string) => Promise<T>, inside: { reader: Database; site: string }): Promise<T>
}

/**
 * Asks for several GETs without a connection, each on the way that a request from outside takes, all of one snapshot. Only half of the
 * connections to the database are held so: whoever holds one may need a second for what is beside the snapshot.
 */
export function readerOf(app: FastifyInstance, gate: Lender, routes: Routes): Services['readTogether'] {
  const { config, database } = routes.services
  const places = Math.max(1, Math.floor(config.databasePoolSize / 2))
  const turns = new Semaphore(places, PATIENCE, 'Too much is read together at this moment; try again.')
  return ({ caller, addresses, site, headers }) => {
    const host = site.replace(/^\w+:\/\//, '')
    let room = MOST_BYTES
    const ask = (url: string, reader: Database): Promise<AnsweredGet> =>
      gate.lend(
        caller,
        async (authorization) => {
          const response = await app.inject({ method: 'GET', url, headers: { ...headers, host, authorization } })
          const { etag, 'content-type': type = '' } = response.headers
          const { length } = response.rawPayload
          if (length > room) return TOO_LARGE
          room -= length
          return { status: response.statusCode, type: String(type), body: response.payload, etag: etag?.toString() }
        },
        { reader, site },
      )
    return turns.run(async () => {
      await routes.gather()
      return readMoment(database, (moment) => Promise.all(addresses.map((address) => ask(address, moment))))
    })
  }
}

const { status, body } = new Problem('too_large', 'All answers together are larger than 16 MB; read this address alone.')
const TOO_LARGE: AnsweredGet = { status, type: 'application/json', body: JSON.stringify(body), etag: undefined }
