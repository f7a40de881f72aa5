import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { member, viewer } = service
const { body: machine } = await member.post('/api/machine/', { name: 'Goods in', machine_type: 'label-printer', driver: 'zpl' })
const path = `/api/web/machines/${machine.pk}/settings/`

describe('GET /api/web/machines/{machine}/settings/', () => {
  it('has the settings of the type and of the driver, with their limits', async () => {
    const { body } = await viewer.get(path)
    const find = (key: string) => body.find((setting: { key: string }) => setting.key === key)
    assert.deepEqual(
      body.map(({ config_type, key }: { config_type: string; key: string }) => `${config_type} ${key}`),
      ['M LOCATION', 'D HOST', 'D PORT', 'D DPI', 'D FORM', 'D DITHER', 'D THRESHOLD'],
    )
    assert.deepEqual(find('PORT'), {
      ...{ key: 'PORT', name: 'Port', description: 'The port of the printer.', type: 'integer', units: '', min: 1, max: 65_535 },
      ...{ choices: [], model: null, api_url: null, value: '9100', default: '9100', is_changed: false, is_secret: false },
      ...{ required: false, config_type: 'D' },
    })
    assert.deepEqual(
      [find('HOST').required, find('LOCATION').model, find('FORM').choices.length],
      [true, 'stock.stocklocation', 2],
    )
  })

  it('has a changed value, which is a security event', async () => {
    await member.patch(`/api/machine/${machine.pk}/settings/D/PORT/`, { value: 9101 })
    const { body } = await viewer.get(path)
    assert.deepEqual(
      body.filter(({ is_changed }: { is_changed: boolean }) => is_changed).map(({ value }: { value: string }) => value),
      ['9101'],
    )
    assert.deepEqual(await service.rows(`select actor, details from security_event where kind = 'setting_changed'`), [
      { actor: service.getPk('member'), details: { machine: 'Goods in', key: 'PORT', before: '9100', after: '9101' } },
    ])
  })

  it('requires the role, and a machine', async () => {
    await assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser'])
    assert.equal((await viewer.get('/api/web/machines/00000000-0000-4000-8000-000000000000/settings/')).status, 404)
  })
})
