import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { ROOT } from '../../paths.ts'
import { childEnvironment } from '../child-environment.ts'
import { findFreePort } from '../free-port.ts'
import { waitUntil } from '../until.ts'
import type { ComposeFile } from './compose.ts'
import { type PostgresVariables, startPostgres } from './postgres.ts'

// A process in place of each container of a compose file: the same variables, with loopback in place of host names, and folders in place of
// volumes.

/** The content of `.env`. */
export const VARIABLES = { POSTGRES_PASSWORD: 'ApasswordOfTests', ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'a password of tests' }
/** The variables of the image, and the folder in place of each volume of the service. */
const IMAGE_VARIABLES = { DATA_DIR: '/data' }

/** Creates a folder in place of a volume, deleted after the test file. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-compose-'))
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}

/** Names of containers with their ports, such as `database:5432`, and folders inside of the container: each with what replaces it. */
type Replacements = Record<string, string>

/** Builds the environment of a service from its compose file, with replacements, each of which must occur. */
export function buildEnvironment(file: ComposeFile, name: string, replacements: Replacements): Record<string, string> {
  let text = JSON.stringify({ ...(name === 'stockroom' ? IMAGE_VARIABLES : {}), ...file.services[name]?.environment })
  for (const [from, to] of Object.entries(replacements)) {
    assert.ok(text.includes(from), `${name} has no ${from}`)
    text = text.replaceAll(from, to)
  }
  return JSON.parse(text)
}

export type RunningStockroom = { url: string; process: ChildProcess; environment: NodeJS.ProcessEnv }

/** Starts the service as its container does, and waits for its health check. */
export async function startStockroom(variables: Record<string, string>): Promise<RunningStockroom> {
  const port = await findFreePort()
  const environment = { ...childEnvironment, ...variables, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn' }
  const service = spawn(process.execPath, [join(ROOT, 'src/stockroom.js'), 'serve'], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  after(() => service.kill('SIGKILL'))
  const isHealthy = () => {
    assert.equal(service.exitCode, null, 'the service ended')
    return spawnSync(process.execPath, [join(ROOT, 'deploy/health-check.js')], { env: environment }).status === 0
  }
  await waitUntil(isHealthy, 'the service is not healthy', 90_000)
  return { url: `http://127.0.0.1:${port}`, process: service, environment }
}

/** Stops the service as an engine stops its container. */
export async function stopStockroom({ process: service }: RunningStockroom): Promise<void> {
  const exit = once(service, 'exit')
  service.kill('SIGTERM')
  assert.deepEqual(await exit, [0, null])
}

/** Runs a command of the program in the container of the service. */
export const runCommand = ({ environment }: Pick<RunningStockroom, 'environment'>, ...command: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'src/stockroom.js'), ...command], { env: environment, encoding: 'utf8' })

/** Sends a request of the first account, and returns the body of the response, whose status is below 300. */
export async function sendJson(url: string, method: string, path: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${VARIABLES.ADMIN_USERNAME}:${VARIABLES.ADMIN_PASSWORD}`)}`,
      'content-type': 'application/json',
    },
    body: body && JSON.stringify(body),
  })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return (await response.json()) as any
}

/** Starts the database of a compose file, and returns its port on loopback. */
export const startDatabase = (file: ComposeFile): Promise<number> =>
  startPostgres(buildEnvironment(file, 'database', {}) as PostgresVariables)
