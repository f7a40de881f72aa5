import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PluginSettings, toSettings } from '../../plugin-host/plugin-settings.ts'
import { waitForListeners } from '../../testing/listeners-caught-up.ts'
import { startSecondNode } from '../../testing/second-node.ts'
import { testService } from '../../testing/service.ts'
import { getRegistry } from './registry-of.ts'

const service = await testService()
const { services } = service.app.routes
const plugin = 'inventreebarcode'
const key = 'SHORT_BARCODE_PREFIX'
const settings = toSettings(getRegistry(services).manifest(plugin)?.settings ?? {})
const pk = (await service.rows('select pk from plugin_config where key = $1', [plugin]))[0].pk
const readValue = () => getRegistry(services).settings.getValue(plugin, settings, key)
const set = async (value: string) => {
  const { status } = await service.staff.patch(`/api/plugins/settings/${plugin}/${key}/`, { value })
  assert.equal(status, 200)
}
const write = (value: string) =>
  service.rows(
    `insert into plugin_setting (plugin, key, value) values ($1, $2, $3)
     on conflict (plugin, key) do update set value = excluded.value`,
    [pk, key, value],
  )

describe('the cache of plugin settings', () => {
  it('has a new value before the change is responded to', async () => {
    assert.equal(await readValue(), 'INV-')
    for (const value of ['A-', 'B-', 'C-']) {
      await set(value)
      assert.equal(await readValue(), value)
    }
  })

  it('has changes by another node or directly in the database, once announced', async () => {
    const other = await startSecondNode(service)
    const there = () => getRegistry(other.routes.services).settings.getValue(plugin, settings, key)
    const hears = () => waitForListeners({ app: other, pool: service.pool })
    for (const value of ['D-', 'E-']) {
      await there()
      await set(value)
      await hears()
      assert.equal(await there(), value)
    }
    await write('F-')
    await hears()
    assert.equal(await there(), 'F-')
    await service.rows('delete from plugin_setting where plugin = $1', [pk])
    await hears()
    assert.equal(await there(), 'INV-')
    await there()
    await write('G-')
    await service.rows('truncate plugin_setting')
    await hears()
    assert.equal(await there(), 'INV-')
  })

  it('reads each time while the listener is disconnected, and otherwise once', async () => {
    let statements = 0
    const counting = Object.assign(Object.create(services.database), {
      read: (statement: Parameters<typeof services.database.read>[0]) => {
        statements++
        return services.database.read(statement)
      },
    })
    let hears = false
    const memory = new PluginSettings(counting, () => hears)
    const value = () => memory.getValue(plugin, settings, key)
    for (const prefix of ['H-', 'I-']) {
      await write(prefix)
      assert.equal(await value(), prefix)
    }
    assert.equal(statements, 2)
    hears = true
    await value()
    await value()
    assert.equal(statements, 3)
    // a value invalidated while it is read is not cached
    memory.invalidate()
    const before = value()
    memory.invalidate()
    await before
    await value()
    assert.equal(statements, 5)
    await assert.rejects(memory.getValue(plugin, settings, 'NONE'), /unknown setting NONE/)
  })
})
