import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { pino } from 'pino'
import { createPool } from '../src/database/connect.ts'
import { startEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { createSuperuser } from '../src/resources/user/first-account.ts'
import type { Client, StormResponse } from '../src/testing/storm/client.ts'
import { runStorm, WRONG_SUMS_QUERY } from '../src/testing/storm/storm.ts'
import { createStormData } from '../src/testing/storm/storm-data.ts'
import { USER } from './databases.ts'
import { type RunningService, summarizeTimes, withService } from './service.ts'

const CLIENTS = 24
const PORT = 8971

/**
 * Runs 24 clients that send every operation that locks rows, at random, and fails if PostgreSQL finds a deadlock, which it then logs
 * (40P01), or if a sum is wrong afterwards.
 * @param seconds duration
 */
export async function measureStorm(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-bench-'))
  const deadlocks: string[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void (line.includes('40P01') && deadlocks.push(line)) })
  const server = await startEmbedded(folder, log)
  try {
    const pool = createPool(server.url, 6)
    await migrate(pool)
    await createSuperuser(pool, { ...USER, email: '' })
    // logs failing statements with their error codes, which the service turns off
    await pool.query(
      `alter role current_user set log_min_messages = 'error'; alter role current_user set log_error_verbosity = 'verbose'`,
    )
    await withService(server.url, PORT, (service) => runClients(service, pool, seconds))
    const wrongSums = await pool.query(WRONG_SUMS_QUERY)
    await pool.end()
    const areSumsRight = wrongSums.rows.length === 0 && (await verify(server.url, folder))
    console.log(`deadlocks in PostgreSQL's log: ${deadlocks.length}; sums are ${areSumsRight ? 'right' : 'WRONG'}`)
    for (const row of wrongSums.rows) console.log(JSON.stringify(row))
    if (deadlocks.length > 0 || !areSumsRight) process.exitCode = 1
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runClients({ base, token }: RunningService, pool: pg.Pool, seconds: number): Promise<void> {
  const undoable: Client['undoable'] = []
  const rows: Client['rows'] = async (text, values) => (await pool.query(text, values)).rows
  const clients = Array.from({ length: CLIENTS }, () => ({ send: createSender(base, token), rows, undoable }))
  await createStormData(clients[0] as Client)
  const { statuses, times } = await runStorm(clients, performance.now() + seconds * 1_000)
  console.table(statuses)
  const { p50, p99 } = summarizeTimes(times)
  const longest = times.reduce((max, time) => Math.max(max, time), 0)
  console.log(
    `${CLIENTS} clients, ${seconds} s: ${times.length} requests; p50 ${p50.toFixed()}, p99 ${p99.toFixed()}, longest ${longest.toFixed()} ms`,
  )
}

/** Returns a function that sends requests over its own connection, and returns the response whatever its status is. */
function createSender(base: string, token: string): Client['send'] {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return (method, path, body) =>
    new Promise<StormResponse>((resolve, reject) => {
      const payload = body === undefined ? '' : JSON.stringify(body)
      const contentHeaders = payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}
      const outgoing = request(
        base + path,
        { method, agent, headers: { authorization: `Token ${token}`, ...contentHeaders } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            resolve({ status: response.statusCode ?? 0, body: text ? JSON.parse(text) : undefined, text })
          })
        },
      )
      outgoing.on('error', reject)
      outgoing.end(payload)
    })
}

/** Whether `stockroom verify` finds no errors. */
async function verify(url: string, folder: string): Promise<boolean> {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, ['src/cli.ts', 'verify'], { env, stdio: 'inherit' })
  return (await new Promise((resolve) => child.once('exit', resolve))) === 0
}
