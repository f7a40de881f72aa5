import assert from 'node:assert/strict'
import type { TestService } from '../../testing/service.ts'

/** Keys of the objects that `fillWorkshop` creates, by short names. */
export type Workshop = {
  locations: Record<'store' | 'shelf' | 'box' | 'bench', number>
  parts: Record<'resistor' | 'cable' | 'sensor' | 'board', number>
  items: Record<'resistors' | 'cable' | 'oldCable' | 'sensor' | 'sensorTwo' | 'board', number>
  supplier: number
}

/** Fills a small workshop for tests, with long names, units, serial numbers, batches and prices. */
export async function fillWorkshop({ member, superuser }: TestService): Promise<Workshop> {
  const create = async (path: string, body: object): Promise<number> => {
    const { status, body: created, text } = await member.post(path, body)
    assert.equal(status, 201, `${path}: ${text}`)
    return created.pk
  }
  const createLocation = (name: string, parent: number | null, more = {}) =>
    create('/api/stock/location/', { name, parent, ...more })
  const store = await createLocation('Store', null, { description: 'Ground floor, behind the workshop', structural: true })
  const shelf = await createLocation('Shelf A', store, { description: 'Reels and cables' })
  const box = await createLocation('Box 7', shelf)
  const bench = await createLocation('Bench', null)
  const category = await create('/api/part/category/', { name: 'Electronics' })
  const part = (name: string, more = {}) => create('/api/part/', { name, category, ...more })
  const parts = {
    resistor: await part('Resistor 10 kΩ 0603', {
      IPN: 'R-10K-0603',
      description: 'Thick film, 1 %, 100 mW',
      minimum_stock: 5_000,
      purchaseable: true,
    }),
    cable: await part('Cable LiYCY 4 × 0.25 mm², shielded, grey, on a drum of a hundred metres', {
      units: 'm',
      description: 'For the sensors at the doors of the big hall, where plain cable picks up the frequency converters',
      purchaseable: true,
    }),
    sensor: await part('Door sensor', { IPN: 'S-DOOR', trackable: true, assembly: true }),
    board: await part('Sensor board', { assembly: true, component: true }),
  }
  const supplier = await create('/api/company/', { name: 'Brightwell Components', is_supplier: true, currency: 'EUR' })
  const reel = await create('/api/company/part/', { part: parts.resistor, supplier, SKU: 'BW-R10K-REEL', pack_quantity: '5000' })
  const item = (partPk: number, quantity: number, location: number, more = {}) =>
    create('/api/stock/', { part: partPk, quantity, location, ...more })
  const items = {
    resistors: await item(parts.resistor, 4_200, shelf, {
      batch: 'L2031-88',
      supplier_part: reel,
      use_pack_size: false,
      purchase_price: '0.0042',
      purchase_price_currency: 'EUR',
    }),
    cable: await item(parts.cable, 87.5, shelf, { purchase_price: '1.85', purchase_price_currency: 'EUR' }),
    oldCable: await item(parts.cable, 12, box, { batch: 'rest of 2025', status: 50 }),
    sensor: 0,
    sensorTwo: 0,
    board: await item(parts.board, 30, shelf),
  }
  for (const [name, serial] of [
    ['sensor', '1001'],
    ['sensorTwo', '1002'],
  ] as const) {
    const { status, body } = await member.post('/api/stock/', {
      part: parts.sensor,
      quantity: 1,
      serial_numbers: serial,
      location: shelf,
    })
    assert.equal(status, 201)
    const response = (await superuser.get(`/api/stock/?part=${parts.sensor}&serial=${serial}&limit=1`)).body
    items[name] = response.results[0].pk
    assert.ok(body)
  }
  return { locations: { store, shelf, box, bench }, parts, items, supplier }
}
