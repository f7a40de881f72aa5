import { globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../paths.ts'
import { bundleTests } from '../server-bundle/bundle.js'
import { changedFiles, testsOf } from './changed.ts'
import { testServer } from './database.ts'
import { leavingOutFiles } from './leaving-out-files.ts'
import { measureSlowness, patience } from './slowness.ts'

// Runs test files: all of them (`npm test`), those that fit the patterns that are given, or those of what changed (`npm test -- --changed`). They are bundled with the service first, which
// each process then loads in half the time. Files that lie beside each other share a process, which loads the service once; each has a
// database of its own all the same.

/** Files that have a process of their own, and begin early: each takes as long as many others together. */
const LONG = [
  'src/console/shell/callers.test.ts',
  'src/console-bundle/install.test.ts',
  'src/kill.test.ts',
  'src/memory.test.ts',
  'src/plugin-host/registry.test.ts',
  'src/printing/browser/bounds.test.ts',
  'src/resources/plugins/install/install.test.ts',
]

/**
 * What a file says that changes or measures something that its process has once. It has a process of its own, too. What a plugin or another
 * process does that a file starts is not meant, nor what only reads the environment. `testServer`: it breaks connections off.
 */
const ALONE =
  /\bglobalThis\.\w+ = |\bmock\.|\bprocess\.env\.\w+ = |\bprocess\.(on|once|chdir|umask|memoryUsage|cpuUsage|resourceUsage)\b|testing\/(round-trips|timing|node-process)\.ts|\bprepared|\btestServer\b/

/** How many files share a process: with more, the last process works on while the others have nothing left to do. */
const TOGETHER = 8

/** More processes than processors: each waits for the database or a browser now and then. */
const AT_ONCE = 4

/** Milliseconds that a test may take of a file that has a process of its own. */
measureSlowness()
const TEST_TIMEOUT_MS = patience(120_000)

const patterns = process.argv.slice(2)
const isChanged = patterns[0] === '--changed'
const files = isChanged
  ? testsOf(changedFiles())
  : globSync(patterns.length > 0 ? patterns : 'src/**/*.test.ts', { cwd: ROOT }).sort()
if (files.length === 0) {
  console.log(isChanged ? 'no test is close to what changed' : `no test file fits ${patterns.join(' ')}`)
  process.exit(isChanged ? 0 : 1)
}
const long = LONG.filter((file) => files.includes(file))
const isAlone = (file: string) => ALONE.test(readFileSync(resolve(ROOT, file), 'utf8'))
const others = files.filter((file) => !LONG.includes(file))
const alone = others.filter(isAlone)
const shared = others.filter((file) => !isAlone(file))

const folder = mkdtempSync(join(tmpdir(), 'stockroom-test-groups-'))
process.once('exit', () => rmSync(folder, { recursive: true }))

/** Of this run alone, so that no stale one is ever run. It lies where packages are found. */
const bundle = join(ROOT, 'dist', `tests-${process.pid}`)
process.once('exit', () => rmSync(bundle, { recursive: true, force: true }))
const sources = [...files.filter((file) => /^src\//.test(file)), 'src/testing/together.ts']
const bundledName = (file: string) => file.slice('src/'.length, -'.ts'.length)
await bundleTests(bundle, Object.fromEntries(sources.map((file) => [bundledName(file), file])))

/** What runs in the place of a test file: other files than those of the sources run as they are. */
const runs = (file: string) => (sources.includes(file) ? join(bundle, `${bundledName(file)}.js`) : resolve(ROOT, file))
const together = pathToFileURL(runs('src/testing/together.ts')).href

/** Writes the module that runs some files. */
function groupOf(members: readonly string[], number: number): string {
  const path = join(folder, `group-${number}.mjs`)
  writeFileSync(
    path,
    `import { together } from '${together}'\ntogether(${JSON.stringify(members.map((file) => [file, runs(file)]))})\n`,
  )
  return path
}
const groups = Array.from({ length: Math.ceil(shared.length / TOGETHER) }, (_, number) =>
  groupOf(shared.slice(number * TOGETHER, (number + 1) * TOGETHER), number),
)

/** Puts as many of the rest after each of some files as run beside it. */
const spread = (some: readonly string[], rest: readonly string[]): string[] =>
  [...some, ''].flatMap((file, at) => {
    const from = at * (AT_ONCE - 1)
    return file ? [file, ...rest.slice(from, from + AT_ONCE - 1)] : rest.slice(from)
  })

/** Bytes that the databases of a run may take together, with the log of the server. */
const NEEDED = 4 * 2 ** 30

/** Where the databases lie: in memory where there is much of it, as each file copies a thousand files, which is ten times faster there. */
function roomForDatabases(): string {
  const inMemory = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    if (bavail * bsize > NEEDED && process.availableMemory() > 2 * NEEDED) return inMemory
  } catch {
    // no such folder
  }
  return tmpdir()
}
process.env[testServer.folderVariable] ??= roomForDatabases()

/** Ctrl-C ends the tests, and the run in good order: the database server and its folder go. */
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

// what the types of Node do not know yet
const known: { globalSetupPath: string } = { globalSetupPath: join(ROOT, 'src/testing/global-setup.ts') }
const results = run({
  ...known,
  files: spread(long.map(runs), [...groups, ...alone.map(runs)]),
  cwd: ROOT,
  // tests are told by their places in the sources
  execArgv: ['--enable-source-maps'],
  concurrency: AT_ONCE,
  timeout: TEST_TIMEOUT_MS,
  signal: stopping.signal,
})
/** How many tests failed, by file: `.ci/run` asks for it (retry.ts). */
const failures: Record<string, number> = {}
results.on('test:fail', ({ name, file = '', details }) => {
  process.exitCode = 1
  const { failureType } = details.error as { failureType?: string }
  if (details.type === 'suite' || failureType === 'subtestsFailed') return
  // a file that failed by itself is a test of its name
  const source = files.includes(name) ? name : (files.find((one) => runs(one) === file) ?? relative(ROOT, file))
  failures[source] = (failures[source] ?? 0) + 1
})
await pipeline(results, leavingOutFiles(new Set(groups)), new spec(), process.stdout)
if (process.env.TEST_FAILURES) writeFileSync(process.env.TEST_FAILURES, JSON.stringify(failures))
