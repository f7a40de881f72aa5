import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { ROOT } from './paths.ts'
import { apiPackage } from './plugin-host/api-package.ts'
import { installPacked } from './testing/packed.ts'
import { testService } from './testing/service.ts'

const run = promisify(execFile)
const project = await installPacked('plugin-package')

describe('the plugin API package', () => {
  const createSource = (hook: string) => `
    import { type Context, definePlugin, type Plugin } from '${apiPackage}'
    export default definePlugin({
      slug: 'tried', name: 'Tried', version: '1.0.0',
      settings: {
        FACTOR: { type: 'integer', default: 2, name: 'Factor', description: 'How much.' },
        SUPPLIER: { type: 'model', model: 'company.company', apiUrl: '/api/company/', default: '', name: 'Supplier', description: 'Whose.' },
      },
      ${hook}
    })
    export const log = ({ log }: Context): void => log.info('logged')
    export const nothing: Plugin = definePlugin({ slug: 'nothing', name: 'Nothing', version: '1.0.0' })`

  const goodSource = createSource(`
    currencyRates: {
      async rates(base, currencies, { settings }) {
        const factor: number = await settings.get('FACTOR')
        const supplier: number | null = await settings.get('SUPPLIER')
        return Object.fromEntries(currencies.map((code: string) => [code, base + factor + supplier]))
      },
    },`)

  it('has the types of a plugin, and of its settings', async () => {
    await writeFile(join(project.folder, 'good.ts'), goodSource)
    await project.checkTypes('good.ts')
  })

  for (const [problem, hook, reason] of [
    ['a setting that it does not have', `async start({ settings }) { await settings.get('OTHER') },`, /'"OTHER"'/],
    [
      'a hook that returns another type',
      `currencyRates: { rates: () => ({ EUR: 1 }) },`,
      /'number' is not assignable to type 'string'/,
    ],
  ] as const)
    it(`reports a type error for ${problem}`, async () => {
      await writeFile(join(project.folder, 'bad.ts'), createSource(hook))
      await assert.rejects(project.checkTypes('bad.ts'), reason)
    })

  it('is JavaScript, so that plugins can be tested without the service', async () => {
    await writeFile(join(project.folder, 'good.ts'), goodSource)
    await writeFile(
      join(project.folder, 'try.ts'),
      `import plugin from './good.ts'
       const settings = { get: async () => 3 }
       console.log(JSON.stringify(await plugin.currencyRates?.rates('USD', ['EUR'], { settings } as any)))`,
    )
    const { stdout } = await run(process.execPath, ['try.ts'], { cwd: project.folder })
    assert.deepEqual(JSON.parse(stdout), { EUR: 'USD33' })
  })

  it('is the peer of a compiled and packed plugin, which runs with the version of the service', async () => {
    const folder = join(project.folder, 'packed')
    await mkdir(folder)
    const packageJson = {
      name: 'packed-rates',
      version: '1.0.0',
      type: 'module',
      main: 'dist/index.js',
      files: ['dist'],
      peerDependencies: { [apiPackage]: '*' },
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify(packageJson))
    await writeFile(join(folder, 'index.ts'), goodSource)
    const compilerArguments = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--outDir', 'dist', 'index.ts']
    await run(join(ROOT, 'node_modules/.bin/tsc'), compilerArguments, { cwd: folder })
    await run('npm', ['pack'], { cwd: folder })

    const service = await testService({ DATA_DIR: join(project.folder, 'data'), PLUGIN_INSTALL_SECONDS: '60' })
    const url = pathToFileURL(join(folder, 'packed-rates-1.0.0.tgz')).href
    const installResponse = await service.superuser.post('/api/plugins/install/', { confirm: true, url })
    assert.equal(installResponse.status, 201, installResponse.text)
    assert.ok(
      !globSync('**/@stockroom-inventory', { cwd: join(project.folder, 'data/plugin-packages') }).length,
      'the API package was downloaded',
    )
    assert.deepEqual((await service.superuser.patch('/api/plugins/activate/', { plugin: 'tried' })).body, { active: true })
    const [plugin] = service.app.routes.services.plugins.withHook('currencyRates.rates').filter(({ key }) => key === 'tried')
    assert.deepEqual(await plugin?.call(['USD', ['EUR']]), { EUR: 'USD2null' })
  })
})
