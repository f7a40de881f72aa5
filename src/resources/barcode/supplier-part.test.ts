import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SupplierLabel } from '../../plugin-api/index.ts'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'
import { createSampleCaller } from '../callers.ts'
import { lookUpLabels, type ResolvedLabel } from './supplier-part.ts'

const service = await testService()
const make = createPurchaseHelpers(service)
const caller = createSampleCaller({ isSuperuser: true })

/** Looks up the label of a supplier. */
async function lookUp(label: SupplierLabel): Promise<ResolvedLabel> {
  const { labels } = await lookUpLabels({ ...service.app.routes.services, caller }, [{ plugin: 'tests', label }])
  return labels[0] as ResolvedLabel
}

describe('the orders that a label may refer to', () => {
  const createOrder = async (supplier: number, reference: string, supplier_reference: string, status = 20) => {
    const text = `insert into purchase_order (supplier, reference, supplier_reference, status, total_price_currency) values ($1, $2, $3, $4, 'USD') returning pk`
    return (await service.rows(text, [supplier, reference, supplier_reference, status]))[0].pk as number
  }

  it('are placed, and have one of its order numbers', async () => {
    const [supplier, other] = [await make.supplier(), await make.supplier()]
    const bothNumbers = await createOrder(supplier, 'PO-0001', 'S1')
    const first = await createOrder(supplier, 'PO-0002', 's2')
    const second = await createOrder(other, 'po-0003', 'S2')
    await createOrder(supplier, 'PO-0004', 'S4', 10)
    await createOrder(supplier, 'PO-0005', '')
    const cases: [
      customerNumber: string | undefined,
      supplierNumber: string | undefined,
      supplier: number | undefined,
      found: number[],
    ][] = [
      ['po-0001', undefined, undefined, [bothNumbers]],
      ['PO-0002', 'S2', undefined, [first]],
      ['PO-0001', 'S2', undefined, [bothNumbers, first, second]],
      [undefined, 'S2', undefined, [first, second]],
      [undefined, 'S2', other, [second]],
      // swapped numbers, numbers of an order that is not placed, and empty ones
      ['S1', 'PO-0001', undefined, []],
      ['PO-0004', 'S4', undefined, []],
      ['', '', undefined, []],
      [undefined, undefined, supplier, []],
    ]
    for (const [customer_order_number, supplier_order_number, labelSupplier, expected] of cases)
      assert.deepEqual(
        (await lookUp({ customer_order_number, supplier_order_number, supplier: labelSupplier })).orders.map(({ pk }) => pk),
        expected,
        `${customer_order_number} ${supplier_order_number} ${labelSupplier}`,
      )
  })
})

describe('the supplier parts that a label may refer to', () => {
  it('have its SKU or MPN, belong to its supplier, and have no other number', async () => {
    const [one, other] = [await make.supplier(), await make.supplier()]
    const [part, third] = [await make.part(), await make.part()]
    const createSupplierPart = async (supplier: number, sku: string, mpn: string, partPk = part) => {
      const text = 'insert into manufacturer_part (part, manufacturer, "MPN") values ($1, $2, $3) returning pk'
      const [manufacturerPart] = await service.rows(text, [partPk, supplier, mpn])
      const values = [partPk, supplier, sku, manufacturerPart.pk]
      const insertSupplierPart =
        'insert into supplier_part (part, supplier, "SKU", manufacturer_part) values ($1, $2, $3, $4) returning pk'
      return (await service.rows(insertSupplierPart, values))[0].pk as number
    }
    const alone = await createSupplierPart(one, 'Alone', 'M-1')
    const [ownPart, otherPart] = [
      await createSupplierPart(one, 'SHARED', 'M-2'),
      await createSupplierPart(other, 'shared', 'M-3'),
    ]
    const thirdPart = await createSupplierPart(one, 'SHARED', 'M-4', third)
    const cases: [sku: string | undefined, supplier: number | undefined, mpn: string | undefined, found: number[]][] = [
      ['ALONE', undefined, undefined, [alone]],
      ['ALONE', one, ' m - 1 ', [alone]],
      // contradictions are not ignored
      ['ALONE', other, undefined, []],
      ['ALONE', undefined, 'M-9', []],
      ['ALONE', one, 'M-4', []],
      ['Shared', undefined, undefined, [ownPart, otherPart, thirdPart]],
      ['SHARED', other, undefined, [otherPart]],
      ['SHARED', one, undefined, [ownPart, thirdPart]],
      ['SHARED', one, 'm-4', [thirdPart]],
      [undefined, undefined, 'm-3', [otherPart]],
      [undefined, other, undefined, []],
      ['WRONG', one, 'M-1', []],
      ['WRONG', undefined, 'M-1', []],
      // an arbitrary number does not match the only supplier part of a supplier
      [undefined, other, 'M-9', []],
      [undefined, one, 'M-3', []],
      ['', undefined, '', []],
      [undefined, undefined, undefined, []],
    ]
    for (const [supplier_part_number, supplier, manufacturer_part_number, expected] of cases)
      assert.deepEqual(
        (await lookUp({ supplier_part_number, supplier, manufacturer_part_number })).parts,
        expected,
        `${supplier_part_number} ${supplier} ${manufacturer_part_number}`,
      )
  })
})

describe('a label that contradicts the supplier part with one of its numbers', () => {
  it('matches nothing, and its error names both', async () => {
    const [bolts, nuts] = [await make.supplier(), await make.supplier()]
    await service.rows(`update company set name = case pk when $1 then 'Bolts Ltd' else 'Nuts Ltd' end where pk in ($1, $2)`, [
      bolts,
      nuts,
    ])
    const part = await make.part()
    await service.rows(`update part set "IPN" = 'IPN-7' where pk = $1`, [part])
    const [manufacturerPart] = await service.rows(
      `insert into manufacturer_part (part, manufacturer, "MPN") values ($1, $2, 'MPN-7') returning pk`,
      [part, bolts],
    )
    const addSupplierPart = async (supplier: number, sku: string, manufacturer_part: number | null) =>
      (
        await service.rows(
          'insert into supplier_part (part, supplier, "SKU", manufacturer_part) values ($1, $2, $3, $4) returning pk',
          [part, supplier, sku, manufacturer_part],
        )
      )[0].pk as number
    const soldByBolts = await addSupplierPart(bolts, 'SKU-7', manufacturerPart.pk)
    const partWithoutMpn = await addSupplierPart(nuts, 'SKU-8', null)
    const cases: [label: SupplierLabel, parts: number[], conflict?: string][] = [
      [
        { supplier: nuts, supplier_part_number: 'sku-7' },
        [],
        'The label is from Nuts Ltd, but supplier part SKU-7 is from Bolts Ltd',
      ],
      [
        { supplier_part_number: 'SKU-7', manufacturer_part_number: 'MPN-70' },
        [],
        'The label says MPN MPN-70, but supplier part SKU-7 has MPN MPN-7',
      ],
      [
        { supplier: bolts, supplier_part_number: 'SKU-70', manufacturer_part_number: 'MPN-7' },
        [],
        'The label says SKU SKU-70, but the supplier part with MPN MPN-7 has SKU SKU-7',
      ],
      // a number that only one side has contradicts nothing
      [{ supplier_part_number: 'SKU-8', manufacturer_part_number: 'MPN-70' }, [partWithoutMpn]],
      // a number without a supplier may be the buyer's own
      [{ supplier_part_number: 'ipn-7', manufacturer_part_number: 'MPN-7' }, [soldByBolts]],
      [{ supplier: bolts, customer_part_number: 'anything', manufacturer_part_number: 'MPN-7' }, [soldByBolts]],
      [{ supplier: bolts, customer_part_number: 'IPN-7' }, [soldByBolts]],
      [{ customer_part_number: 'IPN-70' }, []],
      // the only supplier part of the label's supplier, without any of its numbers
      [{ supplier: bolts, manufacturer_part_number: 'M' }, [], 'The label says MPN M, but supplier part SKU-7 has MPN MPN-7'],
      [{ supplier: nuts, manufacturer_part_number: 'M' }, [], 'The label says MPN M, but supplier part SKU-8 has no MPN'],
      [
        { supplier: nuts, supplier_part_number: 'S', manufacturer_part_number: 'M' },
        [],
        'The label says SKU S, but the only supplier part of Nuts Ltd has SKU SKU-8',
      ],
    ]
    for (const [label, parts, conflict] of cases) {
      const expected = await lookUp(label)
      assert.deepEqual([expected.parts, expected.conflict?.message], [parts, conflict], JSON.stringify(label))
    }
  })
})

describe('the supplier of a label', () => {
  const createCompany = async (name: string, is_supplier = true) =>
    (
      await service.rows('insert into company (name, is_supplier, currency) values ($1, $2, $3) returning pk', [
        name,
        is_supplier,
        'USD',
      ])
    )[0].pk as number

  it('is the only one whose name has a word that starts with the name on the label', async () => {
    const mill = await createCompany('Acme Mill 100% (North)')
    await createCompany('Acme Mill 100% Shop', false)
    await createCompany('Twin Works, old')
    await createCompany('Twin Works, new')
    const cases: [name: string, found: number | undefined][] = [
      ['acme mill', mill],
      ['100% (', mill],
      ['100_ (', undefined],
      ['Twin Works', undefined],
      ['Nobody', undefined],
      // a name on a label matches only from the start of a word
      ['mill', mill],
      ['ill', undefined],
    ]
    for (const [supplier_name, expected] of cases) {
      const { label } = await lookUp({ supplier_part_number: 'X', supplier_name })
      assert.deepEqual(
        label,
        expected === undefined ? { supplier_part_number: 'X' } : { supplier_part_number: 'X', supplier: expected },
      )
    }
    // if the plugin gives the supplier's key, no name is searched
    assert.equal((await lookUp({ supplier_name: 'acme', supplier: 1 })).label.supplier, 1)
  })

  it('is not found for an account without the permission to view companies', async () => {
    const services = { ...service.app.routes.services, caller: createSampleCaller({}) }
    const { labels } = await lookUpLabels(services, [{ plugin: 'tests', label: { supplier_name: 'Acme Mill' } }])
    assert.equal(labels[0]?.label.supplier, undefined)
  })
})
