import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { extract } from 'tar'
import { ROOT } from '../paths.ts'
import { createTestDatabase } from '../testing/database.ts'
import { findFreePort } from '../testing/free-port.ts'
import { waitUntil } from '../testing/until.ts'

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

  it('has the console from the package that npm pack makes, without its bundler', async () => {
    await run('npm', ['pack', '--pack-destination', folder, '--ignore-scripts'], { cwd: folder, env: environment })
    const project = join(folder, 'project')
    await mkdir(project)
    const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
    await rename(join(folder, 'node_modules'), join(project, 'node_modules'))
    await extract({ file: join(folder, tarball), cwd: project })
    await rename(join(project, 'package'), join(project, 'node_modules/stockroom'))
    for (const name of ['esbuild', '@esbuild']) await rm(join(project, 'node_modules', name), { recursive: true })
    await symlink('../stockroom/src/stockroom.js', join(project, 'node_modules/.bin/stockroom'))
    await openConsole(project, ['npx', '--no-install', 'stockroom', 'serve'])
  })
})
