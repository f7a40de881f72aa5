import assert from 'node:assert/strict'
import { cpSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { transform } from 'esbuild'
import { ROOT } from '../paths.ts'
import { createTestDatabase } from '../testing/database.ts'
import { startNodeProcess } from '../testing/node-process.ts'
import { createPluginFolder } from '../testing/plugin-folder.ts'
import { bundleFolder, bundleServer } from './bundled.js'

const bundle = bundleServer()

describe('the bundle of the server', () => {
  it('contains every module that is started or loaded by its path', () => {
    const sources = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['src/console/**', '**/*.test.ts'] })
    const modules = sources.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/entry(?:Url|Path)\('([^']+)'\)/g)].map(([, module = '']) => module),
    )
    const plugins = globSync('src/plugins/*.ts', { cwd: ROOT, exclude: ['**/index.ts', '**/*.test.ts'] })
    assert.ok(modules.length >= 3, String(modules))
    for (const module of [...modules, ...plugins.map((path) => path.slice('src/'.length, -'.ts'.length))]) {
      assert.ok(existsSync(join(ROOT, 'src', `${module}.ts`)), module)
      assert.ok(existsSync(join(bundle, `${module.split('/').at(-1)}.js`)), module)
    }
  })

  it('consists of valid modules, whatever the packages in it declare', async () => {
    for (const name of globSync('**/*.js', { cwd: bundle }))
      await assert.doesNotReject(transform(readFileSync(join(bundle, name), 'utf8'), { format: 'esm' }), name)
  })

  it('has the plugin program in a folder of its own', () => {
    assert.deepEqual(readdirSync(join(bundle, 'plugin-child')).sort(), ['main.js', 'plugin-api.js'])
  })

  it('gets a new name when the sources change, but not when only the tests or the console change', () => {
    const root = mkdtempSync(join(tmpdir(), 'stockroom-sources-'))
    after(() => rmSync(root, { recursive: true }))
    for (const file of [
      'package.json',
      'package-lock.json',
      'src/app.ts',
      'src/console/main.tsx',
      'src/kit/values/json.ts',
      'src/testing/until.ts',
    ])
      cpSync(join(ROOT, file), join(root, file), { recursive: true })
    const first = bundleFolder(root)
    assert.equal(dirname(first), join(root, 'dist/server'))
    const change = (file: string) => writeFileSync(join(root, file), '// changed')
    for (const file of ['src/console/main.tsx', 'src/app.test.ts', 'src/testing/until.ts']) {
      change(file)
      assert.equal(bundleFolder(root), first, file)
    }
    for (const file of ['src/app.ts', 'src/kit/values/json.ts', 'src/kit/added.ts', 'package.json', 'package-lock.json']) {
      const before = bundleFolder(root)
      change(file)
      assert.notEqual(bundleFolder(root), before, file)
    }
    const before = bundleFolder(root)
    rmSync(join(root, 'src/kit/added.ts'))
    assert.notEqual(bundleFolder(root), before)
  })
})

describe("a plugin running from the service's bundle", () => {
  it('can read its own folder and its imports, but nothing else of the bundle or the sources', async () => {
    const database = await createTestDatabase()
    after(database.drop)
    const folder = createPluginFolder()
    const paths = {
      own: join(folder.dataDir, 'plugins/curious/index.ts'),
      bundle: join(bundle, 'cli.js'),
      chunk: globSync(join(bundle, 'chunk-*.js'))[0],
      builtIn: join(bundle, 'zplprinter.js'),
      sources: join(ROOT, 'src/app.ts'),
      package: join(ROOT, 'package.json'),
    }
    folder.write(
      'curious',
      `actions: {
        async reads() {
          const result = {}
          for (const [name, path] of Object.entries(${JSON.stringify(paths)}))
            for (const [access, read] of Object.entries({
              read: async () => (await import('node:fs')).readFileSync(path),
              load: () => import(path),
            }))
              try { await read(); result[name + ' ' + access] = 'allowed' } catch (error) { result[name + ' ' + access] = error.code }
          return { result }
        },
      }`,
    )
    const account = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'a password of tests' }
    const service = await startNodeProcess(database.url, { DATA_DIR: folder.dataDir, ...account })
    const send = async (method: string, path: string, body: object): Promise<any> => {
      const authorization = `Basic ${btoa('admin:a password of tests')}`
      const headers = { authorization, 'content-type': 'application/json' }
      const response = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) })
      const text = await response.text()
      assert.ok(response.ok, text)
      return JSON.parse(text)
    }
    await send('PATCH', '/api/plugins/activate/', { plugin: 'curious' })
    const { result } = await send('POST', '/api/action/', { action: 'reads' })
    const denied = Object.keys(paths).filter((name) => name !== 'own')
    assert.deepEqual(result, {
      'own read': 'allowed',
      'own load': 'allowed',
      ...Object.fromEntries(
        denied.flatMap((name) => [`${name} read`, `${name} load`].map((access) => [access, 'ERR_ACCESS_DENIED'])),
      ),
    })
  })
})
