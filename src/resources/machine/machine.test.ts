import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assertCallers, CALLERS, testService } from '../../testing/service.ts'
import { enqueueMachineChecks } from './run-machines.ts'

const service = await testService()
const { member, superuser, viewer, pool } = service
const MACHINES = '/api/machine/'
const accounts = CALLERS.slice(1)
const allowedCallers = { read: ['viewer', 'member', 'superuser'], change: ['member', 'superuser'] } as const
const UNKNOWN_IDS = ['5', 'abc', '0', '-1', '00000000-0000-4000-8000-000000000000', `${'0'.repeat(36)}`]

const readMachines = () => service.rows('select * from machine order by pk')
const readStoredSettings = () => service.rows('select config_type, key, value from machine_setting order by pk')

/** Inserts a machine whose driver no longer exists. */
async function insertMachine(name: string, active = true): Promise<string> {
  const text = `insert into machine (name, machine_type, driver, active) values ($1, 'label-printer', 'zebra', $2) returning id`
  return (await service.rows(text, [name, active]))[0].id
}

beforeEach(() => pool.query('delete from machine'))

describe('GET /api/machine/', () => {
  it('lists machines, active ones first, and reports missing drivers', async () => {
    const [inactiveMachine, activeMachine] = [await insertMachine('in the hall', false), await insertMachine('in the store')]
    const { results } = (await viewer.get(MACHINES)).body
    assert.deepEqual(
      results.map(({ pk }: { pk: string }) => pk),
      [activeMachine, inactiveMachine],
    )
    assert.deepEqual(results[0], {
      ...{ pk: activeMachine, name: 'in the store', machine_type: 'label-printer', driver: 'zebra', active: true },
      ...{ initialized: false, status: -1, status_model: null, status_text: '', restart_required: false },
      ...{ is_driver_available: false, machine_errors: ['Its driver is not there.'] },
    })
    const listNames = async (query: string) =>
      (await viewer.get(`${MACHINES}?${query}`)).body.results.map(({ name }: { name: string }) => name)
    assert.deepEqual(await listNames('search=hall'), ['in the hall'])
    assert.deepEqual(await listNames('active=false'), ['in the hall'])
    assert.deepEqual(await listNames('driver=other'), [])
    assert.deepEqual(await listNames('machine_type=label-printer&ordering=name'), ['in the hall', 'in the store'])
  })

  it('requires the role', () => assertCallers(service, (client) => client.get(MACHINES), allowedCallers.read))
})

describe('POST /api/machine/', () => {
  it('rejects unknown types and drivers', async () => {
    for (const [body, fields] of [
      [{}, ['name', 'machine_type', 'driver']],
      [{ name: 'one', machine_type: 'plotter', driver: 'zebra' }, ['machine_type']],
      [{ name: 'one', machine_type: 'label-printer', driver: 'zebra' }, ['driver']],
      [{ name: 'x'.repeat(256), machine_type: 'label-printer', driver: 'zebra' }, ['name']],
    ] as const) {
      const response = await member.post(MACHINES, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, fields])
    }
    assert.deepEqual(await readMachines(), [])
  })

  it('requires the role', () =>
    assertCallers(service, (client) => client.post(MACHINES, { name: 'one' }), allowedCallers.change, readMachines))
})

describe('GET /api/machine/{machine}/', () => {
  it('returns one machine', async () => {
    const pk = await insertMachine('one')
    const { body, headers } = await viewer.get(`${MACHINES}${pk}/`)
    assert.deepEqual(body, (await viewer.get(MACHINES)).body.results[0])
    assert.ok(headers.etag)
    for (const id of UNKNOWN_IDS) assert.equal((await viewer.get(`${MACHINES}${id}/`)).status, 404)
  })

  it('requires the role', async () => {
    const pk = await insertMachine('one')
    await assertCallers(service, (client) => client.get(`${MACHINES}${pk}/`), allowedCallers.read)
  })
})

for (const method of ['PUT', 'PATCH'])
  describe(`${method} /api/machine/{machine}/`, () => {
    it('changes the name and whether it is active, and nothing else', async () => {
      const pk = await insertMachine('one')
      const { status, body } = await member.send(method, `${MACHINES}${pk}/`, {
        ...{ name: 'two', active: false, machine_type: 'plotter', driver: 'other', status: 5 },
      })
      assert.equal(status, 200)
      assert.deepEqual(
        [body.pk, body.name, body.active, body.machine_type, body.driver],
        [pk, 'two', false, 'label-printer', 'zebra'],
      )
      assert.deepEqual((await viewer.get(`${MACHINES}${pk}/`)).body, body)
    })

    it('rejects a taken name, an old version, and an unknown machine', async () => {
      const [first, second] = [await insertMachine('one'), await insertMachine('two')]
      const conflict = await member.send(method, `${MACHINES}${second}/`, { name: 'one' })
      assert.deepEqual([conflict.status, Object.keys(conflict.body)], [400, ['name']])
      const { headers } = await viewer.get(`${MACHINES}${first}/`)
      await member.patch(`${MACHINES}${first}/`, { active: false })
      const staleResponse = await member.send(
        method,
        `${MACHINES}${first}/`,
        { name: 'late' },
        { 'if-match': String(headers.etag) },
      )
      assert.equal(staleResponse.status, 412)
      for (const id of UNKNOWN_IDS) assert.equal((await member.send(method, `${MACHINES}${id}/`, { name: 'x' })).status, 404)
    })

    it('requires the role', async () => {
      const pk = await insertMachine('one')
      await assertCallers(
        service,
        (client) => client.send(method, `${MACHINES}${pk}/`, { name: 'x' }),
        allowedCallers.change,
        readMachines,
      )
    })
  })

describe('DELETE /api/machine/{machine}/', () => {
  it('deletes a machine with its settings', async () => {
    const pk = await insertMachine('one')
    await member.get(`${MACHINES}${pk}/settings/`)
    assert.equal((await member.delete(`${MACHINES}${pk}/`)).status, 204)
    assert.deepEqual([await readMachines(), await readStoredSettings()], [[], []])
    assert.equal((await member.delete(`${MACHINES}${pk}/`)).status, 404)
  })

  it('requires the role', async () => {
    const pk = await insertMachine('one')
    const others = CALLERS.filter((name) => !allowedCallers.change.some((one) => one === name))
    for (const name of others)
      assert.equal((await service[name].delete(`${MACHINES}${pk}/`)).status, name === 'anonymous' ? 401 : 403)
    assert.equal((await readMachines()).length, 1)
    assert.equal((await superuser.delete(`${MACHINES}${pk}/`)).status, 204)
  })
})

describe('POST /api/machine/{machine}/restart/', () => {
  it('reports that no driver was started', async () => {
    const pk = await insertMachine('one')
    const { status, body } = await member.post(`${MACHINES}${pk}/restart/`)
    assert.deepEqual([status, body], [200, { ok: false }])
    for (const id of UNKNOWN_IDS) assert.equal((await member.post(`${MACHINES}${id}/restart/`)).status, 404)
  })

  it('requires the role', async () => {
    const pk = await insertMachine('one')
    await assertCallers(service, (client) => client.post(`${MACHINES}${pk}/restart/`), allowedCallers.change)
  })
})

describe('GET /api/machine/types/', () => {
  it('lists the supported types of machines', async () => {
    const { body } = await service.nobody.get(`${MACHINES}types/`)
    assert.deepEqual(
      body.map(({ slug, is_builtin }: { slug: string; is_builtin: boolean }) => [slug, is_builtin]),
      [['label-printer', true]],
    )
  })

  it('requires an account', () => assertCallers(service, (client) => client.get(`${MACHINES}types/`), accounts))
})

describe('GET /api/machine/drivers/', () => {
  it('lists the drivers of running plugins, all or of one type', async () => {
    const listSlugs = async (query: string) =>
      (await service.nobody.get(`${MACHINES}drivers/${query}`)).body.map(({ slug }: { slug: string }) => slug)
    assert.deepEqual(await listSlugs(''), ['zpl', 'ipp'])
    assert.deepEqual(await listSlugs('?machine_type=label-printer'), ['zpl', 'ipp'])
    assert.deepEqual(await listSlugs('?machine_type=plotter'), [])
  })

  it('requires an account', () => assertCallers(service, (client) => client.get(`${MACHINES}drivers/`), accounts))
})

describe('GET /api/machine/status/', () => {
  it('reports active machines without a driver', async () => {
    await insertMachine('off', false)
    assert.deepEqual((await service.nobody.get(`${MACHINES}status/`)).body, { registry_errors: [] })
    await insertMachine('one')
    const { registry_errors: errors } = (await service.nobody.get(`${MACHINES}status/`)).body
    assert.deepEqual(errors, [{ message: 'one: its driver zebra is missing' }])
  })

  it('requires an account', () => assertCallers(service, (client) => client.get(`${MACHINES}status/`), accounts))
})

const LOCATION = {
  ...{ key: 'LOCATION', value: '', name: 'Printer Location', description: 'The location of the printer.' },
  ...{ type: 'related field', choices: '[]', model_name: 'stock.stocklocation', api_url: '/api/stock/location/' },
  ...{ typ: 'machine_config', required: false, config_type: 'M' },
}

describe('GET /api/machine/{machine}/settings/', () => {
  it('lists the settings of its type', async () => {
    const pk = await insertMachine('one')
    const { body } = await viewer.get(`${MACHINES}${pk}/settings/`)
    assert.deepEqual(body, [{ pk: body[0].pk, ...LOCATION }])
    assert.deepEqual((await viewer.get(`${MACHINES}${pk}/settings/`)).body, body)
    for (const id of UNKNOWN_IDS) assert.equal((await viewer.get(`${MACHINES}${id}/settings/`)).status, 404)
  })

  it('requires the role', async () => {
    const pk = await insertMachine('one')
    await assertCallers(service, (client) => client.get(`${MACHINES}${pk}/settings/`), allowedCallers.read)
  })
})

describe('GET /api/machine/{machine}/settings/{config_type}/{key}/', () => {
  it('returns one of the settings', async () => {
    const pk = await insertMachine('one')
    const { body } = await viewer.get(`${MACHINES}${pk}/settings/M/LOCATION/`)
    assert.deepEqual(body, { pk: body.pk, ...LOCATION })
    for (const setting of ['D/LOCATION', 'M/OTHER', 'X/LOCATION', 'M/constructor'])
      assert.equal((await viewer.get(`${MACHINES}${pk}/settings/${setting}/`)).status, 404)
  })

  it('requires the role', async () => {
    const pk = await insertMachine('one')
    await assertCallers(service, (client) => client.get(`${MACHINES}${pk}/settings/M/LOCATION/`), allowedCallers.read)
  })
})

for (const method of ['PUT', 'PATCH'])
  describe(`${method} /api/machine/{machine}/settings/{config_type}/{key}/`, () => {
    it('sets the value for this machine', async () => {
      const [first, second] = [await insertMachine('one'), await insertMachine('two')]
      const getSettingUrl = (pk: string) => `${MACHINES}${pk}/settings/M/LOCATION/`
      for (const value of [7, '8']) {
        const { status, body } = await member.send(method, getSettingUrl(first), { value })
        assert.deepEqual([status, body.value], [200, String(value)])
      }
      assert.equal((await viewer.get(getSettingUrl(first))).body.value, '8')
      assert.equal((await viewer.get(getSettingUrl(second))).body.value, '')
    })

    it('rejects an invalid key of an object, and stores nothing', async () => {
      const pk = await insertMachine('one')
      for (const value of ['hall', -1, {}]) {
        const response = await member.send(method, `${MACHINES}${pk}/settings/M/LOCATION/`, { value })
        assert.deepEqual([response.status, Object.keys(response.body)], [400, ['value']])
      }
      assert.deepEqual(await readStoredSettings(), [])
      assert.equal((await member.send(method, `${MACHINES}${pk}/settings/D/LOCATION/`, { value: 1 })).status, 404)
    })

    it('requires the role', async () => {
      const pk = await insertMachine('one')
      const setLocation = (client: (typeof service)['member']) =>
        client.send(method, `${MACHINES}${pk}/settings/M/LOCATION/`, { value: 1 })
      await assertCallers(service, setLocation, allowedCallers.change, readStoredSettings)
    })
  })

describe('the status checks of machines', () => {
  it('are not queued while MACHINE_PING_ENABLED is off', async () => {
    const setPing = async (value: boolean) =>
      assert.equal((await superuser.patch('/api/settings/global/MACHINE_PING_ENABLED/', { value })).status, 200)
    await setPing(false)
    const { status, text } = await member.post(MACHINES, { name: 'pinged', machine_type: 'label-printer', driver: 'zpl' })
    assert.equal(status, 201, text)
    const [{ pk }] = await service.rows(`select pk from machine where name = 'pinged'`)
    const countChecks = async () =>
      (
        await service.rows(
          `select count(*)::integer as count from pgboss.job where (data->>'looks')::boolean and (data->>'machine')::integer = $1`,
          [pk],
        )
      )[0].count
    await enqueueMachineChecks(service.app.routes.services)
    assert.equal(await countChecks(), 0)
    await setPing(true)
    await enqueueMachineChecks(service.app.routes.services)
    assert.equal(await countChecks(), 1)
  })
})
