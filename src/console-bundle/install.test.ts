import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, relative, sep } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from '../paths.ts'
import { createTestDatabase } from '../testing/database.ts'
import { findFreePort } from '../testing/free-port.ts'
import { waitUntil } from '../testing/until.ts'
import { VERSION } from '../version.ts'

const run = promisify(execFile)
/** Paths that are generated, and not part of the source. */
const GENERATED_PATHS = /^(dist|data|coverage|\.git)(\/|$)|(^|\/)node_modules(\/|$)/

/** Output folders of `prepare`. */
const BUNDLES = ['dist/console', 'dist/docs', 'dist/server']

/** npm's own environment, without the variables that the tests set for processes of the service. */
const { NODE_COMPILE_CACHE: _cache, ...environment } = process.env

/**
 * Starts the service as an operator does, opens a page of the console and a guide, and stops it.
 * @param command the command that starts it in that folder
 */
async function openConsole(folder: string, command: string[]): Promise<void> {
  const { url: databaseUrl, drop } = await createTestDatabase()
  after(drop)
  const port = await findFreePort()
  const [program, ...rest] = command as [string, ...string[]]
  const service = spawn(program, rest, {
    cwd: folder,
    env: { ...environment, PORT: String(port), DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
    // npm and its child processes
    detached: true,
  })
  const exitEvent = once(service, 'exit')
  const fetchPage = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })
  const isOpen = () =>
    fetchPage('/').then(
      ({ ok }) => ok,
      () => false,
    )
  try {
    await waitUntil(isOpen, 'the console does not start', 60_000)
    const page = await (await fetchPage('/company/')).text()
    const [, script] = /<script type="module" src="([^"]+)"/.exec(page) ?? []
    assert.equal((await fetchPage(String(script))).status, 200)
    assert.match(await (await fetchPage('/docs/getting-started/')).text(), /<h1 id="getting-started">/)
  } finally {
    process.kill(-(service.pid as number), 'SIGTERM')
    await exitEvent
  }
}

describe('a fresh machine', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stockroom-fresh-'))
  })
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))

  it('has the console after npm ci --omit=dev && npm start, even when npm ci did not make the bundles', async () => {
    await cp(ROOT, folder, {
      recursive: true,
      filter: (path) => !GENERATED_PATHS.test(relative(ROOT, path).split(sep).join('/')),
    })
    await run('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, env: environment })
    const fileLists = await Promise.all(BUNDLES.map((name) => readdir(join(folder, name))))
    assert.deepEqual(
      fileLists.map(({ length }) => length),
      [1, 1, 1],
      'prepare made no bundle',
    )

    await rm(join(folder, 'dist'), { recursive: true })
    await openConsole(folder, ['npm', 'start'])
    assert.deepEqual(await Promise.all(BUNDLES.map((name) => readdir(join(folder, name)))), fileLists)
  })

  describe('the package that npm pack makes, installed without development packages and scripts', () => {
    let project: string
    before(async () => {
      await run('npm', ['pack', '--pack-destination', folder], { cwd: folder, env: environment })
      const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
      project = join(folder, 'project')
      await mkdir(project)
      await writeFile(join(project, 'package.json'), '{ "private": true }')
      const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
      await run('npm', ['install', ...options, join(folder, tarball)], { cwd: project, env: environment })
    })

    it('takes at most 420 MB, without tests, sources and the bundler', async () => {
      const { stdout } = await run('du', ['-sm', project])
      assert.ok(Number.parseInt(stdout, 10) <= 420, stdout)
      const files = await readdir(join(project, 'node_modules/stockroom'), { recursive: true })
      assert.deepEqual(
        files.filter((name) => /\.tsx?$/.test(name)),
        [],
      )
      const packages = await readdir(join(project, 'node_modules'))
      assert.ok(!packages.includes('esbuild'), String(packages))
    })

    it('runs and has the console after npx stockroom, without a network', () =>
      openConsole(project, ['npx', '--offline', 'stockroom']))

    it('names the licenses of the packages in its bundles', async () => {
      const file = join(project, 'node_modules/stockroom/dist/packed/licenses.json')
      const licenses = JSON.parse(await readFile(file, 'utf8')) as { name: string; licensetext: string }[]
      for (const name of ['fastify', 'preact', 'pg', 'sharp'])
        assert.ok(licenses.find((one) => one.name === name)?.licensetext, name)
    })

    it('runs on the Node that npm installed with it if it is started by an older one', async (context) => {
      const node = await findOlderNode()
      if (node === undefined) return context.skip('this machine has no older Node')
      const { stdout } = await run(node, [join(project, 'node_modules/.bin/stockroom'), 'doctor', '--json'], {
        env: { ...environment, CHROME_PATH: '/bin/false', PORT: '0', DATA_DIR: join(folder, 'none') },
      }).catch((error: { stdout: string }) => error)
      const [versions] = JSON.parse(stdout).checks
      assert.equal(
        versions.findings[0].message,
        `Stockroom ${VERSION} on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
      )
    })
  })
})

/** The program of a Node on this machine that is too old for the service; undefined if there is none. */
async function findOlderNode(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  for (const path of new Set(folders)) {
    const program = join(path, 'node')
    const version = await run(program, ['--version']).catch(() => undefined)
    if (version && Number.parseInt(version.stdout.slice(1), 10) < 24) return program
  }
  return undefined
}
