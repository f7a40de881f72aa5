import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Database } from '../../kit/sql/tx.ts'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'
import { decodeCodes } from './assign-codes.ts'
import { hashBarcode, toBarcodeColumns } from './barcode-hash.ts'
import { kinds } from './kinds.ts'

const service = await testService()
const make = createPurchaseHelpers(service)
const { superuser } = service
const database = new Database(service.pool)

const scan = (barcode: string) => superuser.post('/api/barcode/', { barcode })
const link = (barcode: string, target: object) => superuser.post('/api/barcode/link/', { barcode, ...target })
const unlink = (target: object) => superuser.post('/api/barcode/unlink/', target)

/** The type and key of the object that a scan finds. */
async function findObject(barcode: string): Promise<[string, number] | undefined> {
  const { status, body } = await scan(barcode)
  const kind = kinds.find(({ key }) => body[key]?.instance !== undefined)?.key
  return status === 201 && kind !== undefined ? [kind, body[kind].pk] : undefined
}

/** The object that holds each code, from the tables of all types. */
const readHolders = async (barcode: string): Promise<unknown[]> =>
  service.rows(
    kinds.map(({ key, table }) => `select '${key}' as kind, pk from ${table} where barcode_hash = $1`).join(' union all '),
    [hashBarcode(barcode)],
  )

const createStockItem = async (part: number): Promise<number> =>
  (await superuser.post('/api/stock/', { part, quantity: 1 })).body.pk

/** Creates one object of each type, keyed by the type's key. */
async function createOneOfEach(): Promise<Record<string, number>> {
  const [part, supplier] = [await make.part(), await make.supplier()]
  const create = async (text: string, ...values: unknown[]): Promise<number> => (await service.rows(text, values))[0].pk
  const order = (table: string) =>
    create(`insert into ${table} (reference, total_price_currency) values ($1, 'USD') returning pk`, `${table} ${part}`)
  const salesorder = await order('sales_order')
  return {
    build: await create('insert into build_order (reference, part) values ($1, $2) returning pk', `BO ${part}`, part),
    supplierpart: await make.supplierPart(supplier, { part }),
    manufacturerpart: await create(
      'insert into manufacturer_part (part, manufacturer, "MPN") values ($1, $2, $3) returning pk',
      part,
      supplier,
      `MPN ${part}`,
    ),
    purchaseorder: await order('purchase_order'),
    salesorder,
    salesordershipment: await create('insert into sales_order_shipment ("order") values ($1) returning pk', salesorder),
    returnorder: await order('return_order'),
    transferorder: await create('insert into transfer_order (reference) values ($1) returning pk', `TO ${part}`),
    part,
    stockitem: await createStockItem(part),
    stocklocation: await make.location(),
  }
}

describe('linked codes', () => {
  it('belong to one object across all types under concurrent requests, however they are written', async () => {
    const [one, other] = [await createOneOfEach(), await createOneOfEach()]
    assert.deepEqual(
      Object.keys(one),
      kinds.map(({ key }) => key),
    )
    const targets = [one, other].flatMap((objects) => Object.entries(objects).map(([kind, pk]) => ({ [kind]: pk })))
    for (const [round, otherSeparator] of ['{GS}', '\u001d', '\u241d'].entries()) {
      const code = (separator: string) => `[)>\u001e06\u001dPROUND${round}${separator}Q1`
      const responses = await Promise.all(targets.map((target, index) => link(code(index % 2 ? otherSeparator : '<GS>'), target)))
      const rejectedResponses = responses.filter(({ status }) => status !== 201)
      assert.equal(rejectedResponses.length, targets.length - 1)
      for (const { status, body } of rejectedResponses)
        assert.deepEqual([status, body.error], [400, 'Barcode matches existing item'])
      const [owner] = await service.rows(`select kind, object from linked_code where key = $1`, [hashBarcode(code('\u001d'))])
      assert.deepEqual(await findObject(code('\u001d')), [owner.kind, owner.object])
      for (const { body } of rejectedResponses) assert.equal(body[owner.kind]?.pk, owner.object)
    }
  })

  it('are found by real separators when linked without them, and vice versa', async () => {
    const [part, other] = [await make.part(), await make.part()]
    const code = (separator: string, number: number) => `[)>\u001e06${separator}PBOTH${number}${separator}Q1`
    for (const [target, linked] of [
      [part, '{GS}'],
      [other, '\u001d'],
    ] as const) {
      assert.equal((await link(code(linked, target), { part: target })).status, 201)
      for (const scanned of ['{GS}', '\u001d', '\u241d', '<gs>', '\\x1d'])
        assert.deepEqual(await findObject(code(scanned, target)), ['part', target], scanned)
    }
  })

  it('are available again once their object loses them or is deleted', async () => {
    const objects = await createOneOfEach()
    const location = await make.location()
    for (const { key, table } of kinds) {
      const target = { [key]: objects[key] }
      const code = `free ${key}`
      assert.equal((await link(code, target)).status, 201)
      assert.equal((await link(code, { stocklocation: location })).status, 400)
      assert.equal((await unlink(target)).status, 201)
      assert.equal(await findObject(code), undefined)
      assert.equal((await link(code, target)).status, 201)
      assert.equal((await link(`${code} again`, target)).status, 201)
      assert.equal(await findObject(code), undefined)
      await service.rows(`update ${table} set metadata = null where pk = $1`, [objects[key]])
      assert.deepEqual(await findObject(`${code} again`), [key, objects[key]])
    }
    // all but the part, whose deletion would delete others
    for (const { key, table } of kinds.filter(({ key }) => key !== 'part')) {
      await service.rows(`delete from ${table} where pk = $1`, [objects[key]])
      assert.equal((await link(`free ${key} again`, { stocklocation: location })).status, 201, key)
      assert.deepEqual(await findObject(`free ${key} again`), ['stocklocation', location])
    }
    const text =
      'select kind from linked_code join json_each_text($1) pair (key, pk) on kind = pair.key and object = pair.pk::integer'
    assert.deepEqual(await service.rows(text, [JSON.stringify(objects)]), [{ kind: 'part' }])
  })

  it('roll back with the transaction that wrote them', async () => {
    const [part, other] = [await make.part(), await make.part()]
    const { barcode_data, barcode_hash } = toBarcodeColumns('rolled back')
    const text = 'update part set barcode_data = $2, barcode_hash = $3 where pk = $1'
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.query(text, [part, barcode_data, barcode_hash])
        throw new Error('no')
      }),
      /^Error: no$/,
    )
    assert.equal(await findObject('rolled back'), undefined)
    await database.transaction(async (tx) => {
      await tx.query(text, [part, barcode_data, barcode_hash])
      await tx.query('savepoint before')
      await tx.query(`update part set barcode_data = '', barcode_hash = '' where pk = $1`, [part])
      await tx.query(text, [other, barcode_data, barcode_hash])
      await tx.query('rollback to savepoint before')
    })
    assert.deepEqual(await findObject('rolled back'), ['part', part])
    assert.deepEqual(await readHolders('rolled back'), [{ kind: 'part', pk: part }])
  })

  it('are not copied to items that are split off', async () => {
    const part = await make.part()
    const item = (await superuser.post('/api/stock/', { part, quantity: 5 })).body.pk
    assert.equal((await link('of the whole', { stockitem: item })).status, 201)
    const location = await make.location()
    const { status } = await superuser.post('/api/stock/transfer/', { items: [{ pk: item, quantity: 2 }], location })
    assert.equal(status, 201)
    assert.equal((await service.rows('select from stock_item where part = $1', [part])).length, 2)
    assert.deepEqual(await readHolders('of the whole'), [{ kind: 'stockitem', pk: item }])
  })

  it('do not exist for codes of invisible characters only', async () => {
    const part = await make.part()
    for (const barcode of ['\u200b', '\u0001\u001d\u0002', '\ufeff', '{GS}', '\u241d\u241e'])
      assert.deepEqual(
        [(await scan(barcode)).body, (await link(barcode, { part })).body],
        [{ barcode: ['This field may not be blank.'] }, { barcode: ['This field may not be blank.'] }],
        JSON.stringify(barcode),
      )
  })
})

describe('codes that were linked before keys were stored', () => {
  it('are decoded at the next start; among duplicates the first type by precedence keeps the code', async () => {
    const [one, other] = [await createOneOfEach(), await createOneOfEach()]
    const code = (separator: string) => `[)>\u001e06${separator}POLD${separator}Q1`
    await database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      const writeOldCode = async (table: string, pk: number | undefined, text: string) =>
        tx.query(`update ${table} set barcode_data = $2, barcode_hash = $3 where pk = $1`, [pk, text, hashBarcode(text)])
      await writeOldCode('stock_location', one.stocklocation, code('\u001d'))
      await writeOldCode('stock_item', one.stockitem, code('{GS}'))
      await writeOldCode('stock_item', other.stockitem, code('{GS}'))
      await writeOldCode('part', one.part, 'old and plain')
      // as the migration leaves them
      await tx.query(`insert into linked_code (hash, kind, object)
        select barcode_hash, 'stockitem', min(pk) from stock_item where barcode_data like '%POLD%' group by 1
        union all select barcode_hash, 'stocklocation', pk from stock_location where barcode_data like '%POLD%'
        union all select barcode_hash, 'part', pk from part where barcode_data = 'old and plain'`)
    })
    await link('kept meanwhile', { part: other.part })
    await decodeCodes(service.pool)
    await decodeCodes(service.pool)
    for (const separator of ['{GS}', '\u001d', '\u241d'])
      assert.deepEqual(await findObject(code(separator)), ['stockitem', one.stockitem], separator)
    assert.deepEqual(await findObject('old and plain'), ['part', one.part])
    assert.deepEqual(await findObject('kept meanwhile'), ['part', other.part])
    assert.deepEqual(await service.rows('select from linked_code where key is null'), [])
    assert.equal((await link(code('<GS>'), { part: other.part })).status, 400)
    // another item with the code shows it in responses, and is found once the code is linked to it
    const { body } = await superuser.get(`/api/stock/${other.stockitem}/`)
    assert.equal(body.barcode_hash, hashBarcode(code('{GS}')))
    await unlink({ stockitem: one.stockitem })
    assert.equal(await findObject(code('{GS}')), undefined)
    assert.equal((await link(code('{GS}'), { stockitem: other.stockitem })).status, 201)
    assert.deepEqual(await findObject(code('\u001d')), ['stockitem', other.stockitem])
  })
})
