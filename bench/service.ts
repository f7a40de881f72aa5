import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { USER } from './databases.ts'

/** A service on a database, and the bare routes (`bare.ts`) on the same one. */
export type RunningService = {
  base: string
  token: string
  bare: string
  /** Milliseconds from its start to its first response. */
  startTime: number
}

/** Times in milliseconds. */
export type Times = { p50: number; p99: number }

/** A single connection for sequential requests. */
export const createConnection = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 })

const defaultAgent = createConnection()

/** A response, and the milliseconds until its last byte. */
export type TimedResponse = { time: number; text: string }

/** Requests a path, or posts a body to it; requests without an agent share connections. */
export function timedRequest(
  base: string,
  token: string,
  path: string,
  body?: unknown,
  agent = defaultAgent,
): Promise<TimedResponse> {
  const startTime = performance.now()
  const headers = { authorization: `Token ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  return new Promise((resolve, reject) => {
    const outgoing = request(`${base}${path}`, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const time = performance.now() - startTime
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode !== 200 && response.statusCode !== 201)
          reject(new Error(`${path}: ${response.statusCode} ${text.slice(0, 500)}`))
        else resolve({ time, text })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body && JSON.stringify(body))
  })
}

export const summarizeTimes = (times: readonly number[]): Times => {
  const sorted = times.toSorted((a, b) => a - b)
  const percentile = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number
  return { p50: percentile(0.5), p99: percentile(0.99) }
}

export const formatTimes = ({ p50, p99 }: Times): string => `${p50.toFixed(1)} / ${p99.toFixed(1)}`

/** Waits until a server responds at an address. */
export async function waitUntilReady(address: string): Promise<void> {
  const end = performance.now() + 60_000
  for (;;) {
    try {
      await fetch(address)
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Starts a service on a cached database (`databases.ts`), and the bare routes ten ports above it, while the work lasts. */
export async function withService<T>(url: string, port: number, work: (service: RunningService) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-bench-'))
  const children: ChildProcess[] = []
  const start = (file: string, childPort: number) => {
    const environment = { DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent', PORT: String(childPort) }
    const env = { ...process.env, ...environment }
    children.push(spawn(process.execPath, [file, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] }))
    return `http://127.0.0.1:${childPort}`
  }
  const startedAt = performance.now()
  const base = start('src/stockroom.js', port)
  try {
    await waitUntilReady(`${base}/livez`)
    const startTime = performance.now() - startedAt
    const bare = start('bench/bare.ts', port + 10)
    await waitUntilReady(`${bare}/sales?limit=1`)
    const authorization = `Basic ${Buffer.from(`${USER.username}:${USER.password}`).toString('base64')}`
    const response = await fetch(`${base}/api/user/token/?name=bench`, { headers: { authorization } })
    return await work({ base, bare, startTime, token: ((await response.json()) as { token: string }).token })
  } finally {
    for (const child of children) {
      child.kill('SIGTERM')
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
    }
    rmSync(folder, { recursive: true, force: true })
  }
}
