import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'
import { maskValue, recordSettingChange } from './record-setting-change.ts'

const service = await testService()
const { database } = service.app.routes.services
const key = 'INVENTREE_COMPANY_NAME'

describe('recordSettingChange', () => {
  it('records the values before and after, and nothing if they are equal', async () => {
    for (const [before, after] of [
      ['', 'Alder'],
      ['Alder', 'Alder'],
      ['Alder', 'Birch'],
    ] as const)
      await database.transaction((tx) => recordSettingChange({ tx }, { key, value: before }, { value: after }))
    const rows = await service.rows(`select details from security_event where kind = 'setting_changed' order by pk`)
    assert.deepEqual(
      rows.map(({ details }) => details),
      [
        { key, before: '', after: 'Alder' },
        { key, before: 'Alder', after: 'Birch' },
      ],
    )
  })

  it('shows of a confidential value only whether there is one', () =>
    assert.deepEqual(['', 'secret'].map(maskValue), ['', '***']))
})
