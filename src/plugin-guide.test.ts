import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from './paths.ts'
import { mixinFunctions } from './plugin-host/hooks.ts'
import { PASSWORD, testService } from './testing/service.ts'

const run = promisify(execFile)
const page = readFileSync(join(ROOT, 'docs/guides/plugins.md'), 'utf8')
const reference = readFileSync(join(ROOT, 'docs/guides/writing-plugins.md'), 'utf8')

/** Sources of the modules that may call plugin functions by name: all except those that determine which functions a plugin has. */
const callerSources = globSync('**/*.ts', { cwd: join(ROOT, 'src') })
  .filter((name) => !/\.test\.ts$|^testing\/|^plugin-host\/(hooks|manifest)\.ts$/.test(name))
  .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))

/** Returns the code blocks of the page in a language, unchanged. */
const listBlocks = (language: string): string[] =>
  [...page.matchAll(/^```(\w+).*\n([\s\S]*?)^```$/gm)].flatMap(([, tag, text]) => (tag === language && text ? [text] : []))

const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'stockroom-guide-')))
after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 }))
const { app, superuser } = await testService({ DATA_DIR: dataDir })

const { port } = app.server.address() as { port: number }
const env = { ...process.env, STOCKROOM: `http://127.0.0.1:${port}`, LOGIN: `superuser:${PASSWORD}` }
/** Runs the commands of a block. Returns the last output. */
async function runCommands(commands: string): Promise<any> {
  const { stdout } = await run('sh', ['-e', '-c', commands.replaceAll(/^curl /gm, 'echo; curl --fail-with-body ')], { env })
  return JSON.parse(stdout.trim().split('\n').at(-1) as string)
}

describe('the guide of plugins', () => {
  it('has a working example, with working commands', async () => {
    const [source, ...otherSources] = listBlocks('ts')
    assert.deepEqual(otherSources, [])
    const folder = join(dataDir, 'plugins/house-rates')
    assert.ok(page.includes('`DATA_DIR/plugins/house-rates/`'))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'index.ts'), source as string)

    await superuser.patch('/api/settings/global/INVENTREE_DEFAULT_CURRENCY/', { value: 'EUR' })
    // the first block sets the variables for the demo data
    const [variables = '', ...blocks] = listBlocks('sh')
    assert.match(variables, /^STOCKROOM=.*\nLOGIN=.*\n$/)
    const [activateCommands, settingCommands, refreshCommands, statusCommands, ...otherCommands] = blocks as [
      string,
      string,
      string,
      string,
    ]
    assert.deepEqual(otherCommands, [])
    assert.deepEqual(await runCommands(activateCommands), { active: true })
    assert.equal((await runCommands(settingCommands)).value, '2')
    assert.equal((await runCommands(refreshCommands)).exchange_rates.USD, 1.078)
    assert.ok(page.includes('1.078 dollars'))
    assert.deepEqual((await runCommands(statusCommands)).registry_errors, [])

    await superuser.patch('/api/plugins/settings/house-rates/RATES/', { value: 'USD=1.10 gold' })
    const response = await superuser.post('/api/currency/refresh/')
    assert.equal(response.status, 503)
    assert.match(JSON.stringify(response.body), /gold is not a rate of a currency/)
    const documentedError = page.match(/`(\{"stage".*?\})`/)?.[1] as string
    assert.deepEqual((await runCommands(statusCommands)).registry_errors, [JSON.parse(documentedError)])
  })

  it('states for every mixin whether the service calls it', () => {
    const [, table = ''] = reference.match(/^\| Mixin .*\n\|-.*\n((?:\|.*\n)+)/m) ?? []
    const rows = [...table.matchAll(/^\| (`[^|]+`) \|[^|]+\| ([^|]+) \|$/gm)]
    const documented = rows.flatMap(([, mixins = '', remark = '']) =>
      [...mixins.matchAll(/`(\w+)`/g)].map(([, name]) => [name, !remark.startsWith('not yet')]),
    )
    const mixinPatterns = { schedule: /`schedule\.\$\{/, actions: /`actions\.\$\{/, machineDrivers: /`machineDrivers\.\$\{/ }
    const fixedPatterns = Object.entries(mixinFunctions).map(
      ([mixin, names]) => [mixin, new RegExp(`'${mixin}\\.(${names.join('|')})'`)] as const,
    )
    const calledMixins = [...fixedPatterns, ...Object.entries(mixinPatterns)].map(([mixin, call]) => [
      mixin,
      callerSources.some((text) => call.test(text)),
    ])
    assert.deepEqual(Object.fromEntries(documented), Object.fromEntries([['start', true], ...calledMixins]))
  })
})
