import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const PATH = '/api/web/setup/'

const readSteps = async () => (await service.viewer.get(PATH)).body
const changed = async (act: () => Promise<{ status: number; text: string }>, step: string) => {
  const before = await readSteps()
  assert.equal(before[step], false, step)
  const { status, text } = await act()
  assert.ok(status < 300, text)
  assert.deepEqual(await readSteps(), { ...before, [step]: true })
}
const post = (path: string, body: object) => () => service.superuser.post(path, body)

describe('GET /api/web/setup/', () => {
  it('derives each step from the data', async () => {
    // the callers of the tests are people
    await service.rows('update user_account set is_active = username = $1', ['viewer'])
    service.app.routes.services.accounts.invalidate()
    assert.deepEqual(await readSteps(), {
      is_dismissed: false,
      identity: false,
      registration: false,
      currency: false,
      locations: false,
      categories: false,
      parts: false,
      people: false,
      printer: false,
      backup: false,
    })
    await service.rows('update user_account set is_active = true where is_superuser')
    service.app.routes.services.accounts.invalidate()
    assert.equal((await readSteps()).people, true)
    const change = (key: string, value: unknown) => () => service.superuser.patch(`/api/settings/global/${key}/`, { value })
    await changed(change('INVENTREE_INSTANCE', 'Songbird'), 'identity')
    await changed(change('LOGIN_SIGNUP_MAIL_RESTRICTION', '@songbird.example'), 'registration')
    await change('LOGIN_SIGNUP_MAIL_RESTRICTION', '')()
    await changed(change('LOGIN_ENABLE_REG', false), 'registration')
    await changed(post('/api/stock/location/', { name: 'Shelf' }), 'locations')
    await changed(post('/api/part/category/', { name: 'Screws' }), 'categories')
    const [{ pk: category }] = await service.rows('select pk from part_category')
    await changed(post('/api/part/', { name: 'M3 x 10', category }), 'parts')
    await changed(() => service.superuser.patch('/api/settings/global/INVENTREE_BACKUP_ENABLE/', { value: true }), 'backup')
    assert.equal((await readSteps()).printer, false)
    await service.rows(`insert into machine (name, machine_type, driver) values ('Zebra', 'label-printer', 'zebra')`)
    assert.equal((await readSteps()).printer, true)
    await changed(() => service.superuser.patch('/api/settings/global/INVENTREE_DEFAULT_CURRENCY/', { value: 'EUR' }), 'currency')
  })

  it('counts the currency as settled once a company has one, and a printer only while it is active', async () => {
    await service.superuser.patch('/api/settings/global/INVENTREE_DEFAULT_CURRENCY/', { value: 'USD' })
    await changed(post('/api/company/', { name: 'Brightwell Components' }), 'currency')
    await service.rows('update machine set active = false')
    assert.equal((await readSteps()).printer, false)
  })

  it('rejects anonymous callers', async () => {
    assert.equal((await service.anonymous.get(PATH)).status, 401)
  })
})

describe('PATCH /api/web/setup/', () => {
  it('requires staff', async () => {
    await service.rows('update user_account set is_active = true')
    service.app.routes.services.accounts.invalidate()
    await assertCallers(service, (client) => client.patch(PATH, { is_dismissed: false }), ['staff', 'superuser'])
  })

  it('dismisses the checklist for everyone, and shows it again', async () => {
    for (const is_dismissed of [true, false]) {
      const { status, body } = await service.staff.patch(PATH, { is_dismissed })
      assert.deepEqual([status, body.is_dismissed], [200, is_dismissed])
      assert.deepEqual(await readSteps(), body)
    }
  })

  it('rejects a body without a value, or with another one, and changes nothing', async () => {
    for (const body of [{}, { is_dismissed: null }, { is_dismissed: 'perhaps' }])
      assert.equal((await service.staff.patch(PATH, body)).status, 400, JSON.stringify(body))
    assert.equal((await readSteps()).is_dismissed, false)
  })

  it('does not show the dismissal among the settings', async () => {
    assert.equal((await service.staff.get('/api/settings/global/_SETUP_DISMISSED/')).status, 404)
  })
})
