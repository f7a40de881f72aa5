import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createFilesFolder } from '../../../../testing/files.ts'
import { getEmptyStatement, refill } from '../../../../testing/refill.ts'
import { assertCallers, testService } from '../../../../testing/service.ts'
import { waitUntil } from '../../../../testing/until.ts'
import { sweep } from '../../../background-task/housekeeping.ts'
import { enqueueDueStocktake } from './runs.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, superuser, viewer, app } = service
const { services } = app.routes
const REPORTS = '/api/part/stocktake/report/'
const PATH = `${REPORTS}generate/`
const today = new Date().toISOString().slice(0, 10)

const changeSetting = (key: string, value: unknown) => superuser.patch(`/api/settings/global/${key}/`, { value })
const readEntries = () =>
  service.rows(`select part, item_count, quantity::float as quantity, cost_min::float as cost_min, cost_max::float as cost_max,
    cost_min_currency as currency, "user" from part_stocktake order by part`)
const waitUntilDone = () =>
  waitUntil(
    async () => (await service.rows('select from stocktake_run where finished is null')).length === 0,
    'the stocktake does not finish',
  )
const generate = async (body: object) => {
  const response = await member.post(PATH, body)
  assert.equal(response.status, 201, response.text)
  await waitUntilDone()
  return response.body
}
/** Reads the newest report, line by line. */
const readReport = async () => {
  const [{ report }] = (await member.get(REPORTS)).body.results
  return (await viewer.get(new URL(report).pathname)).text.trim().split('\r\n')
}

const EMPTIED_TABLES = [
  ...['part', 'part_category', 'stock_location', 'stock_item', 'part_stocktake', 'part_stocktake_report', 'stocktake_run'],
  ...['currency_rate', 'notification', 'notice'],
]

beforeEach(async () => {
  await refill(
    service,
    `
    ${await getEmptyStatement(service, ...EMPTIED_TABLES)};
    insert into part_category (pk, name, parent) overriding system value values (1, 'All', null), (2, 'Small', 1), (3, 'Large', 1);
    insert into stock_location (pk, name, parent, external) overriding system value values
      (1, 'House', null, false), (2, 'Shelf', 1, false), (3, 'Shed', null, true);
    insert into part (pk, name, description, category, is_template, variant_of) overriding system value values
      (1, 'Bolt', '=1+1', 2, false, null), (2, 'Chair, large', 'with "arms"', 3, true, null), (3, 'Red chair', '', 3, false, 2),
      (4, 'Gone', '', 2, false, null);
    insert into part_pricing (part, currency, overall_min, overall_max, override_min_currency, override_max_currency) values
      (1, 'USD', 2, 3, 'USD', 'USD'), (3, 'USD', 10, null, 'USD', 'USD');
    insert into currency_rate (base, currency, rate) values ('USD', 'EUR', 0.5);
    insert into stock_item (part, quantity, location, status, purchase_price, purchase_price_currency) values
      (1, 10, 2, 10, 1.5, 'EUR'), (1, 4, 3, 10, null, 'USD'), (1, 100, 2, 65, 1, 'USD'), (2, 1, 1, 10, 7, 'GBP'), (3, 2, null, 10, 0, 'USD'),
      (4, 0, 2, 10, 1, 'USD');
    -- keeps the prices that are inserted above
    delete from part_price_due`,
  )
  await changeSetting('STOCKTAKE_ENABLE', true)
  await changeSetting('STOCKTAKE_EXCLUDE_EXTERNAL', false)
  await changeSetting('STOCKTAKE_AUTO_DAYS', 0)
})
const user = service.getPk('member')
const currency = 'USD'

describe('POST /api/part/stocktake/report/generate/', () => {
  it('counts the stock of each part and its value, and notifies the caller', async () => {
    const stocktakeRequest = await generate({})
    assert.deepEqual(stocktakeRequest, {
      part: null,
      category: null,
      location: null,
      exclude_external: false,
      generate_report: true,
      update_parts: true,
    })
    assert.deepEqual(await readEntries(), [
      { part: 1, item_count: 2, quantity: 14, cost_min: 38, cost_max: 42, currency, user },
      { part: 2, item_count: 1, quantity: 1, cost_min: 0, cost_max: 0, currency, user },
      { part: 3, item_count: 1, quantity: 2, cost_min: 20, cost_max: 20, currency, user },
    ])
    const days = await service.rows('select pk, last_stocktake::text as day from part order by pk')
    assert.deepEqual(
      days.map(({ day }) => day),
      [today, today, today, null],
    )
    assert.deepEqual(await readReport(), [
      'Part ID,Part Name,Part Description,Category ID,Category Name,Stock Items,Total Quantity,Total Cost Min (USD),Total Cost Max (USD)',
      "1,Bolt,'=1+1,2,Small,2,14,38,42",
      '2,"Chair, large","with ""arms""",3,Large,1,1,0,0',
      '3,Red chair,,3,Large,1,2,20,20',
    ])
    await waitUntil(async () => (await member.get('/api/notifications/')).body.count === 1, 'the caller is not notified')
    const [{ category, target }] = (await member.get('/api/notifications/')).body.results
    const [storedReport] = (await member.get(REPORTS)).body.results
    assert.deepEqual(
      [category, target.pk, storedReport.part_count, storedReport.date],
      ['generate_stocktake_report', storedReport.pk, 3, today],
    )
    assert.deepEqual(
      [storedReport.user, storedReport.user_detail.username, new URL(storedReport.report).pathname],
      [user, 'member', target.link],
    )
  })

  it('excludes external stock if the body says so, or if the body omits it and the setting says so', async () => {
    const readQuantities = async () => (await readEntries()).map(({ quantity }) => quantity)
    await generate({ exclude_external: true, part: 1 })
    assert.deepEqual(await readQuantities(), [10])
    await changeSetting('STOCKTAKE_EXCLUDE_EXTERNAL', true)
    await generate({ part: 1 })
    await generate({ part: 1, exclude_external: false })
    assert.deepEqual(await readQuantities(), [10, 10, 14])
  })

  it('filters by a part with its variants, a category with its subcategories, a location with its child locations', async () => {
    const listCountedParts = async (body: object) => {
      await service.rows('truncate part_stocktake')
      await generate(body)
      return (await readEntries()).map(({ part }) => part)
    }
    assert.deepEqual(await listCountedParts({ part: 2 }), [2, 3])
    assert.deepEqual(await listCountedParts({ category: 2 }), [1])
    assert.deepEqual(await listCountedParts({ category: 1 }), [1, 2, 3])
    assert.deepEqual(await listCountedParts({ location: 1 }), [1, 2])
    // the report covers the location, the entry the total
    assert.equal((await readReport())[1], "1,Bolt,'=1+1,2,Small,1,10,30,30")
    assert.deepEqual((await readEntries())[0].quantity, 14)
    assert.deepEqual(await listCountedParts({ category: 3, location: 1 }), [2])
  })

  it('reports that there is nothing to count', async () => {
    for (const body of [
      { category: 3, location: 2 },
      { part: 4 },
      { part: 1, category: 3 },
      { location: 3, exclude_external: true },
      { part: 3, location: 1 },
    ]) {
      const response = await member.post(PATH, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['non_field_errors']], JSON.stringify(body))
      assert.match(response.text, /nothing to count/)
    }
    assert.equal((await service.rows('select pk from stocktake_run')).length, 0)
  })

  it('creates only a report, or only entries', async () => {
    await generate({ update_parts: false })
    assert.deepEqual([(await readEntries()).length, (await member.get(REPORTS)).body.count], [0, 1])
    assert.equal((await service.rows('select from part where last_stocktake is not null')).length, 0)
    await generate({ generate_report: false })
    assert.deepEqual([(await readEntries()).length, (await member.get(REPORTS)).body.count], [3, 1])
  })

  it('rejects requests while STOCKTAKE_ENABLE is off, and unknown parts and locations', async () => {
    assert.deepEqual(Object.keys((await member.post(PATH, { part: 99 })).body), ['part'])
    assert.deepEqual(Object.keys((await member.post(PATH, { location: 'x' })).body), ['location'])
    await changeSetting('STOCKTAKE_ENABLE', false)
    const { status, body } = await member.post(PATH, {})
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
    assert.equal((await service.rows('select from stocktake_run')).length, 0)
  })

  it('is retried soon after its node dies', async () => {
    const stocktakeRequest = {
      part: 1,
      category: null,
      location: null,
      exclude_external: false,
      generate_report: false,
      update_parts: true,
    }
    const [{ pk }] = await service.rows('insert into stocktake_run (asked, is_automatic) values ($1, false) returning pk', [
      stocktakeRequest,
    ])
    await service.rows(
      `insert into pgboss.job (name, data, state, started_on, retry_limit, expire_seconds, heartbeat_on, heartbeat_seconds)
       select name, json_build_object('run', $1::integer), 'active', attempt.started, retry_limit, expire_seconds, attempt.started, heartbeat_seconds
       from pgboss.queue, (select now() - interval '1 minute') as attempt (started) where name = 'stocktake'`,
      [pk],
    )
    await waitUntil(async () => (await readEntries()).length === 1, 'no node retries it', 60_000)
  })

  it('requires the permissions of the stocktake role', async () => {
    await assertCallers(
      service,
      (client) => client.post(PATH, { part: 1 }),
      ['member', 'superuser'],
      () => service.rows('select pk from stocktake_run'),
    )
    await assertCallers(service, (client) => client.get(REPORTS), ['viewer', 'member', 'superuser'])
    await waitUntilDone()
  })
})

describe('POST /api/part/stocktake/generate/', () => {
  const OTHER_PATH = '/api/part/stocktake/generate/'

  it('does nothing unless entries or a report are requested', async () => {
    const { status, body } = await member.post(OTHER_PATH, {})
    assert.deepEqual([status, body], [200, { part: null, category: null, location: null, output: null }])
    assert.equal((await service.rows('select from stocktake_run')).length, 0)
    await member.post(OTHER_PATH, { part: 2, generate_entry: true })
    await waitUntilDone()
    assert.deepEqual([(await readEntries()).length, (await member.get(REPORTS)).body.count], [2, 0])
    await member.post(OTHER_PATH, { category: 2, generate_report: true })
    await waitUntilDone()
    assert.deepEqual([(await readEntries()).length, (await member.get(REPORTS)).body.count], [2, 1])
  })

  it('rejects what the other path rejects', async () => {
    assert.deepEqual(Object.keys((await member.post(OTHER_PATH, { part: 99 })).body), ['part'])
    assert.equal((await member.post(OTHER_PATH, { part: 4, generate_entry: true })).status, 400)
    await changeSetting('STOCKTAKE_ENABLE', false)
    assert.equal((await member.post(OTHER_PATH, { generate_entry: true })).status, 400)
    assert.equal((await service.rows('select from stocktake_run')).length, 0)
  })

  it('requires the permission to add stocktakes', () =>
    assertCallers(service, (client) => client.post(OTHER_PATH, {}), ['member', 'superuser']))
})

describe('STOCKTAKE_AUTO_DAYS', () => {
  const countAutomatic = async () => (await service.rows('select pk from stocktake_run where is_automatic order by pk')).length

  it('makes one node start a stocktake of all parts once the last automatic one is old enough', async () => {
    await enqueueDueStocktake(services)
    assert.equal(await countAutomatic(), 0)
    await generate({ generate_report: false })
    await changeSetting('STOCKTAKE_AUTO_DAYS', 7)
    await Promise.all([1, 2, 3].map(() => enqueueDueStocktake(services)))
    await waitUntilDone()
    assert.equal(await countAutomatic(), 1)
    const [storedReport] = (await member.get(REPORTS)).body.results
    assert.deepEqual([storedReport.user, storedReport.part_count], [null, 3])
    assert.equal((await service.rows('select from notice')).length, 0)

    await service.rows(`update stocktake_run set requested = now() - interval '6 days 23 hours'`)
    await enqueueDueStocktake(services)
    assert.equal(await countAutomatic(), 1)
    await service.rows(`update stocktake_run set requested = now() - interval '7 days 1 minute'`)
    await enqueueDueStocktake(services)
    await waitUntilDone()
    assert.equal(await countAutomatic(), 2)
    await changeSetting('STOCKTAKE_ENABLE', false)
    await service.rows(`update stocktake_run set requested = now() - interval '8 days'`)
    await enqueueDueStocktake(services)
    assert.equal(await countAutomatic(), 2)
  })
})

describe('STOCKTAKE_DELETE_REPORT_DAYS', () => {
  it('deletes reports with their files, and finished runs, except the last automatic one', async () => {
    await generate({})
    await changeSetting('STOCKTAKE_AUTO_DAYS', 30)
    await enqueueDueStocktake(services)
    await waitUntilDone()
    const [, first] = (await member.get(REPORTS)).body.results
    await service.rows(`update part_stocktake_report set date = current_date - 31 where pk = $1`, [first.pk])
    await service.rows(`update stocktake_run set requested = now() - interval '31 days'`)
    await sweep(services)
    assert.equal((await member.get(REPORTS)).body.count, 1)
    assert.equal((await viewer.get(new URL(first.report).pathname)).status, 404)
    assert.deepEqual(await service.rows('select is_automatic from stocktake_run'), [{ is_automatic: true }])
  })
})
