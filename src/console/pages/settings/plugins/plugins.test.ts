import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInPlugins } from '../../../../plugins/index.ts'
import { createPluginFolder } from '../../../../testing/plugin-folder.ts'
import { createPluginPackage, packFiles, startNpmRegistry } from '../../../../testing/servers/npm-registry.ts'
import { PASSWORD, testService } from '../../../../testing/service.ts'
import { scaleTimeout } from '../../../../testing/slowness.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../../testing/console.ts'
import { builtInTexts } from './built-in-texts.ts'
import { featureKeys } from './plugin.ts'

const registry = await startNpmRegistry()
for (const version of ['1.0.0', '2.0.0'])
  await registry.publish(await packFiles(createPluginPackage({ version })), version === '2.0.0' ? 'next' : 'latest')

const folder = createPluginFolder()
folder.write(
  'counter',
  `title: 'Stock counter', description: 'Counts stock at night.', author: 'Isar Sensors', website: 'https://isar.example',
   settings: {
     TOKEN: { type: 'string', default: '', protected: true, required: true, name: 'Token', description: 'The key of the counter.' },
     LIMIT: { type: 'integer', default: 5, min: 1, max: 9, units: 'days', name: 'Limit', description: 'How many days it looks back.' },
     MODE: { type: 'choice', default: 'slow', name: 'Mode', description: 'How it counts.',
       choices: [{ value: 'slow', display_name: 'Slow' }, { value: 'fast', display_name: 'Fast' }] },
     PART: { type: 'model', model: 'part.part', apiUrl: '/api/part/', name: 'Part', description: 'The part that it counts.' },
   },
   actions: { count: () => ({ result: 1 }) }`,
)
folder.write('broken', `start() { throw new Error('the counter is not plugged in') }`)
folder.write('Wrong_Name', '')
const service = await testService({ DATA_DIR: folder.dataDir, PLUGIN_INSTALL_SECONDS: '60' })
const closed = await testService({ PLUGINS_INSTALL_ENABLED: 'false' })
const { staff, superuser } = service
const LONG = { timeout: scaleTimeout(60_000) }
const readValue = async (key: string) => (await service.rows('select value from plugin_setting where key = $1', [key]))[0]?.value

describe('plugins', { skip: cannotBrowse }, () => {
  it('are installed with a warning and the password, turned on, updated and uninstalled', async () => {
    const page = await openConsole(service, 'superuser', '/settings/')
    await service.rows(`update user_session set confirmed = now() - interval '11 minutes'`)
    await page.getByRole('main').getByRole('link', { name: 'Plugins' }).click()
    await page.getByRole('heading', { name: 'In the plugins folder' }).waitFor()
    await page.getByRole('heading', { name: 'Plugins that could not be loaded' }).waitFor()
    await page.getByText('Wrong_Name').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'plugins')
    await page.getByRole('main').getByRole('searchbox').fill('digikey')
    await page.getByRole('heading', { name: 'In the plugins folder' }).waitFor({ state: 'detached' })
    assert.match(page.url(), /search=digikey/)
    await page.getByRole('main').getByRole('searchbox').fill('')

    await page.getByRole('button', { name: 'Install plugin' }).click()
    const dialog = page.getByRole('dialog', { name: 'Install plugin' })
    await dialog.getByText('A plugin is third-party code').waitFor()
    await dialog.getByLabel('Package', { exact: true }).fill('stockroom-sample')
    await dialog.getByLabel('Source URL').fill(registry.url)
    await assertAccessible(page)
    await capturePage(page, 'install-plugin')
    const confirmation = page.getByRole('dialog', { name: 'Confirm your identity' })
    const install = () => dialog.getByRole('button', { name: 'Install plugin' }).click()
    await install()
    await confirmation.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByText('you did not confirm your identity').waitFor()
    await install()
    await confirmation.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    // nothing is installed without the checkbox
    await dialog.getByText('Installation not confirmed').waitFor()
    assert.deepEqual(await service.rows('select from plugin_package'), [])
    await dialog.getByLabel('I trust this package').check()
    await install()
    const done = page.getByRole('dialog', { name: 'Plugin installed' })
    await done.waitFor(LONG)
    await assertAccessible(page)
    await done.getByRole('link', { name: 'Open the plugin' }).click()

    await page.getByRole('heading', { name: 'Sample' }).waitFor()
    await page.getByText('version 1.0.0').waitFor()
    await page.getByText('Off', { exact: true }).waitFor()
    await page.getByText('Installed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByText('run with your permissions').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('On', { exact: true }).waitFor()
    await page.getByText('Turn the plugin off to uninstall it.').waitFor()

    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Install another version' }).click()
    const update = page.getByRole('dialog', { name: 'Install another version' })
    assert.equal(await update.getByLabel('Package', { exact: true }).inputValue(), 'stockroom-sample')
    assert.equal(await update.getByLabel('Source URL').inputValue(), registry.url)
    await update.getByLabel('Version').fill('next')
    await update.getByLabel('I trust this package').check()
    await page.keyboard.press('Enter')
    await done.waitFor(LONG)
    await done.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('version 2.0.0').waitFor()

    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Sample turned off').waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Uninstall' }).click()
    await page.getByRole('dialog').getByLabel('Delete its settings as well').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Uninstall' }).click()
    await page.getByText('Sample uninstalled').waitFor()
    assert.deepEqual(await service.rows(`select from plugin_config where key = 'sample'`), [])
    const events = await service.rows(`select details from security_event where kind = 'plugin_changed' order by pk`)
    assert.deepEqual(
      events.map(({ details }) => Object.keys(details).toSorted().join(' ')),
      ['installed', 'active plugin', 'installed', 'active plugin', 'plugin uninstalled'],
    )
  })

  it('have settings with limits, choices, objects and secrets that are never shown', async () => {
    await superuser.post('/api/part/category/', { name: 'Parts' })
    await superuser.post('/api/part/', { name: 'Sensor', category: 1 })
    const page = await openConsole(service, 'superuser', '/settings/plugins/counter/')
    await page.getByText('Counts stock at night.').waitFor()
    const token = page.getByLabel('Token', { exact: true })
    await page.getByText('The key of the counter. Required.').waitFor()
    await token.fill('very secret')
    await token.press('Enter')
    await page.getByText('Token saved').first().waitFor()
    await page.getByPlaceholder('Stored, not shown').waitFor()
    assert.equal(await readValue('TOKEN'), 'very secret')
    await page.reload()
    await page.getByPlaceholder('Stored, not shown').waitFor()
    assert.ok(!(await page.content()).includes('very secret'))
    assert.equal(await token.inputValue(), '')
    const limit = page.getByLabel('Limit', { exact: true })
    await limit.fill('99')
    await limit.press('Enter')
    await page.getByRole('main').getByRole('alert').waitFor()
    assert.equal(await limit.getAttribute('aria-invalid'), 'true')
    await limit.fill('7')
    await limit.press('Enter')
    await page.getByText('Limit saved').first().waitFor()
    await page.getByLabel('Mode').selectOption('Fast')
    await page.getByText('Mode saved').first().waitFor()
    await page.getByLabel('Part', { exact: true }).click()
    await page.getByRole('option', { name: 'Sensor' }).click()
    await page.getByText('Part saved').first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'plugin-settings')
    assert.deepEqual([await readValue('LIMIT'), await readValue('MODE')], ['7', 'fast'])
    await page.getByRole('button', { name: 'Token: Reset to None' }).click()
    await page.getByPlaceholder('Not set').waitFor()
    assert.equal(await readValue('TOKEN'), '')
  })

  it('report why one cannot be turned on, in German', async () => {
    const page = await openConsole(service, 'superuser', '/settings/plugins/broken/', { locale: 'de-DE' })
    await page.getByRole('button', { name: 'Einschalten' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Einschalten' }).click()
    await page.getByRole('dialog').getByText('the counter is not plugged in').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'plugin-german')
    await page.keyboard.press('Escape')
    assert.deepEqual(await service.rows(`select active from plugin_config where key = 'broken'`), [{ active: false }])
    await page.goto('/settings/plugins/')
    await page.getByText('Macht ein PDF mit einem Etikett auf jeder Seite.').waitFor()
    await page.getByRole('button', { name: 'Plugins neu laden' }).click()
    await page.getByText('Plugins neu geladen').waitFor(LONG)
  })

  it('are configured by staff, who read who can do more', async () => {
    const page = await openConsole(service, 'staff', '/settings/plugins/counter/')
    await page.getByText('Only superusers turn plugins on and off').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Turn on' }).count(), 0)
    const limit = page.getByLabel('Limit', { exact: true })
    await limit.fill('3')
    await limit.press('Enter')
    await page.getByText('Limit saved').first().waitFor()
    assert.equal(await readValue('LIMIT'), '3')
    await page.goto('/settings/plugins/')
    await page.getByRole('link', { name: 'Stock counter' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Install plugin' }).count(), 0)
  })

  it('are not shown to others, who read who may', async () => {
    for (const path of ['/settings/plugins/', '/settings/plugins/counter/']) {
      const page = await openConsole(service, 'member', path)
      await page.getByText('You do not have permission to use this page').waitFor()
      assert.equal(await page.getByText('Stock counter').count(), 0)
    }
  })

  it('have German texts for each built-in one with its settings, and a name for each feature', async () => {
    const { plugins } = (await staff.get('/api/web/plugins/')).body
    for (const { slug } of builtInPlugins) {
      const { body: settings } = await staff.get(`/api/web/plugins/${slug}/settings/`)
      const keys = settings.map(({ key }: { key: string }) => key)
      assert.deepEqual(Object.keys(builtInTexts[slug]?.settings ?? {}).toSorted(), keys.toSorted(), slug)
    }
    const features: string[] = plugins.flatMap((plugin: { features: string[] }) => plugin.features)
    assert.deepEqual(
      features.filter((feature) => !featureKeys[feature]),
      [],
    )
  })
})

describe('plugins of a service that installs none', { skip: cannotBrowse }, () => {
  it('cannot be installed, and the page says why and how to change that', async () => {
    const page = await openConsole(closed, 'superuser', '/settings/plugins/')
    await page.getByText('PLUGINS_INSTALL_ENABLED=true').waitFor()
    await page.getByText('is off, as configured by PLUGINS_INSTALL_ENABLED.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Install plugin' }).count(), 0)
    await assertAccessible(page)
  })
})
