import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { ROOT } from './paths.ts'
import { childEnvironment } from './testing/child-environment.ts'
import { scaleTimeout } from './testing/slowness.ts'

const cli = join(ROOT, 'src/stockroom.js')
let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'stockroom-main-'))
})
after(() => rmSync(folder, { recursive: true }))

const createEnvironment = (variables: Record<string, string>) => ({
  ...childEnvironment,
  DATA_DIR: folder,
  PORT: '0',
  ...variables,
})

/** Runs a command until it exits. */
function run(command: string[], variables: Record<string, string> = {}) {
  const options = { env: createEnvironment(variables), encoding: 'utf8', timeout: scaleTimeout(30_000) } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...command], options)
  return { status, stdout, stderr }
}

/** Starts the service and waits until it listens; `logMessages` also collects its later messages. */
async function startService(): Promise<{ service: ChildProcess; logMessages: string[]; url: string; postgres: number }> {
  const service = spawn(process.execPath, [cli, 'serve'], {
    env: createEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const logMessages: string[] = []
  const ready = Promise.withResolvers<void>()
  createInterface({ input: service.stdout })
    .on('line', (line) => {
      logMessages.push(JSON.parse(line).msg)
      if (logMessages.at(-1)?.startsWith('Open ')) ready.resolve()
    })
    .on('close', () => ready.resolve())
  await ready.promise
  const url = /http:\S+/.exec(logMessages.find((line) => line.startsWith('Stockroom listens')) ?? '')?.[0]
  assert.ok(url, logMessages.join('\n'))
  return {
    service,
    logMessages,
    url,
    postgres: Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
  }
}

function isDatabaseStopped(): boolean {
  return spawnSync('ls', [join(folder, 'postgres', 'postmaster.pid')]).status !== 0
}

test('an invalid setting is reported in one line', () => {
  assert.deepEqual(run(['serve'], { PORT: 'eighty' }), {
    status: 1,
    stdout: '',
    stderr: 'stockroom: PORT is "eighty"; allowed: a whole number from 0 to 65535\n',
  })
})

test('the service logs its URL, responds, excludes other instances, and stops with its database on SIGTERM', async () => {
  const { service, logMessages, url, postgres } = await startService()
  assert.ok(logMessages.includes(`The data is in ${folder}`))
  assert.match(logMessages.at(-1) ?? '', new RegExp(`^Open ${url}/ and create a superuser .* setup code [A-Z2-9-]{19}, `))
  assert.ok(logMessages.length <= 10)
  assert.equal((await fetch(`${url}/livez`)).status, 200)

  const second = run(['migrate'])
  assert.equal(second.status, 1)
  assert.equal(second.stderr, `stockroom: the data folder ${folder} is in use by another Stockroom\n`)

  // uses the database of the running service
  const verification = run(['verify'])
  assert.deepEqual([verification.status, verification.stderr], [0, ''])
  assert.match(verification.stdout, /^Stock is consistent: \d+ checks in [\d.]+ s\.\n$/)

  // an idle connection, and one kept open after a request, do not delay the stop
  const { port, hostname } = new URL(url)
  const unusedConnection = connect(Number(port), hostname).on('error', () => {})
  await once(unusedConnection, 'connect')
  const idleConnection = connect(Number(port), hostname).on('error', () => {})
  idleConnection.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(idleConnection, 'data')

  process.kill(postgres, 0)
  // Signals the whole group, as a terminal does: the database must not receive it.
  process.kill(-(service.pid as number), 'SIGTERM')
  assert.deepEqual(await once(service, 'close'), [0, null])
  assert.deepEqual(logMessages.slice(-2), ['stopping', 'stopped'], 'it waited for idle connections')
  assert.throws(() => process.kill(postgres, 0), { code: 'ESRCH' })
  await assert.rejects(fetch(url))
})

test('a port in use is reported in one line, and the database is stopped', async () => {
  const otherServer = createServer().listen(0, '127.0.0.1')
  await once(otherServer, 'listening')
  const { port } = otherServer.address() as AddressInfo
  const { status, stdout, stderr } = run(['serve'], { PORT: String(port) })
  otherServer.close()
  // the printing browser starts at the same time, and may already log its mode
  const output = stdout.replace(/^.*the printing browser runs without its sandbox.*$/m, '')
  assert.doesNotMatch(output, /"level":"?(40|50|warn|error)/)
  assert.equal(status, 1)
  assert.equal(stderr, `stockroom: port ${port} of 127.0.0.1 is in use by another program; choose another PORT\n`)
  assert.ok(isDatabaseStopped())
})

test('the database can be migrated without the service', () => {
  const { status, stdout } = run(['migrate'])
  assert.equal(status, 0)
  assert.match(stdout, /^The database is at migration \d{4}_\w+\n$/)
  assert.ok(isDatabaseStopped())
})

test('commands for an existing database do not create one', () => {
  const missingFolder = join(folder, 'nowhere')
  for (const command of [['verify'], ['prices'], ['backup', folder]]) {
    const { status, stderr } = run(command, { DATA_DIR: missingFolder })
    assert.deepEqual([status, existsSync(missingFolder)], [1, false], `${command}: ${stderr}`)
    assert.match(stderr, /^stockroom: .+\n$/)
  }
  const { stderr } = run(['verify'], { DATA_DIR: missingFolder })
  assert.equal(stderr, `stockroom: there is no database in ${missingFolder}: set DATA_DIR to the data folder of the service\n`)
})

test('stock can be verified without the service', () => {
  const { status, stdout } = run(['verify'])
  assert.equal(status, 0)
  assert.match(stdout, /^Stock is consistent: /)
  assert.ok(isDatabaseStopped())
})
