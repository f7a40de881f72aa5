import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { OperatorError } from '../operator-error.ts'
import { ROOT } from '../paths.ts'
import { waitUntil } from '../testing/until.ts'
import { startEmbedded } from './embedded.ts'

const log = pino({ level: 'silent' })
const isRoot = process.getuid?.() === 0
const isLinux = process.platform === 'linux'
const processFile = join(ROOT, 'src/testing/embedded-process.ts')

let root: string
/** The data folder of a stopped server, with a table `note`. Tests copy it instead of creating their own. */
let templateFolder: string

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'stockroom-embedded-'))
  templateFolder = join(root, 'made')
  const server = await startEmbedded(templateFolder, log)
  await query(server.url, 'create table note (text text)')
  await server.stop()
})
after(() => rmSync(root, { recursive: true }))

function copyFolder(name: string, source = templateFolder, option = '-a'): string {
  const folder = join(root, name)
  execFileSync('cp', [option, source, folder])
  return folder
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

type Service = { process: ChildProcess; url: string; pid: number }

/** Starts a process with an embedded server; throws its error message if it does not start. */
async function startProcess(folder: string, user?: { uid: number; gid: number }): Promise<Service> {
  const child = spawn(process.execPath, [processFile, folder], { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { error, url, pid } = JSON.parse(line)
  if (error) throw new Error(error)
  return { process: child, url, pid }
}

async function killService(service: Service): Promise<void> {
  service.process.kill('SIGKILL')
  await once(service.process, 'exit')
}

/** Waits until an orphaned process has ended. A zombie counts as ended. */
async function waitForExit(pid: number): Promise<boolean> {
  const readState = () => spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  for (const until = Date.now() + 20_000; /^[^Z]/.test(readState()); await pause(10)) if (Date.now() > until) return false
  return true
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('data survives a stop and a start', async () => {
  const folder = copyFolder('again')
  const first = await startEmbedded(folder, log)
  await query(first.url, "insert into note values ('kept')")
  await first.stop()
  assert.ok(!isAlive(first.pid))
  const second = await startEmbedded(folder, log)
  assert.deepEqual(await query(second.url, 'select text from note'), [{ text: 'kept' }])
  await second.stop()
})

test('strings are UTF-8, sort by code point, and fold case beyond ASCII', async () => {
  const server = await startEmbedded(copyFolder('texts'), log)
  const rows = await query(
    server.url,
    "select current_setting('server_encoding') as encoding, lower('ÄÉ') as lower, 'z' < 'ä' and 'Z' < 'a' as sorted",
  )
  assert.deepEqual(rows, [{ encoding: 'UTF8', lower: 'äé', sorted: true }])
  await server.stop()
})

test('a second service on the same folder is rejected, in the same process and in another', async () => {
  const folder = copyFolder('twice')
  const server = await startEmbedded(folder, log)
  await assert.rejects(startEmbedded(folder, log), (error: Error) => {
    assert.ok(error instanceof OperatorError)
    assert.equal(error.message, `the data folder ${folder} is in use by another Stockroom`)
    return true
  })
  await assert.rejects(startProcess(folder), /is in use by another Stockroom/)
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }])
  await server.stop()
})

test('one of several services that start at the same time in a new folder wins', async () => {
  const folder = join(root, 'race')
  const starts = await Promise.allSettled([startProcess(folder), startProcess(folder), startProcess(folder)])
  const [winner, ...losers] = starts.filter((start) => start.status === 'fulfilled')
  assert.ok(winner)
  assert.equal(losers.length, 0)
  winner.value.process.kill('SIGTERM')
  assert.deepEqual(await once(winner.value.process, 'exit'), [0, null])
})

test('a stopped folder works after it was copied or moved', async () => {
  const folder = copyFolder('original')
  const clone = copyFolder('clone', folder)
  rmSync(folder, { recursive: true })
  const [first, second] = await Promise.all([startEmbedded(templateFolder, log), startEmbedded(clone, log)])
  await query(second.url, "insert into note values ('in the clone')")
  assert.deepEqual(await query(first.url, 'select text from note'), [])
  await Promise.all([first.stop(), second.stop()])
})

test('a start after kill -9 of the service has every acknowledged write', async () => {
  const folder = copyFolder('killed')
  for (let round = 1; round <= 3; round++) {
    const service = await startProcess(folder)
    await query(service.url, `insert into note values ('round ${round}')`)
    await killService(service)
    const next = await startEmbedded(folder, log)
    assert.equal((await query(next.url, 'select text from note')).length, round)
    assert.ok(await waitForExit(service.pid))
    await next.stop()
  }
})

test('the server of a killed service ends by itself and leaves nothing behind', async () => {
  const service = await startProcess(copyFolder('orphan'))
  const socketFolder = new URL(service.url.replace('@/', '@localhost/')).searchParams.get('host') as string
  await killService(service)
  assert.ok(await waitForExit(service.pid))
  for (const until = Date.now() + 20_000; exists(socketFolder) && Date.now() < until; ) await pause(20)
  assert.ok(!exists(socketFolder))
})

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

test('a leftover server is stopped before another starts', { skip: !isLinux }, async () => {
  const folder = copyFolder('leftover')
  const service = await startProcess(folder)
  for (const pid of readFileSync(`/proc/${service.process.pid}/task/${service.process.pid}/children`, 'utf8').trim().split(' ')) {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sh\n') process.kill(Number(pid), 'SIGKILL')
  }
  await query(service.url, "insert into note values ('written')")
  await killService(service)
  assert.ok(isAlive(service.pid), 'nothing else should have stopped it')
  const next = await startEmbedded(folder, log)
  assert.ok(await waitForExit(service.pid))
  assert.deepEqual(await query(next.url, 'select text from note'), [{ text: 'written' }])
  await next.stop()
})

test('a process number reused by another process does not prevent the start', async () => {
  const folder = copyFolder('reused')
  writeFileSync(join(folder, 'postgres', 'postmaster.pid'), `${process.pid}\n/proc/self/cwd\n1\n5432\n\n`)
  const server = await startEmbedded(folder, log)
  await server.stop()
})

test('PostgreSQL is restarted after kill -9, under the same URL', async () => {
  const server = await startEmbedded(copyFolder('revived'), log)
  await query(server.url, "insert into note values ('kept')")
  const { pid } = server
  process.kill(pid, 'SIGKILL')
  while (server.pid === pid) await pause(20)
  assert.deepEqual(await query(server.url, 'select text from note'), [{ text: 'kept' }])
  await server.stop()
  assert.ok(!isAlive(server.pid))
})

/** Mounts a small disk, if that is possible. */
function mountSmallDisk(megabytes: number): string | undefined {
  const folder = mkdtempSync(join(root, 'small-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  return status === 0 ? folder : undefined
}

test('a server that crashed on a full disk is restarted as soon as there is space, and a reserve can be freed immediately', async (context) => {
  const smallDisk = mountSmallDisk(150)
  if (!smallDisk) return context.skip('no disk can be mounted here')
  const filler = join(smallDisk, 'filler')
  let hasReserve = true
  try {
    const messages: string[] = []
    const errorLog = pino({ level: 'error' }, { write: (line) => void messages.push(JSON.parse(line).msg) })
    const server = await startEmbedded(join(smallDisk, 'data'), errorLog, {
      onLost: (error) => messages.push(`lost: ${error.message}`),
      freeDiskSpace() {
        if (!hasReserve) return false
        hasReserve = false
        truncateSync(filler, statSync(filler).size - 40_000_000)
        return true
      },
    })
    // after a failure, too: the process waits for it
    context.after(() => server.stop())
    await query(server.url, `create table note (text text); insert into note values ('kept')`)
    const fill = () => {
      for (const size of [1_000_000, 4_096]) assert.throws(() => writeUntilFull(Buffer.alloc(size)), { code: 'ENOSPC' })
    }
    const writeUntilFull = (bytes: Buffer) => {
      for (;;) appendFileSync(filler, bytes)
    }
    const writeLog = `do $$ begin for n in 1..64 loop perform pg_logical_emit_message(true, '', repeat('x', 1000000)); end loop; end $$`
    const causePanic = async () => {
      const { pid } = server
      fill()
      await assert.rejects(query(server.url, writeLog))
      return pid
    }
    const hasRestarted = (pid: number) => {
      assert.deepEqual(
        messages.filter((line) => line.startsWith('lost')),
        [],
      )
      return server.pid !== pid
    }
    const first = await causePanic()
    await waitUntil(() => hasRestarted(first), 'it is not restarted')
    assert.equal(hasReserve, false)
    assert.deepEqual(await query(server.url, 'select text from note'), [{ text: 'kept' }])

    const second = await causePanic()
    const waitMessage = 'PostgreSQL needs free disk space to restart'
    await waitUntil(() => messages.includes(waitMessage), 'no restart is attempted')
    truncateSync(filler, 0)
    await waitUntil(() => hasRestarted(second), 'it is not restarted when there is free space')
    assert.equal(messages.filter((line) => line === waitMessage).length, 1)
    assert.deepEqual(await query(server.url, 'select text from note'), [{ text: 'kept' }])
    await server.stop()

    fill()
    const restarted = await startEmbedded(join(smallDisk, 'data'), log, {
      freeDiskSpace: () => truncateSync(filler, 0) === undefined,
    })
    assert.deepEqual(await query(restarted.url, 'select text from note'), [{ text: 'kept' }])
    await restarted.stop()
  } finally {
    // the server of a failed test may still use it
    execFileSync('umount', ['--lazy', smallDisk])
  }
})

test('a folder of another version is rejected, and left unchanged', async () => {
  const folder = copyFolder('older')
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '15\n')
  await assert.rejects(startEmbedded(folder, log), /was created by PostgreSQL 15, but this program includes 18/)
})

test('the remains of an interrupted first start are replaced', async () => {
  const folder = join(root, 'half')
  mkdirSync(join(folder, 'postgres.new', 'base'), { recursive: true })
  const server = await startEmbedded(folder, log)
  await server.stop()
  assert.deepEqual(readdirSync(folder).sort(), ['lock', 'postgres'])
})

test('root may keep the folder where only root has access, and may have copied it', { skip: !isRoot }, async () => {
  const hidden = join(root, 'hidden')
  mkdirSync(hidden, { mode: 0o700 })
  assert.equal(statSync(root).mode & 0o777, 0o700)
  const fresh = await startEmbedded(join(hidden, 'fresh'), log)
  await fresh.stop()
  const copied = await startEmbedded(copyFolder('hidden/copied', templateFolder, '-r'), log)
  assert.deepEqual(await query(copied.url, 'select text from note'), [])
  await copied.stop()
})

/** Whether another user can run this checkout, which only root may have access to. */
function canOthersRun(): boolean {
  const { status } = spawnSync(process.execPath, ['--check', processFile], { uid: 65_534, gid: 65_534, cwd: '/' })
  return status === 0
}

test('an unprivileged user needs no special setup', { skip: !isRoot || !canOthersRun() }, async () => {
  const unprivilegedUser = { uid: 65_534, gid: 65_534 }
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-ordinary-'))
  chownSync(folder, unprivilegedUser.uid, unprivilegedUser.gid)
  const service = await startProcess(folder, unprivilegedUser)
  assert.equal(statSync(join(folder, 'postgres')).uid, unprivilegedUser.uid)
  await assert.rejects(startProcess(folder, unprivilegedUser), /is in use/)
  service.process.kill('SIGTERM')
  assert.deepEqual(await once(service.process, 'exit'), [0, null])
  rmSync(folder, { recursive: true })
})

test('a folder of another user is rejected', { skip: !isRoot || !canOthersRun() }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-foreign-'))
  rmSync(folder, { recursive: true })
  execFileSync('cp', ['-a', templateFolder, folder])
  chownSync(folder, 65_533, 65_533)
  chownSync(join(folder, 'lock'), 65_533, 65_533)
  await assert.rejects(
    startProcess(folder, { uid: 65_533, gid: 65_533 }),
    /belongs to user 65534, but Stockroom runs as user 65533/,
  )
  rmSync(folder, { recursive: true })
})
