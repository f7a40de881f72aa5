import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { globalSettings } from '../../settings/registry.ts'
import type { Setting } from '../../settings/setting.ts'
import { testService } from '../../testing/service.ts'
import { recordSettingChange } from './record-setting-change.ts'

const service = await testService()
const { database } = service.app.routes.services

describe('recordSettingChange', () => {
  it('masks confidential values, and shows whether there was one', async () => {
    const [key] = Object.entries<Setting>(globalSettings).find(([, { confidential }]) => confidential) ?? []
    assert.ok(key)
    for (const [before, after] of [
      ['', 'first secret'],
      ['first secret', 'second secret'],
      ['second secret', ''],
    ] as const)
      await database.transaction((tx) => recordSettingChange({ tx }, { key, value: before }, { value: after }))
    const rows = await service.rows(`select details from security_event where kind = 'setting_changed' order by pk`)
    assert.deepEqual(
      rows.map(({ details }) => details),
      [
        { key, before: '', after: '***' },
        { key, before: '***', after: '***' },
        { key, before: '***', after: '' },
      ],
    )
  })
})
