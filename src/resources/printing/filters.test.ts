import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { FieldError } from '../../kit/request/errors.ts'
import { testService } from '../../testing/service.ts'
import { returnOrder } from '../order/ro/ro.resource.ts'
import { salesOrder } from '../order/so/so.resource.ts'
import { part } from '../part/part.resource.ts'
import { stockItem } from '../stock/stock-item.resource.ts'
import { findMatchingObjects, parsePairs, readFilters } from './filters.ts'

const service = await testService()
const { services } = service.app.routes

const getErrorMessage = (callback: () => unknown): string => {
  try {
    callback()
  } catch (error) {
    if (error instanceof FieldError) return error.message
    throw error
  }
  return ''
}

describe('parsing filter pairs', () => {
  it('splits pairs at commas, ignores blanks and uses the last of two pairs with the same key', () => {
    assert.deepEqual(parsePairs(''), [])
    assert.deepEqual(parsePairs('  '), [])
    assert.deepEqual(parsePairs(' name = Rack 1 , active=True,name=Rack 2 '), [
      { key: 'name', value: 'Rack 2' },
      { key: 'active', value: 'True' },
    ])
  })

  it('rejects an invalid pair by name', () => {
    for (const text of ['name', 'name=', '=x', 'a=b=c', 'a=b,', ',', 'a b=c', "a'=b"])
      assert.match(
        getErrorMessage(() => parsePairs(text)),
        /is not a pair|is not the name of a field/,
        text,
      )
  })

  it('reports an unknown field together with the known ones, and an invalid value', () => {
    assert.match(
      getErrorMessage(() => readFilters('colour=red', part)),
      /"colour": a part has no field colour\. It has .*\bIPN, .*\bname\b/,
    )
    const wrong = {
      'pk=x': /not a number/,
      'active=perhaps': /not True or False/,
      'creation_date=soon': /not a date/,
      'creation_date=2026-02-30': /not a date/,
      'active__gt=True': /cannot be compared by gt/,
      'name__year=2026': /nothing to compare after name/,
      'category__nonsense=1': /a part category has no field nonsense/i,
      'pk__contains=1': /cannot be compared by contains/,
    }
    for (const [text, message] of Object.entries(wrong))
      assert.match(
        getErrorMessage(() => readFilters(text, part)),
        message,
        text,
      )
  })

  it('cannot filter by fields of accounts, and so not by passwords', () => {
    for (const text of ['creation_user__password__startswith=x', 'creation_user__username=admin', 'responsible__user=1'])
      assert.match(
        getErrorMessage(() => readFilters(text, part)),
        /nothing to compare after/,
        text,
      )
    for (const name of ['constructor', '__proto__', 'toString', 'metadata'])
      assert.notEqual(
        getErrorMessage(() => readFilters(`${name}=1`, part)),
        '',
        name,
      )
  })
})

describe('matching objects', () => {
  let parts: Record<'resistor' | 'capacitor', number>
  let items: Record<'loose' | 'reel', number>
  before(async () => {
    const post = async (path: string, body: object) => {
      const response = await service.superuser.post(path, body)
      assert.equal(response.status, 201, response.text)
      return Array.isArray(response.body) ? response.body[0].pk : response.body.pk
    }
    const category = await post('/api/part/category/', { name: 'Resistors 100%' })
    const others = await post('/api/part/category/', { name: 'Others 100 %' })
    parts = {
      resistor: await post('/api/part/', { name: 'Résistance', IPN: 'R-100', category, active: true, tags: ['smd'] }),
      capacitor: await post('/api/part/', { name: 'Capacitor', IPN: 'C_100', category: others, active: false }),
    }
    items = {
      loose: await post('/api/stock/', { part: parts.resistor, quantity: 4.5 }),
      reel: await post('/api/stock/', { part: parts.resistor, quantity: 5000, batch: 'B1' }),
    }
  })
  const findMatches = async (text: string, resource = part, pks = Object.values(parts)) => [
    ...((await findMatchingObjects(services.database, resource, [text], pks)).get(text) ?? []),
  ]

  it('matches by fields, over references, and by comparisons', async () => {
    const { resistor, capacitor } = parts
    const matches: Record<string, number[]> = {
      'IPN=R-100': [resistor],
      'IPN=r-100': [],
      'IPN__iexact=r-100': [resistor],
      'IPN__iexact=c%100': [],
      'IPN__contains=_1': [capacitor],
      'name__istartswith=RÉS': [resistor],
      'name__endswith=tor': [capacitor],
      'category__name__icontains=100%': [resistor],
      'category__isnull=True': [],
      'default_location__isnull=True,category__parent__isnull=1': [resistor, capacitor],
      'active=True': [resistor],
      'active=f': [capacitor],
      'tags=smd': [resistor],
      [`id=${resistor}`]: [resistor],
      [`pk__gte=${resistor}, active=1`]: [resistor],
      [`pk__lt=${resistor}`]: [],
      'creation_date__gt=2000-01-31': [resistor, capacitor],
    }
    for (const [text, pks] of Object.entries(matches))
      assert.deepEqual((await findMatches(text)).toSorted(), pks.toSorted(), text)
    const { loose, reel } = items
    assert.deepEqual(await findMatches('part__IPN=R-100, quantity__gte=5', stockItem, [loose, reel]), [reel])
    assert.deepEqual(await findMatches('part__category__name=Resistors 100%,quantity=4.5', stockItem, [loose, reel]), [loose])
    assert.deepEqual(await findMatches('batch=B1', stockItem, [loose]), [])
  })

  it('matches orders by their lines, one of which must meet all line conditions, and by their contact', async () => {
    const [{ buyer, contact: contactKey }] = await service.rows(
      `with buyer as (insert into company (name, is_customer, is_supplier, currency) values ('Buyer', true, true, 'USD') returning pk),
         new_contact as (insert into contact (company, name) select pk, 'Robin' from buyer returning pk)
       select buyer.pk as buyer, new_contact.pk as contact from buyer, new_contact`,
    )
    const { resistor, capacitor } = parts
    const insertOrder = async (table: string, contact: number | null) =>
      (
        await service.rows(
          `insert into ${table} (reference, customer, total_price_currency, contact) values ($1, $2, 'USD', $3) returning pk`,
          [`R-${Math.random()}`, buyer, contact],
        )
      )[0].pk as number
    const [firstOrder, secondOrder] = [await insertOrder('sales_order', contactKey), await insertOrder('sales_order', null)]
    for (const [orderKey, partKey, quantity] of [
      [firstOrder, resistor, 5],
      [firstOrder, capacitor, 50],
      [secondOrder, resistor, 50],
    ])
      await service.rows(
        `insert into sales_order_line ("order", part, quantity, sale_price_currency) values ($1, $2, $3, 'USD')`,
        [orderKey, partKey, quantity],
      )
    const sales: Record<string, number[]> = {
      [`lines__part=${resistor}`]: [firstOrder, secondOrder],
      'lines__part__IPN=R-100, lines__quantity__gte=10': [secondOrder],
      'lines__part__IPN=C_100,lines__quantity__gte=10, customer__name=Buyer': [firstOrder],
      'lines__quantity__gt=50': [],
      'contact__name=Robin': [firstOrder],
    }
    for (const [text, pks] of Object.entries(sales))
      assert.deepEqual((await findMatches(text, salesOrder, [firstOrder, secondOrder])).toSorted(), pks, text)
    const returnOrderKey = await insertOrder('return_order', null)
    await service.rows(`insert into return_order_line ("order", item, quantity, price_currency) values ($1, $2, 1, 'USD')`, [
      returnOrderKey,
      items.reel,
    ])
    assert.deepEqual(await findMatches('lines__item__batch=B1', returnOrder, [returnOrderKey]), [returnOrderKey])
    assert.deepEqual(await findMatches('lines__item__batch=B2', returnOrder, [returnOrderKey]), [])
    assert.deepEqual(
      readFilters('lines__item__part__active=True', returnOrder).traversed.map(({ name }) => name),
      ['Return order line item', 'Stock item', 'Part'],
    )
    assert.match(
      getErrorMessage(() => readFilters('lines__colour=red', salesOrder)),
      /has no field colour/,
    )
    assert.match(
      getErrorMessage(() => readFilters('lines=1', salesOrder)),
      /has no field lines/,
    )
  })

  it('matches nothing for an invalid filter, and still matches the valid ones', async () => {
    const texts = ['colour=red', 'active=True', 'pk', 'active=False']
    const matches = await findMatchingObjects(services.database, part, texts, Object.values(parts))
    assert.deepEqual(
      texts.map((text) => [...(matches.get(text) ?? [])]),
      [[], [parts.resistor], [], [parts.capacitor]],
    )
  })

  it('matches more filters than fit into one statement', async () => {
    const texts = Array.from({ length: 250 }, (_, index) => `pk__lt=${index}`)
    const matches = await findMatchingObjects(services.database, part, texts, [parts.resistor])
    for (const [index, text] of texts.entries()) assert.equal(matches.get(text)?.size, parts.resistor < index ? 1 : 0, text)
  })
})
