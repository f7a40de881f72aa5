// Over 400 lines: changes every input of a price, one after the other, on one set of parts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createObjectsAs } from '../../../testing/objects/creates.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'
import { enqueueDuePrices, recalculateDuePrices, requestOutdatedPrices } from './price-runs.ts'

// background work is off here: a test calculates prices explicitly
const service = await testService({}, { runsBackgroundWork: false })
const { member } = service
const { services } = service.app.routes

const [{ pk: category }] = await service.rows(`insert into part_category (name) values ('All') returning pk`)
const createObject = createObjectsAs(member)
const createPart = (values: Record<string, unknown> = {}): Promise<number> => {
  const name = `Part ${Math.random()}`
  return createObject('/api/part/', { name, category, description: name, ...values })
}
const getPricingUrl = (part: number) => `/api/part/${part}/pricing/`
const readPricing = async (part: number) => (await member.get(getPricingUrl(part))).body
const setPrice = async (part: number, minimum: string, maximum = minimum) => {
  const set = await member.patch(getPricingUrl(part), { override_min: minimum, override_max: maximum })
  assert.equal(set.status, 200, set.text)
}
const createLine = (part: number, sub_part: number, quantity: number | string, more = {}): Promise<number> =>
  createObject('/api/bom/', { part, sub_part, quantity, ...more })
const changeSetting = (key: string, value: unknown) => service.staff.patch(`/api/settings/global/${key}/`, { value })
const recalculateDue = () => recalculateDuePrices(services)
const readOverall = async (part: number) => {
  const { overall_min, overall_max } = await readPricing(part)
  return [overall_min, overall_max]
}

describe('GET /api/part/{id}/pricing/', () => {
  it('returns the figures of a part, and creates them if missing', async () => {
    const [{ pk }] = await service.rows(`insert into part (name) values ('Bare') returning pk`)
    const response = await member.get(getPricingUrl(pk))
    assert.equal(response.status, 200)
    assert.deepEqual([response.body.currency, response.body.updated, response.body.overall_min], ['USD', null, null])
    assert.equal((await member.get(getPricingUrl(99_999))).status, 404)
  })
})

describe('OPTIONS /api/part/{id}/pricing/', () => {
  it('returns the currency of prices, and that only overrides are writable', async () => {
    const fields = (await member.send('OPTIONS', getPricingUrl(await createPart()))).body.actions.PUT
    assert.deepEqual([fields.currency.default, fields.scheduled_for_update.default], ['USD', false])
    const writableFields = Object.keys(fields).filter((name) => !fields[name].read_only)
    assert.deepEqual(writableFields, ['override_min', 'override_min_currency', 'override_max', 'override_max_currency', 'update'])
  })
})

describe('PATCH /api/part/{id}/pricing/', () => {
  it('recalculates all figures immediately', async () => {
    const part = await createPart()
    await member.post('/api/part/internal-price/', { part, quantity: 1, price: '3' })
    await changeSetting('PART_INTERNAL_PRICE', true)
    assert.equal((await readPricing(part)).scheduled_for_update, true)
    const { status, body } = await member.patch(getPricingUrl(part), {})
    assert.equal(status, 200)
    assert.deepEqual([body.internal_cost_min, body.overall_max, body.scheduled_for_update], ['3.000000', '3.000000', false])
    await changeSetting('PART_INTERNAL_PRICE', false)
    const without = await member.patch(getPricingUrl(part), { update: true })
    assert.deepEqual([without.body.internal_cost_min, without.body.overall_max], [null, null])
  })

  it('replaces the range with the overrides, in its currency', async () => {
    await service.staff.put('/api/currency/exchange/', { exchange_rates: { EUR: 0.8 } })
    const part = await createPart()
    const set = await member.patch(getPricingUrl(part), { override_min: '2', override_min_currency: 'EUR', override_max: '3' })
    assert.deepEqual([set.body.overall_min, set.body.overall_max], ['2.500000', '3.000000'])
    const patchResponse = await member.patch(getPricingUrl(part), { override_min: null })
    assert.deepEqual([patchResponse.body.overall_min, patchResponse.body.overall_max], [null, '3.000000'])
    const listed = (await member.get(`/api/part/${part}/`)).body
    assert.deepEqual(
      [listed.pricing_min, listed.pricing_max, listed.pricing_updated],
      [null, '3.000000', patchResponse.body.updated],
    )
  })

  it('adjusts the calculated side to the override of the other side: the minimum is never above the maximum', async () => {
    const part = await createPart()
    for (const [quantity, price] of [
      [1, '5'],
      [10, '3'],
    ])
      await member.post('/api/part/internal-price/', { part, quantity, price })
    await changeSetting('PART_INTERNAL_PRICE', true)
    for (const [body, expected] of [
      [{ override_min: '8' }, ['8.000000', '8.000000']],
      [{ override_min: '4' }, ['4.000000', '5.000000']],
      [{ override_min: null, override_max: '1' }, ['1.000000', '1.000000']],
      [{ override_max: '4' }, ['3.000000', '4.000000']],
      [{ override_max: null }, ['3.000000', '5.000000']],
    ] as const) {
      assert.equal((await member.patch(getPricingUrl(part), body)).status, 200)
      assert.deepEqual(await readOverall(part), expected)
    }
    await changeSetting('PART_INTERNAL_PRICE', false)
    // an exchange rate moves the minimum above the maximum
    await service.staff.put('/api/currency/exchange/', { exchange_rates: { EUR: 0.8 } })
    await member.patch(getPricingUrl(part), { override_min: '2', override_min_currency: 'EUR', override_max: '3' })
    await service.staff.put('/api/currency/exchange/', { exchange_rates: { EUR: 0.5 } })
    await recalculateDue()
    assert.deepEqual(await readOverall(part), ['3.000000', '4.000000'])
    await service.staff.put('/api/currency/exchange/', { exchange_rates: { EUR: 0.8 } })
  })

  it('rejects negative amounts, and a minimum above the maximum, also across currencies, reported on both', async () => {
    const part = await createPart()
    for (const wrong of [
      { override_min: '3', override_max: '2' },
      { override_min: '2', override_min_currency: 'EUR', override_max: '2' },
    ]) {
      const rejection = await member.patch(getPricingUrl(part), wrong)
      assert.deepEqual([rejection.status, Object.keys(rejection.body)], [400, ['override_min', 'override_max']])
    }
    const negative = await member.patch(getPricingUrl(part), { override_min: '-2', override_max: '-1' })
    assert.deepEqual([negative.status, Object.keys(negative.body)], [400, ['override_min', 'override_max']])
    await setPrice(part, '2')
    const rejection = await member.patch(getPricingUrl(part), { override_min: '2.1' })
    assert.equal(rejection.status, 400)
    const unknown = await member.patch(getPricingUrl(part), { override_min: '1', override_min_currency: 'NZD' })
    assert.deepEqual([unknown.status, Object.keys(unknown.body)], [400, ['override_min_currency']])
  })

  it('stores no figure above the maximum amount', async () => {
    const component = await createPart()
    const assembly = await createPart({ assembly: true })
    await createLine(assembly, component, '90000000')
    await setPrice(component, '9000000000000')
    const { status, body } = await member.patch(getPricingUrl(assembly), {})
    assert.deepEqual([status, body.bom_cost_min, body.overall_min], [200, null, null])
  })

  it('requires the permission to change parts', async () => {
    const part = await createPart()
    await assertCallers(
      service,
      (client) => client.patch(getPricingUrl(part), { override_min: '1' }),
      ['member', 'superuser'],
      () => service.rows('select * from part_pricing where part = $1', [part]),
    )
    assert.equal((await member.patch(getPricingUrl(99_999), {})).status, 404)
  })
})

describe('PUT /api/part/{id}/pricing/', () => {
  it('resets omitted overrides', async () => {
    const part = await createPart()
    await setPrice(part, '2')
    const { status, body } = await member.put(getPricingUrl(part), { override_min: '1' })
    assert.equal(status, 200)
    assert.deepEqual([body.override_min, body.override_max, body.overall_max], ['1.000000', null, null])
  })
})

describe('prices in the background', () => {
  it('are recalculated after a change of an input, upwards, each once', async () => {
    const [resistor, board, device, other] = [
      await createPart(),
      await createPart({ assembly: true }),
      await createPart({ assembly: true }),
      await createPart(),
    ]
    await createLine(board, resistor, '2.5')
    await createLine(device, board, '3')
    // the device also contains the resistor directly: two paths lead to it
    await createLine(device, resistor, '1')
    await setPrice(resistor, '1')
    await setPrice(other, '1')
    await recalculateDue()
    assert.deepEqual(
      [await readOverall(board), await readOverall(device)],
      [
        ['2.500000', '2.500000'],
        ['8.500000', '8.500000'],
      ],
    )
    await service.rows(
      `create table calculation (part integer);
       create function note_calculation() returns trigger language plpgsql as $$ begin insert into calculation values (new.part); return null; end $$;
       create trigger note_calculation after update on part_pricing for each row execute function note_calculation()`,
    )
    for (const minimum of ['2', '3', '2'])
      await member.patch(getPricingUrl(resistor), { override_min: minimum, override_max: '5' })
    await service.rows('delete from calculation')
    assert.equal(await recalculateDue(), 2)
    assert.deepEqual(await service.rows('select part from calculation order by part'), [{ part: board }, { part: device }])
    assert.deepEqual(await readOverall(device), ['17.000000', '42.500000'])
    // nothing is left to do, and an unchanged figure is not propagated
    assert.equal(await recalculateDue(), 0)
    await member.patch(getPricingUrl(board), { update: true })
    assert.equal(await recalculateDue(), 0)
    await service.rows('drop trigger note_calculation on part_pricing')
  })

  it('follow price breaks, purchases, stock, BOM lines, substitutes and part flags', async () => {
    const part = await createPart({ purchaseable: true, salable: true })
    const [supplierPart] = await service.rows(
      `with shop as (insert into company (name, is_supplier, currency) values ('Shop', true, 'USD') returning pk)
       insert into supplier_part (part, supplier, "SKU", pack_quantity, pack_quantity_native) select $1, pk, 'S', '4', 4 from shop returning pk, supplier`,
      [part],
    )
    const assertFollows = async (kind: string, expectedRange: (string | null)[], change: () => Promise<unknown>) => {
      await recalculateDue()
      await change()
      assert.equal((await readPricing(part)).scheduled_for_update, true, kind)
      await recalculateDue()
      const now = await readPricing(part)
      assert.deepEqual([now[`${kind}_min`], now[`${kind}_max`], now.scheduled_for_update], [...expectedRange, false], kind)
    }
    await assertFollows('supplier_price', ['2.500000', '2.500000'], () =>
      member.post('/api/company/price-break/', { part: supplierPart.pk, quantity: 1, price: '10' }),
    )
    await assertFollows('supplier_price', ['5.000000', '5.000000'], () =>
      service.rows('update supplier_part set pack_quantity_native = 2 where pk = $1', [supplierPart.pk]),
    )
    await assertFollows('sale_price', ['7.000000', '7.000000'], () =>
      member.post('/api/part/sale-price/', { part, quantity: 1, price: '7' }),
    )
    const [item] = await service.rows(
      `insert into stock_item (part, quantity, purchase_price, purchase_price_currency) values ($1, 5, 3, 'USD') returning pk`,
      [part],
    )
    await assertFollows('purchase_cost', ['4.000000', '4.000000'], () =>
      service.rows('update stock_item set purchase_price = 4 where pk = $1', [item.pk]),
    )
    const [order] = await service.rows(
      `insert into purchase_order (reference, supplier, status, total_price_currency) values ('PO-9001', $1, 20, 'USD') returning pk`,
      [supplierPart.supplier],
    )
    await service.rows(
      `insert into purchase_order_line ("order", part, quantity, received, purchase_price, purchase_price_currency) values ($1, $2, 1, 1, 6, 'USD')`,
      [order.pk, supplierPart.pk],
    )
    await assertFollows('purchase_cost', ['3.000000', '4.000000'], () =>
      service.rows('update purchase_order set status = 30 where pk = $1', [order.pk]),
    )
    await assertFollows('purchase_cost', ['3.000000', '3.000000'], () => changeSetting('PRICING_USE_STOCK_PRICING', false))
    await changeSetting('PRICING_USE_STOCK_PRICING', true)
    await assertFollows('supplier_price', [null, null], () => member.patch(`/api/part/${part}/`, { purchaseable: false }))

    const [assembly, substitute] = [await createPart({ assembly: true }), await createPart()]
    await setPrice(substitute, '1')
    const pk = await createLine(assembly, part, '2')
    await recalculateDue()
    assert.deepEqual(await readOverall(assembly), ['6.000000', '8.000000'])
    await member.post('/api/bom/substitute/', { bom_item: pk, part: substitute })
    await recalculateDue()
    assert.deepEqual(await readOverall(assembly), ['2.000000', '8.000000'])
    await member.patch(`/api/bom/${pk}/`, { quantity: 3 })
    await recalculateDue()
    assert.deepEqual(await readOverall(assembly), ['3.000000', '12.000000'])
    await member.delete(`/api/bom/${pk}/`)
    await recalculateDue()
    assert.deepEqual(await readOverall(assembly), [null, null])
  })

  it('stay the same while no input changes, whatever the exchange rates; prices in foreign currencies follow the rates', async () => {
    const [domestic, foreign] = [await createPart({ salable: true }), await createPart({ salable: true })]
    await member.post('/api/part/sale-price/', { part: domestic, quantity: 1, price: '7' })
    await member.post('/api/part/sale-price/', { part: foreign, quantity: 1, price: '8', price_currency: 'EUR' })
    await recalculateDue()
    await service.staff.put('/api/currency/exchange/', { exchange_rates: { EUR: 0.5 } })
    assert.equal((await readPricing(domestic)).scheduled_for_update, false)
    await recalculateDue()
    assert.equal((await readPricing(foreign)).sale_price_min, '16.000000')
    await service.staff.put('/api/currency/exchange/', { exchange_rates: { EUR: 0.5 } })
    assert.deepEqual(await service.rows('select * from part_price_due'), [])
    // an amount that cannot be converted is unknown
    await service.staff.put('/api/currency/exchange/', { exchange_rates: { NZD: 2 } })
    await recalculateDue()
    assert.equal((await readPricing(foreign)).sale_price_min, null)
  })

  it('are queued as one job, for any number of requests', async () => {
    const part = await createPart()
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        member
          .post('/api/part/internal-price/', { part, quantity: index + 1, price: '1' })
          .then(() => enqueueDuePrices(services)),
      ),
    )
    const jobs = await service.rows(`select state from pgboss.job where name = 'part-prices'`)
    assert.deepEqual(jobs, [{ state: 'created' }])
    assert.equal(await recalculateDue(), 1)
    // concurrent runs calculate each part once
    for (let count = 0; count < 3; count++) await service.rows('select ask_for_prices(array(select pk from part))')
    const [{ all }] = await service.rows('select count(*)::integer as all from part')
    const recalculated = await Promise.all([recalculateDue(), recalculateDue(), recalculateDue()])
    assert.equal(
      recalculated.reduce((sum, value) => sum + value, 0),
      all,
    )
  })

  it('wait while PRICING_AUTO_UPDATE is off', async () => {
    const setAutoUpdate = async (value: boolean) =>
      assert.equal((await service.superuser.patch('/api/settings/global/PRICING_AUTO_UPDATE/', { value })).status, 200)
    const countJobs = async () =>
      (
        await service.rows(`select count(*)::integer as count from pgboss.job where name = 'part-prices' and state = 'created'`)
      )[0].count
    await service.rows(`delete from pgboss.job where name = 'part-prices'`)
    await setAutoUpdate(false)
    const part = await createPart()
    assert.equal((await member.post('/api/part/internal-price/', { part, quantity: 1, price: '1' })).status, 201)
    await enqueueDuePrices(services)
    assert.equal(await countJobs(), 0)
    assert.equal((await service.rows('select from part_price_due where part = $1', [part])).length > 0, true)
    await setAutoUpdate(true)
    await enqueueDuePrices(services)
    assert.equal(await countJobs(), 1)
    await recalculateDue()
  })

  it('follow shipped sales orders, and no others', async () => {
    const part = await createPart({ salable: true })
    const other = await createPart({ salable: true })
    const [order] = await service.rows(
      `with buyer as (insert into company (name, is_customer, currency) values ('Buyer', true, 'USD') returning pk)
       insert into sales_order (reference, customer, status, total_price_currency) select 'SO-9001', pk, 15, 'USD' from buyer returning pk`,
    )
    const isDue = async (partPk: number) =>
      (await service.rows('select from part_price_due where part = $1', [partPk])).length > 0
    /** Returns the sale history of the part after a change, and checks whether the change queued its prices. */
    const readHistoryAfter = async (isQueued: boolean, change: () => Promise<unknown>) => {
      await recalculateDue()
      await change()
      assert.equal(await isDue(part), isQueued, String(change))
      await recalculateDue()
      const { sale_history_min, sale_history_max } = await readPricing(part)
      return [sale_history_min, sale_history_max]
    }
    const updateLine = (text: string) => service.rows(`update sales_order_line set ${text} where pk = $1`, [first.pk])
    const add = async (partPk: number, amount: number) =>
      (
        await service.rows(
          `insert into sales_order_line ("order", part, quantity, sale_price, sale_price_currency) values ($1, $2, 1, $3, 'USD') returning pk`,
          [order.pk, partPk, amount],
        )
      )[0]
    const setStatus = (value: number) => service.rows('update sales_order set status = $2 where pk = $1', [order.pk, value])
    const first = await add(part, 9)
    assert.deepEqual(await readHistoryAfter(false, () => updateLine('sale_price = 8')), [null, null])
    assert.deepEqual(await readHistoryAfter(true, () => setStatus(20)), ['8.000000', '8.000000'])
    assert.deepEqual(await readHistoryAfter(true, () => updateLine('sale_price = 7')), ['7.000000', '7.000000'])
    assert.deepEqual(await readHistoryAfter(false, () => updateLine('quantity = 2')), ['7.000000', '7.000000'])
    assert.deepEqual(await readHistoryAfter(true, () => add(part, 3)), ['3.000000', '7.000000'])
    assert.deepEqual(await readHistoryAfter(true, () => updateLine(`part = ${other}`)), ['3.000000', '3.000000'])
    assert.equal((await readPricing(other)).sale_history_max, '7.000000', 'the part to which the line moved is updated too')
    assert.deepEqual(await readHistoryAfter(true, () => service.rows('delete from sales_order_line where part = $1', [part])), [
      null,
      null,
    ])
    await updateLine(`part = ${part}`)
    assert.deepEqual(await readHistoryAfter(true, () => setStatus(40)), [null, null])
  })

  it('use stock up to the age limit, and are queued on the day that it is exceeded', async () => {
    const part = await createPart()
    const [old] = await service.rows(
      `insert into stock_item (part, quantity, purchase_price, purchase_price_currency, updated)
       values ($1, 1, 3, 'USD', now() - interval '20 days'), ($1, 1, 5, 'USD', now() - interval '9 days') returning pk`,
      [part],
    )
    const refreshADayLater = async () => {
      await service.rows(
        `delete from part_price_refresh; insert into part_price_refresh (requested) values (now() - interval '25 hours')`,
      )
      await requestOutdatedPrices(services)
      await recalculateDue()
      const { purchase_cost_min, purchase_cost_max } = await readPricing(part)
      return [purchase_cost_min, purchase_cost_max]
    }
    const both = ['3.000000', '5.000000']
    try {
      assert.deepEqual(await refreshADayLater(), both, 'any stock counts')
      await changeSetting('PRICING_STOCK_ITEM_AGE_DAYS', 21)
      assert.deepEqual(await refreshADayLater(), both)
      await service.rows('update part_pricing set updated = now() - interval $$2 days$$ where part = $1', [part])
      await service.rows('update stock_item set updated = updated - interval $$2 days$$ where part = $1', [part])
      assert.deepEqual(await refreshADayLater(), ['5.000000', '5.000000'])
      await service.rows('update stock_item set updated = now() where pk = $1', [old.pk])
      assert.deepEqual(await refreshADayLater(), both, 'the old item was updated')
    } finally {
      await changeSetting('PRICING_STOCK_ITEM_AGE_DAYS', 0)
      await service.rows('delete from part_price_refresh')
    }
  })

  it('report the progress of many parts to staff', async () => {
    await service.rows(`insert into part (name) select 'Of many ' || n from generate_series(1, 450) n`)
    await service.rows(`insert into part_pricing (part, currency, override_min_currency, override_max_currency)
      select pk, 'USD', 'USD', 'USD' from part where name like 'Of many %'`)
    await service.rows('select ask_for_prices(array(select pk from part))')
    const [{ all }] = await service.rows('select count(*)::integer as all from part')
    const readRunning = async () => (await service.staff.get('/api/background-task/')).body.running
    const holder = await service.pool.connect()
    try {
      await holder.query(`begin; select from part_pricing where part = (select max(pk) from part) for update`)
      const recalculated = recalculateDue()
      await waitUntil(async () => (await readRunning())[0]?.done > 0, 'no progress is reported')
      const [{ started, ...run }] = await readRunning()
      assert.ok(Date.parse(started) <= Date.now())
      assert.deepEqual({ ...run, done: undefined }, { name: 'Part prices', func: 'part-prices', done: undefined, total: all })
      assert.ok(run.done >= 200 && run.done < all, `${run.done} of ${all}`)
      await holder.query('rollback')
      assert.equal(await recalculated, all)
    } finally {
      holder.release()
    }
    assert.deepEqual(await readRunning(), [])
    await service.rows(`insert into part_price_run (total, told) values (500, now() - interval '11 minutes')`)
    assert.deepEqual(await readRunning(), [], 'a stale run is not listed')
    await service.rows(`delete from part where name like 'Of many %'; delete from part_price_run`)
  })

  it('terminate for parts that depend on one another through substitutes', async () => {
    const [first, second, bolt] = [await createPart({ assembly: true }), await createPart({ assembly: true }), await createPart()]
    await createLine(first, second, 2)
    const pk = await createLine(second, bolt, 2)
    await service.rows('insert into bom_item_substitute (bom_item, part) values ($1, $2)', [pk, first])
    await setPrice(bolt, '1')
    assert.ok((await recalculateDue()) >= 2)
    assert.equal(await recalculateDue(), 0)
    assert.equal((await readOverall(second))[0], '2.000000')
  })

  it('are queued once a day when too old, but not by the first check', async () => {
    const part = await createPart()
    await service.rows(`update part_pricing set updated = now() - interval '31 days' where part = $1`, [part])
    await recalculateDue()
    const readDue = async () => (await service.rows('select part from part_price_due')).map((row) => row.part)
    await requestOutdatedPrices(services)
    assert.deepEqual(await readDue(), [])
    await service.rows(`update part_price_refresh set requested = now() - interval '25 hours'`)
    await Promise.all([requestOutdatedPrices(services), requestOutdatedPrices(services)])
    assert.ok((await readDue()).includes(part))
    assert.equal((await readDue()).length, new Set(await readDue()).size)
    let progress: [number, number] | undefined
    await recalculateDuePrices(services, {
      onProgress: (done, total) => {
        progress = [done, total]
      },
    })
    assert.equal(progress?.[0], progress?.[1])
    assert.notEqual((await readPricing(part)).updated, null)
    await requestOutdatedPrices(services)
    assert.deepEqual(await readDue(), [])
  })
})

describe('prices of a service with background work', () => {
  it('are recalculated automatically, up to the assemblies', async () => {
    const workingService = await testService()
    const [{ component, assembly }] = await workingService.rows(
      `with inserted as (insert into part (name, assembly) values ('Bolt', false), ('Frame', true) returning pk, name)
       select (select pk from inserted where name = 'Bolt') as component, (select pk from inserted where name = 'Frame') as assembly`,
    )
    await workingService.rows(`insert into bom_item (part, sub_part, quantity) values ($1, $2, 4)`, [assembly, component])
    await workingService.rows(
      `insert into stock_item (part, quantity, purchase_price, purchase_price_currency) values ($1, 10, '0.25', 'USD')`,
      [component],
    )
    await waitUntil(
      async () => (await workingService.viewer.get(getPricingUrl(assembly))).body.overall_max === '1.000000',
      'the price of the assembly is not recalculated',
    )
    assert.equal((await workingService.viewer.get(`/api/part/${assembly}/`)).body.pricing_min, '1.000000')
  })
})
