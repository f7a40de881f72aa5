import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { apiPackage } from './plugin-host/api-package.ts'
import { installPacked } from './testing/packed.ts'

const run = promisify(execFile)
const project = await installPacked('plugin-package')

describe('the package that plugins are written against', () => {
  const source = (hook: string) => `
    import { type Context, definePlugin, type Plugin } from '${apiPackage}'
    export default definePlugin({
      slug: 'tried', name: 'Tried', version: '1.0.0',
      settings: {
        FACTOR: { type: 'integer', default: 2, name: 'Factor', description: 'How much.' },
        SUPPLIER: { type: 'model', model: 'company.company', apiUrl: '/api/company/', default: '', name: 'Supplier', description: 'Whose.' },
      },
      ${hook}
    })
    export const log = ({ log }: Context): void => log.info('said')
    export const nothing: Plugin = definePlugin({ slug: 'nothing', name: 'Nothing', version: '1.0.0' })`

  const good = source(`
    currencyRates: {
      async rates(base, currencies, { settings }) {
        const factor: number = await settings.get('FACTOR')
        const supplier: number | null = await settings.get('SUPPLIER')
        return Object.fromEntries(currencies.map((code: string) => [code, base + factor + supplier]))
      },
    },`)

  it('knows the types of a plugin, and of its settings', async () => {
    await writeFile(join(project.folder, 'good.ts'), good)
    await project.checkTypes('good.ts')
  })

  for (const [what, hook, reason] of [
    ['a setting that it does not have', `async start({ settings }) { await settings.get('OTHER') },`, /'"OTHER"'/],
    [
      'a hook that gives something else',
      `currencyRates: { rates: () => ({ EUR: 1 }) },`,
      /'number' is not assignable to type 'string'/,
    ],
  ] as const)
    it(`tells what is wrong: ${what}`, async () => {
      await writeFile(join(project.folder, 'bad.ts'), source(hook))
      await assert.rejects(project.checkTypes('bad.ts'), reason)
    })

  it('is JavaScript, so that plugins can be tried without the service', async () => {
    await writeFile(join(project.folder, 'good.ts'), good)
    await writeFile(
      join(project.folder, 'try.ts'),
      `import plugin from './good.ts'
       const settings = { get: async () => 3 }
       console.log(JSON.stringify(await plugin.currencyRates?.rates('USD', ['EUR'], { settings } as any)))`,
    )
    const { stdout } = await run(process.execPath, ['try.ts'], { cwd: project.folder })
    assert.deepEqual(JSON.parse(stdout), { EUR: 'USD33' })
  })
})
