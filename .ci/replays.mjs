#!/usr/bin/env node
// Replays recorded requests to InvenTree, which are next to the checkout, and compares the responses; floors.mjs sets the required share.
//
//   node .ci/replays.mjs 196          all requests to API 196
//   node .ci/replays.mjs 530          reads, OPTIONS and a sample of the writes of API 530; with --all everything
//
// Then it compares the rights of callers with the recorded ones.
//
// Most requests need unchanged data. The data is imported once; a service runs for each replay, and its database is replaced by another copy
// while it runs, more than a hundred times in total, which takes a tenth of the time of a restart.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../src/database/embedded.ts'
import { buildDatabaseUrl } from '../src/testing/database.ts'
import { findFreePort } from '../src/testing/free-port.ts'
import { installBrowser } from '../src/testing/printing.ts'
import { compareRights } from './rights.mjs'

/** Writes of API 530 that are replayed without `--all`. */
const SAMPLED_WRITES = '^[A-Z]+ /api/(company|part/category|stock/location|project-code)/'

const root = join(import.meta.dirname, '..')
const shared = join(root, '../shared')

const [version = '196', mode] = process.argv.slice(2)

/** The recordings of an API version: the imported data, and the parts that are replayed separately, the longest first. */
const RECORDINGS = {
  196: {
    dump: 'data/inventree-demo.json',
    replays: [
      ['--only', 'writes', '--match', '^[A-Z]+ /api/order/'],
      ['--only', 'writes', '--match', '^[A-Z]+ /api/(?!order/)'],
      ['--only', 'flows'],
      ['--only', 'reads,failures'],
      // the metadata that forms are built from
      ['--only', 'options'],
    ],
  },
  530: {
    dump: 'data/inventree-1.5-demo.json',
    replays: [
      ...(mode === '--all'
        ? [
            ['--only', 'writes', '--match', '^[A-Z]+ /api/order/'],
            ['--only', 'writes', '--match', '^[A-Z]+ /api/(?!order/)'],
            ['--only', 'flows'],
            ['--only', 'failures'],
          ]
        : [['--only', 'writes', '--match', SAMPLED_WRITES]]),
      ['--only', 'reads'],
      ['--only', 'options'],
    ],
  },
}
const { dump, replays: REPLAYS } = RECORDINGS[version]
const transcripts = join(shared, version === '196' ? 'reference/transcripts' : 'reference/530/transcripts')

/** Number of replays that run at the same time: while one waits for a response, others work. */
const CONCURRENT_REPLAYS = 3

/** Disk space that all replays together need at most. */
const NEEDED_BYTES = 4 * 2 ** 30

/** The folder for all data: in memory where there is enough of it. */
function parentFolder() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize > NEEDED_BYTES) return '/dev/shm'
  } catch {
    // no such folder
  }
  return tmpdir()
}

/** Runs a program of the project. */
async function run(args, options) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', ...options })
  const [code] = await once(child, 'exit')
  return code
}

const folder = mkdtempSync(join(parentFolder(), 'stockroom-replays-'))
/** The folder for the verdict of each exchange: VERDICTS names one that is kept. */
const verdicts = process.env.VERDICTS ?? folder
const services = new Set()
process.once('exit', () => {
  for (const service of services) service.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
const imported = join(folder, 'imported')
const environment = { ...process.env, DATA_DIR: imported, LOG_LEVEL: 'warn' }
if ((await run(['src/cli.ts', 'import', join(shared, dump)], { env: environment })) !== 0) process.exit(1)

const server = await startEmbedded(imported, pino({ level: 'warn' }), { durable: false })
const client = new pg.Client({ connectionString: buildDatabaseUrl(server.url, 'postgres') })
await client.connect()

/** Starts a service on a database of the server. */
async function startService(database) {
  const data = join(folder, `data-${database}`)
  mkdirSync(data)
  await installBrowser(data)
  const port = String(await findFreePort())
  const base = `http://127.0.0.1:${port}`
  const settings = { DATA_DIR: data, DATABASE_URL: buildDatabaseUrl(server.url, database), PORT: port, HOST: '127.0.0.1', SITE_URL: base }
  // it would log the loss of each database
  const env = { ...process.env, ...settings, WIRE_FORM: 'inventree', INVENTREE_API: version, LOG_LEVEL: 'fatal' }
  const child = spawn(process.execPath, ['src/stockroom.js', 'serve'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  services.add(child)
  const isReady = async () => (await fetch(`${base}/readyz`).catch(() => undefined))?.ok
  return {
    base,
    async ready() {
      while (!(await isReady())) {
        if (child.exitCode !== null) throw new Error('the service ended')
        await sleep(20)
      }
    },
    async stop() {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

// the data that a service creates at its first start
const first = await startService('stockroom')
await first.ready()
await first.stop()

/** Resets a database to its state after the import; clients connected to the previous copy lose their connection. */
async function resetDatabase(database) {
  await client.query(`drop database if exists ${database} with (force)`)
  await client.query(`create database ${database} template stockroom strategy file_copy`)
}

/** Functions that reset a database, by its name. */
const resets = new Map()
const resetServer = createServer(async ({ url = '' }, response) => {
  try {
    await resets.get(url.slice(1))()
    response.end()
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
}).listen(0, '127.0.0.1')
await once(resetServer, 'listening')
const buildResetCommand = (name) =>
  `"${process.execPath}" -e "fetch('http://127.0.0.1:${resetServer.address().port}/${name}').then(({ ok }) => process.exit(ok ? 0 : 1))"`

/** The intended differences from this API version: `api` of an entry names the only version that it is for. */
const differences = join(folder, 'differences.json')
const entries = JSON.parse(readFileSync(join(root, 'docs/differences.json'), 'utf8')).filter(
  ({ api }) => api === undefined || String(api) === version,
)
writeFileSync(differences, JSON.stringify(entries))

/** Replays a part of the recorded requests. Writes its output to one file and its verdicts to another. */
async function replay(args, number) {
  const name = `replay_${number}`
  await resetDatabase(name)
  const service = await startService(name)
  await service.ready()
  resets.set(name, () => resetDatabase(name).then(service.ready))
  const output = createWriteStream(join(folder, `${name}.txt`))
  await once(output, 'open')
  const options = ['--base', service.base, '--reset', buildResetCommand(name), '--differences', differences, '--api', version]
  const code = await run([join(shared, 'tools/replay.mjs'), ...options, '--json', join(verdicts, `${name}.json`), ...args], {
    stdio: ['ignore', output, output],
  })
  await service.stop()
  console.log(`== replay ${args.join(' ')}\n${readFileSync(join(folder, `${name}.txt`), 'utf8')}`)
  if (code !== 0) throw new Error(`replay ${args.join(' ')} ended with ${code}`)
}

/** Compares the rights of callers, and writes the verdicts to a file. */
async function replayRights() {
  await resetDatabase('rights')
  const service = await startService('rights')
  await service.ready()
  const recorded = JSON.parse(readFileSync(join(transcripts, 'callers.json'), 'utf8'))
  const rights = await compareRights(service.base, recorded, entries)
  await service.stop()
  writeFileSync(join(verdicts, 'rights.json'), JSON.stringify(rights))
  console.log('== rights of callers')
  for (const { exchange, expected, actual, ok, why } of rights)
    if (!ok && !why) console.log(`${exchange}: ${expected} expected, got ${actual}`)
}

const waiting = REPLAYS.entries()
await Promise.all(
  Array.from({ length: CONCURRENT_REPLAYS }, async () => {
    for (const [number, args] of waiting) await replay(args, number)
  }),
)
await replayRights()
resetServer.close()
await client.end()
await server.stop()
const verdictFiles = [...REPLAYS.map((_, number) => `replay_${number}`), 'rights'].map((name) => join(verdicts, `${name}.json`))
process.exitCode = await run(['.ci/floors.mjs', version, ...verdictFiles])
