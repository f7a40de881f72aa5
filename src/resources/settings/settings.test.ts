import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const { staff, viewer, nobody, superuser } = service
const globalPath = '/api/settings/global/'
const userPath = '/api/settings/user/'
const readValue = async (key: string) => (await staff.get(`${globalPath}${key}/`)).body.value

describe('GET /api/settings/global/', () => {
  it('lists every setting, pages and searches by key', async () => {
    const all = (await staff.get(globalPath)).body
    assert.equal(all.count, all.results.length)
    assert.ok(all.count > 100)
    const listBody = (await staff.get(`${globalPath}?search=purchaseorder&ordering=-key&limit=2`)).body
    assert.equal(listBody.results.length, 2)
    assert.ok(listBody.results[0].key > listBody.results[1].key)
    assert.ok(listBody.results.every(({ key }: { key: string }) => key.includes('PURCHASEORDER')))
  })

  it('returns options and references as strings, and as lists and null to existing clients', async () => {
    const existing = await testService({ WIRE_FORM: 'inventree' })
    for (const [path, key, freeValue] of [
      [globalPath, 'REPORT_DEFAULT_PAGE_SIZE', 'PART_ASSEMBLY'],
      [userPath, 'DATE_DISPLAY_FORMAT', 'STICKY_HEADER'],
    ] as const) {
      const readChoices = async (target: typeof service, name: string) => {
        const listed = (await target.staff.get(`${path}?search=${name}&limit=1`)).body.results[0]
        const setting = (await target.staff.get(`${path}${name}/`)).body
        assert.deepEqual(setting, listed)
        const emptyValue = target === service ? '' : null
        assert.deepEqual([setting.model_name, setting.api_url], [emptyValue, emptyValue])
        return setting.choices
      }
      const lists = await readChoices(existing, key)
      assert.ok(lists.length > 2 && lists.every((entry: object) => 'value' in entry && 'display_name' in entry))
      assert.equal(await readChoices(service, key), JSON.stringify(lists))
      assert.deepEqual([await readChoices(existing, freeValue), await readChoices(service, freeValue)], [[], '[]'])
    }
  })

  it('requires staff', () => assertCallers(service, (client) => client.get(globalPath), ['staff', 'superuser']))
})

describe('PATCH /api/settings/global/{key}/', () => {
  const key = 'PURCHASEORDER_REFERENCE_PATTERN'

  it('takes effect immediately: in the list, in the detail and in the code', async () => {
    for (const value of ['ORDER-{ref:03d}', 'PO-{ref:04d}']) {
      const changed = await staff.patch(`${globalPath}${key}/`, { value })
      assert.equal(changed.status, 200)
      assert.equal(changed.body.value, value)
      assert.equal(await readValue(key), value)
      const listed = (await staff.get(`${globalPath}?search=${key}`)).body.results[0]
      assert.equal(listed.value, value)
    }
  })

  it('shows every concurrent change to its own caller', async () => {
    const keys = ['STOCK_STALE_DAYS', 'STOCKTAKE_AUTO_DAYS', 'PRICING_UPDATE_DAYS', 'STOCKTAKE_DELETE_REPORT_DAYS']
    await Promise.all(
      keys.map(async (name, index) => {
        const value = String(20 + index)
        assert.equal((await staff.patch(`${globalPath}${name}/`, { value })).status, 200)
        assert.equal((await staff.get(`${globalPath}?search=${name}`)).body.results[0].value, value)
      }),
    )
  })

  it('rejects invalid values, naming the field, and changes nothing', async () => {
    const bad: [string, unknown][] = [
      [key, 'no number'],
      [key, '{ref}{ref}'],
      ['INVENTREE_DEFAULT_CURRENCY', 'XYZ'],
      ['STOCK_STALE_DAYS', 'soon'],
      ['STOCK_STALE_DAYS', '99999999999999999999'],
      ['PURCHASEORDER_AUTO_COMPLETE', 'perhaps'],
      ['PART_IPN_REGEX', '('],
      ['PART_IPN_REGEX', 'x'.repeat(3000)],
      [key, { a: 1 }],
    ]
    for (const [name, value] of bad) {
      const before = await readValue(name)
      const response = await staff.patch(`${globalPath}${name}/`, { value })
      assert.equal(response.status, 400, `${name} ${value}`)
      assert.deepEqual(Object.keys(response.body), ['value'])
      assert.equal(await readValue(name), before)
    }
  })

  it('accepts a boolean for a boolean setting', async () => {
    assert.equal((await staff.put(`${globalPath}PURCHASEORDER_AUTO_COMPLETE/`, { value: false })).body.value, 'False')
    assert.equal((await staff.patch(`${globalPath}PURCHASEORDER_AUTO_COMPLETE/`, { value: 'true' })).body.value, 'True')
  })

  it('returns 404 for unknown keys', async () => {
    for (const name of ['NONSENSE', '1', '_SECRET', '%00'])
      assert.equal((await staff.get(`${globalPath}${name}/`)).status, 404, name)
  })

  it('records a change as a security event, and nothing if nothing changes or the value is rejected', async () => {
    const events = () =>
      service.rows(`select details from security_event where kind = 'setting_changed' and details ->> 'key' = $1`, [key])
    const [before, initial] = [await events(), await readValue(key)]
    await staff.patch(`${globalPath}${key}/`, { value: initial })
    await staff.patch(`${globalPath}${key}/`, { value: 'without a number' })
    assert.deepEqual(await events(), before)
    await staff.patch(`${globalPath}${key}/`, { value: 'B-{ref:05d}' })
    assert.deepEqual((await events()).slice(before.length), [{ details: { key, before: initial, after: 'B-{ref:05d}' } }])
    await staff.patch(`${globalPath}${key}/`, { value: initial })
  })

  it('requires staff', () =>
    assertCallers(
      service,
      (client) => client.patch(`${globalPath}${key}/`, { value: 'PO-{ref:04d}' }),
      ['staff', 'superuser'],
      () => readValue(key),
    ))
})

for (const [key, value] of [
  ['SIGNUP_GROUP', 'members'],
  ['LOGIN_ENABLE_REG', 'False'],
  ['LOGIN_ENABLE_SSO_REG', 'True'],
  ['LOGIN_ENFORCE_MFA', 'True'],
]) {
  for (const method of ['PUT', 'PATCH'])
    describe(`${method} /api/settings/global/${key}/`, () => {
      const readEvents = () =>
        service.rows(`select actor, details from security_event where kind = 'setting_changed' order by pk`)

      it('requires a superuser for settings by which staff could gain every right', async () => {
        const before = { value: await readValue(key as string), events: await readEvents() }
        for (const name of [key, key?.toLowerCase()])
          assert.equal((await staff.send(method, `${globalPath}${name}/`, { value })).status, 403)
        assert.deepEqual({ value: await readValue(key as string), events: await readEvents() }, before)
      })

      it('records a change, and nothing if nothing changes', async () => {
        const initial = await readValue(key as string)
        const count = (await readEvents()).length
        for (const validValue of [initial, value])
          assert.equal((await superuser.send(method, `${globalPath}${key}/`, { value: validValue })).body.value, validValue)
        assert.deepEqual((await readEvents()).slice(count), [
          { actor: service.getPk('superuser'), details: { key, before: initial, after: value } },
        ])
        // directly, as the service requires a second factor of the superuser by now
        await service.rows('update setting set value = $2 where key = $1', [key, initial])
        await service.app.routes.services.settings.reload()
      })
    })
}

describe('changes of global settings', () => {
  const readEvents = () =>
    service.rows(`select "user", actor, details from security_event where kind = 'setting_changed' order by pk desc limit 1`)

  it('are recorded with the value before and after', async () => {
    const before = await readValue('STOCK_STALE_DAYS')
    const countEvents = async () =>
      (await service.rows(`select from security_event where details->>'key' = 'STOCK_STALE_DAYS'`)).length
    const eventCount = await countEvents()
    assert.equal((await staff.patch(`${globalPath}stock_stale_days/`, { value: '9' })).status, 200)
    const event = { user: null, actor: service.getPk('staff'), details: { key: 'STOCK_STALE_DAYS', before, after: '9' } }
    assert.deepEqual(await readEvents(), [event])
    // neither an invalid value nor the same one is a change
    assert.equal((await staff.patch(`${globalPath}STOCK_STALE_DAYS/`, { value: 'many' })).status, 400)
    assert.equal((await staff.patch(`${globalPath}STOCK_STALE_DAYS/`, { value: '9' })).status, 200)
    assert.equal(await countEvents(), eventCount + 1)
  })

  it('are not recorded for the settings of an account', async () => {
    const before = await readEvents()
    assert.equal((await viewer.patch(`${userPath}SEARCH_PREVIEW_RESULTS/`, { value: '15' })).status, 200)
    assert.deepEqual(await readEvents(), before)
  })
})

describe('/api/settings/user/', () => {
  it("returns only the caller's settings", async () => {
    const key = 'SEARCH_PREVIEW_RESULTS'
    assert.equal((await viewer.patch(`${userPath}${key}/`, { value: '20' })).body.value, '20')
    assert.equal((await viewer.get(`${userPath}${key}/`)).body.value, '20')
    assert.equal((await nobody.get(`${userPath}${key}/`)).body.value, '10')
    const listed = (await viewer.get(userPath)).body.results
    assert.ok(listed.every(({ user }: { user: number }) => user === service.getPk('viewer')))
  })

  it('requires only an account', () =>
    assertCallers(service, (client) => client.get(userPath), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('GET /api/user/roles/', () => {
  it('returns the permissions of each role', async () => {
    assert.deepEqual((await viewer.get('/api/user/roles/')).body.roles.part, ['view'])
    assert.equal((await nobody.get('/api/user/roles/')).body.roles.part, null)
    assert.deepEqual((await superuser.get('/api/user/roles/')).body.roles.admin, ['view', 'add', 'change', 'delete'])
  })
})
