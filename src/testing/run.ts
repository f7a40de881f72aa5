import { globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../paths.ts'
import { bundleTests } from '../server-bundle/bundle.js'
import { findRelatedTests, listChangedFiles } from './changed.ts'
import { testServer } from './database.ts'
import { omitFileTests } from './hide-file-counts.ts'
import { measureSlowness, scaleTimeout } from './slowness.ts'

// Runs test files: all of them (`npm test`), those that match the given patterns, or those close to changed files (`npm test --
// --changed`). They are bundled with the service first, which halves the load time of each process. Adjacent files share a process, which
// loads the service once; each still has a database of its own.

/** Files that have a process of their own and start early: each takes as long as many others together. */
const LONG_FILES = [
  'src/console/shell/callers.test.ts',
  'src/console-bundle/install.test.ts',
  'src/guides.test.ts',
  'src/kill.test.ts',
  'src/memory.test.ts',
  'src/plugin-host/registry.test.ts',
  'src/printing/browser/bounds.test.ts',
  'src/resources/plugins/install/install.test.ts',
]

/**
 * Patterns in files that change or measure process-wide state. Such a file has a process of its own, too. Effects in a plugin or another
 * process that it starts do not count, nor does reading the environment. `testServer`: it breaks connections.
 */
const ISOLATED_PATTERN =
  /\bglobalThis\.\w+ = |\bmock\.|\bprocess\.env\.\w+ = |\bprocess\.(on|once|chdir|umask|memoryUsage|cpuUsage|resourceUsage)\b|testing\/(round-trips|timing|node-process)\.ts|\bprepared|\btestServer\b/

/** Number of files per process: with more, the last process would still run while the others are idle. */
const FILES_PER_PROCESS = 8

/** Maximum number of processes; more than there are processors, as each sometimes waits for the database or a browser. */
const MAX_CONCURRENT_PROCESSES = 4

measureSlowness()
/** Timeout in milliseconds for a test of a file with a process of its own. */
const TEST_TIMEOUT_MS = scaleTimeout(120_000)

const patterns = process.argv.slice(2)
const isChanged = patterns[0] === '--changed'
const files = isChanged
  ? findRelatedTests(listChangedFiles())
  : globSync(patterns.length > 0 ? patterns : 'src/**/*.test.ts', { cwd: ROOT }).sort()
if (files.length === 0) {
  console.log(isChanged ? 'no test is close to a changed file' : `no test file matches ${patterns.join(' ')}`)
  process.exit(isChanged ? 0 : 1)
}
const longFiles = LONG_FILES.filter((file) => files.includes(file))
const isIsolated = (file: string) => ISOLATED_PATTERN.test(readFileSync(resolve(ROOT, file), 'utf8'))
const others = files.filter((file) => !LONG_FILES.includes(file))
const isolatedFiles = others.filter(isIsolated)
const sharedFiles = others.filter((file) => !isIsolated(file))

const folder = mkdtempSync(join(tmpdir(), 'stockroom-test-groups-'))
process.once('exit', () => rmSync(folder, { recursive: true }))

/** A bundle for this run alone, so that a stale one is never run. It is in a folder where packages are found. */
const bundle = join(ROOT, 'dist', `tests-${process.pid}`)
process.once('exit', () => rmSync(bundle, { recursive: true, force: true }))
const sources = [...files.filter((file) => /^src\//.test(file)), 'src/testing/together.ts']
const getBundledName = (file: string) => file.slice('src/'.length, -'.ts'.length)
await bundleTests(bundle, Object.fromEntries(sources.map((file) => [getBundledName(file), file])))

/** Returns the path of the module to run for a test file: files outside of src run unbundled. */
const getModulePath = (file: string) =>
  sources.includes(file) ? join(bundle, `${getBundledName(file)}.js`) : resolve(ROOT, file)
const togetherUrl = pathToFileURL(getModulePath('src/testing/together.ts')).href

/** Writes a module that runs some files. */
function writeGroup(members: readonly string[], number: number): string {
  const path = join(folder, `group-${number}.mjs`)
  writeFileSync(
    path,
    `import { runFiles } from '${togetherUrl}'\nrunFiles(${JSON.stringify(members.map((file) => [file, getModulePath(file)]))})\n`,
  )
  return path
}
const groups = Array.from({ length: Math.ceil(sharedFiles.length / FILES_PER_PROCESS) }, (_, number) =>
  writeGroup(sharedFiles.slice(number * FILES_PER_PROCESS, (number + 1) * FILES_PER_PROCESS), number),
)

/** Puts enough of the other files after each long one to fill the remaining processes. */
const spreadLongFiles = (leading: readonly string[], rest: readonly string[]): string[] =>
  [...leading, ''].flatMap((file, index) => {
    const start = index * (MAX_CONCURRENT_PROCESSES - 1)
    return file ? [file, ...rest.slice(start, start + MAX_CONCURRENT_PROCESSES - 1)] : rest.slice(start)
  })

/** Maximum size in bytes of all databases of a run, including the log of the server. */
const MAX_DATABASE_BYTES = 4 * 2 ** 30

/** Returns the folder for databases: in memory if enough is available, as each test file copies a thousand files, which is ten times faster there. */
function chooseDatabaseFolder(): string {
  const inMemory = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    if (bavail * bsize > MAX_DATABASE_BYTES && process.availableMemory() > 2 * MAX_DATABASE_BYTES) return inMemory
  } catch {
    // no such folder
  }
  return tmpdir()
}
process.env[testServer.folderVariable] ??= chooseDatabaseFolder()

/** Ctrl-C ends the tests and cleans up the run: the database server is stopped and its folder deleted. */
const abortController = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abortController.abort())

// missing in the types of Node
const setupOption: { globalSetupPath: string } = { globalSetupPath: join(ROOT, 'src/testing/global-setup.ts') }
const results = run({
  ...setupOption,
  files: spreadLongFiles(longFiles.map(getModulePath), [...groups, ...isolatedFiles.map(getModulePath)]),
  cwd: ROOT,
  // tests are reported with their positions in the sources
  execArgv: ['--enable-source-maps'],
  concurrency: MAX_CONCURRENT_PROCESSES,
  timeout: TEST_TIMEOUT_MS,
  signal: abortController.signal,
})
/** Number of failed tests by file, for `.ci/run` (retry.ts). */
const failures: Record<string, number> = {}
results.on('test:fail', ({ name, file = '', details }) => {
  process.exitCode = 1
  const { failureType } = details.error as { failureType?: string }
  if (details.type === 'suite' || failureType === 'subtestsFailed') return
  // a file that failed by itself is reported as a test with its name
  const source = files.includes(name)
    ? name
    : (files.find((candidate) => getModulePath(candidate) === file) ?? relative(ROOT, file))
  failures[source] = (failures[source] ?? 0) + 1
})
await pipeline(results, omitFileTests(new Set(groups)), new spec(), process.stdout)
if (process.env.TEST_FAILURES) writeFileSync(process.env.TEST_FAILURES, JSON.stringify(failures))
