import assert from 'node:assert/strict'
import type { TestService } from '../../testing/service.ts'

const [RS, GS, EOT] = ['\u001e', '\u001d', '\u0004']

/** A DigiKey label: order, SKU and quantity. */
export const digikeyLabel = (order: string, sku: string, quantity: number): string =>
  [
    `[)>${RS}06`,
    `P${sku}`,
    '1PMPN',
    `K${order}`,
    '1K72991337',
    '10K85781337',
    '11K1',
    '4LPH',
    `Q${quantity}`,
    '11ZPICK',
    '12Z15221337',
    '13Z361337',
  ]
    .concat(`20Z${'0'.repeat(175)}`)
    .join(GS)

/** A Mouser label, which ends as the standard requires. */
export const mouserLabel = (order: string, mpn: string, quantity: number): string =>
  `${[`[)>${RS}06`, `K${order}`, '14K011', `1P${mpn}`, `Q${quantity}`, '11K073121337', '4LMX', '1VTI'].join(GS)}${RS}${EOT}`

type OrderedPart = {
  sku: string
  name: string
  quantity: number
  isTrackable?: boolean
  mpn?: string
  units?: string
  pack?: string
}

/** Returns functions that create the data of tests through the API. */
export function workshop({ superuser, rows }: TestService) {
  const create = async (path: string, body: object): Promise<any> => {
    const response = await superuser.post(path, body)
    assert.equal(response.status, 201, `${path} ${response.text}`)
    return response.body
  }
  let number = 100

  const place = async (name: string, parent?: number): Promise<number> =>
    (await create('/api/stock/location/', { name, parent })).pk

  let category: Promise<{ pk: number }> | undefined
  const getCategory = (): Promise<{ pk: number }> => {
    category ??= create('/api/part/category/', { name: 'Parts' })
    return category
  }

  const part = async (name: string, more: object = {}): Promise<number> =>
    (
      await create('/api/part/', {
        name,
        category: (await getCategory()).pk,
        description: 'For stories',
        purchaseable: true,
        salable: true,
        component: true,
        ...more,
      })
    ).pk

  const stock = async (partPk: number, quantity: number, location: number, more: object = {}): Promise<number> => {
    const response = await superuser.post('/api/stock/', { part: partPk, quantity, location, ...more })
    assert.equal(response.status, 201, response.text)
    return Array.isArray(response.body) ? response.body[0].pk : response.body.pk
  }

  /** Creates a supplier. */
  const supplier = async (name: string): Promise<number> => (await create('/api/company/', { name, is_supplier: true })).pk

  /** Creates an issued purchase order with a line for each part. */
  async function order(supplierPk: number, lines: readonly OrderedPart[]): Promise<{ pk: number; reference: string }> {
    const reference = `PO-${++number}`
    const { pk } = await create('/api/order/po/', { reference, supplier: supplierPk })
    for (const { sku, name, quantity, isTrackable = false, mpn, units, pack } of lines) {
      const partPk = await part(name, { trackable: isTrackable, ...(units ? { units } : {}) })
      const manufacturerPart = mpn
        ? (await create('/api/company/part/manufacturer/', { part: partPk, manufacturer: await createManufacturer(), MPN: mpn }))
            .pk
        : null
      const supplierPart = await create('/api/company/part/', {
        part: partPk,
        supplier: supplierPk,
        SKU: sku,
        manufacturer_part: manufacturerPart,
        ...(pack ? { pack_quantity: pack } : {}),
      })
      await create('/api/order/po-line/', { order: pk, part: supplierPart.pk, quantity })
    }
    assert.equal((await superuser.post(`/api/order/po/${pk}/issue/`)).status, 201)
    return { pk, reference }
  }
  const createManufacturer = async (): Promise<number> =>
    (await create('/api/company/', { name: `Maker ${++number}`, is_manufacturer: true })).pk

  /** Creates an issued sales order with one line. */
  async function sale(partPk: number, quantity: number): Promise<{ pk: number; reference: string }> {
    const customer = (await create('/api/company/', { name: `Customer ${++number}`, is_customer: true })).pk
    const { pk, reference } = await create('/api/order/so/', { customer, reference: `SO-${++number}` })
    await create('/api/order/so-line/', { order: pk, part: partPk, quantity })
    await superuser.post(`/api/order/so/${pk}/issue/`)
    return { pk, reference }
  }

  const stockOf = (purchaseOrder: number) =>
    rows(
      `select part.name, item.quantity::float, item.serial, location.name as place from stock_item item join part on part.pk = item.part
       left join stock_location location on location.pk = item.location where item.purchase_order = $1 order by item.pk`,
      [purchaseOrder],
    )

  const setting = async (key: string, value: string | number | boolean): Promise<void> => {
    const response = await superuser.patch(`/api/settings/global/${key}/`, { value })
    assert.equal(response.status, 200, response.text)
  }

  return { place, part, stock, supplier, order, sale, stockOf, setting }
}
