import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PluginSettings, toSettings } from '../../plugin-host/plugin-settings.ts'
import { waitForListeners } from '../../testing/listeners-caught-up.ts'
import { startSecondNode } from '../../testing/second-node.ts'
import { testService } from '../../testing/service.ts'
import { getRegistry } from './plugin-registry.ts'

const service = await testService()
const { services } = service.app.routes
const plugin = 'inventreebarcode'
const key = 'SHORT_BARCODE_PREFIX'
const settings = toSettings(getRegistry(services).manifest(plugin)?.settings ?? {})
const pk = (await service.rows('select pk from plugin_config where key = $1', [plugin]))[0].pk
const readValue = () => getRegistry(services).settings.getValue(plugin, settings, key)
const changeValue = async (value: string) => {
  const { status } = await service.staff.patch(`/api/plugins/settings/${plugin}/${key}/`, { value })
  assert.equal(status, 200)
}
const writeRow = (value: string) =>
  service.rows(
    `insert into plugin_setting (plugin, key, value) values ($1, $2, $3)
     on conflict (plugin, key) do update set value = excluded.value`,
    [pk, key, value],
  )

describe('the cache of plugin settings', () => {
  it('has the new value before the response is sent', async () => {
    assert.equal(await readValue(), 'INV-')
    for (const value of ['A-', 'B-', 'C-']) {
      await changeValue(value)
      assert.equal(await readValue(), value)
    }
  })

  it('has changes made by another node or directly in the database, once they are announced', async () => {
    const other = await startSecondNode(service)
    const readValueOnOther = () => getRegistry(other.routes.services).settings.getValue(plugin, settings, key)
    const waitForOther = () => waitForListeners({ app: other, pool: service.pool })
    for (const value of ['D-', 'E-']) {
      await readValueOnOther()
      await changeValue(value)
      await waitForOther()
      assert.equal(await readValueOnOther(), value)
    }
    await writeRow('F-')
    await waitForOther()
    assert.equal(await readValueOnOther(), 'F-')
    await service.rows('delete from plugin_setting where plugin = $1', [pk])
    await waitForOther()
    assert.equal(await readValueOnOther(), 'INV-')
    await readValueOnOther()
    await writeRow('G-')
    await service.rows('truncate plugin_setting')
    await waitForOther()
    assert.equal(await readValueOnOther(), 'INV-')
  })

  it('reads each time while the listener is disconnected, and otherwise once', async () => {
    let statements = 0
    const countingDatabase = Object.assign(Object.create(services.database), {
      read: (statement: Parameters<typeof services.database.read>[0]) => {
        statements++
        return services.database.read(statement)
      },
    })
    let isListening = false
    const cachedSettings = new PluginSettings(countingDatabase, () => isListening)
    const readCached = () => cachedSettings.getValue(plugin, settings, key)
    for (const prefix of ['H-', 'I-']) {
      await writeRow(prefix)
      assert.equal(await readCached(), prefix)
    }
    assert.equal(statements, 2)
    isListening = true
    await readCached()
    await readCached()
    assert.equal(statements, 3)
    // a value invalidated while it is read is not cached
    cachedSettings.invalidate()
    const before = readCached()
    cachedSettings.invalidate()
    await before
    await readCached()
    assert.equal(statements, 5)
    await assert.rejects(cachedSettings.getValue(plugin, settings, 'NONE'), /unknown setting NONE/)
  })
})
