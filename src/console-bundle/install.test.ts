import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { testDatabase } from '../testing/database.ts'
import { freePort } from '../testing/free-port.ts'
import { until } from '../testing/until.ts'

const run = promisify(execFile)
const house = join(import.meta.dirname, '../..')
/** What is made there, and not part of the source. */
const MADE = /^(dist|data|coverage|\.git)(\/|$)|(^|\/)node_modules(\/|$)/

/** npm's own environment, without what the tests tell the processes of the house. */
const { NODE_OPTIONS: _options, NODE_COMPILE_CACHE: _cache, ...environment } = process.env

describe('a fresh machine', () => {
  it('has the console by npm ci --omit=dev && npm start, also where the bundle was not made by npm ci', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stockroom-fresh-'))
    after(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
    await cp(house, folder, {
      recursive: true,
      filter: (path) => !MADE.test(relative(house, path).split(sep).join('/')),
    })
    await run('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, env: environment })
    const bundles = join(folder, 'dist/console')
    const [made] = await readdir(bundles)
    assert.ok(made, 'prepare made no bundle')

    await rm(join(folder, 'dist'), { recursive: true })
    const { url: databaseUrl, drop } = await testDatabase()
    after(drop)
    const port = await freePort()
    const service = spawn('npm', ['start'], {
      cwd: folder,
      env: { ...environment, PORT: String(port), DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'ignore', 'inherit'],
      // npm and what it starts
      detached: true,
    })
    const ended = once(service, 'exit')
    const open = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })
    try {
      await until(
        () =>
          open('/').then(
            ({ ok }) => ok,
            () => false,
          ),
        'the console is not there',
        60_000,
      )
      const page = await (await open('/company/')).text()
      const [, script] = /<script type="module" src="([^"]+)"/.exec(page) ?? []
      assert.equal((await open(String(script))).status, 200)
      assert.deepEqual(await readdir(bundles), [made])
    } finally {
      process.kill(-(service.pid as number), 'SIGTERM')
      await ended
    }
  })
})
