import type { Client } from './client.ts'

/**
 * Creates the data of a storm: two suppliers and two customers, locations in a tree, parts that are purchased, built from each other,
 * tracked and variants of a template, with stock of each; and orders with lines for them.
 */
export async function createStormData({ send }: Client): Promise<void> {
  await send('PATCH', '/api/settings/global/STOCK_ENFORCE_BOM_INSTALLATION/', { value: false })
  await send('PATCH', '/api/settings/global/STOCKTAKE_ENABLE/', { value: true })
  const createObject = async (path: string, body: object): Promise<number> => {
    const response = await send('POST', path, body)
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${response.text}`)
    return response.body.pk
  }
  const company = (name: string, kind: object) => createObject('/api/company/', { name, description: '', ...kind })
  const suppliers = [await company('Bolts', { is_supplier: true }), await company('Chips', { is_supplier: true })]
  const customers = [await company('Shop', { is_customer: true }), await company('School', { is_customer: true })]
  for (const companyKey of [...suppliers, ...customers]) {
    await createObject('/api/company/address/', { company: companyKey, title: 'Office' })
    await createObject('/api/company/contact/', { company: companyKey, name: 'Desk' })
  }
  const house = await createObject('/api/stock/location/', { name: 'House' })
  for (const name of ['Left', 'Right', 'Back']) await createObject('/api/stock/location/', { name, parent: house })
  const category = await createObject('/api/part/category/', { name: 'Things' })
  await createObject('/api/part/category/', { name: 'Small things', parent: category })
  await createObject('/api/part/parameter/template/', { name: 'Length', units: 'm' })

  const part = (name: string, more: object = {}) =>
    createObject('/api/part/', {
      name,
      description: 'of the storm',
      category,
      component: true,
      purchaseable: true,
      salable: true,
      ...more,
    })
  const screws: number[] = []
  for (const name of ['Screw', 'Nut', 'Plate', 'Cable']) screws.push(await part(name, { minimum_stock: 200 }))
  const board = await part('Board', { is_template: true, trackable: true })
  const boards = [board, await part('Board blue', { variant_of: board, trackable: true })]
  boards.push(await part('Board red', { variant_of: board, trackable: true }))
  const lamp = await part('Lamp', { trackable: true, assembly: true })
  const chair = await part('Chair', { assembly: true })
  const table = await part('Table', { assembly: true })
  const shelf = await part('Shelf', { assembly: true })
  await createObject('/api/part/test-template/', { part: lamp, test_name: 'Shines', description: 'It shines' })
  // components before and after their assemblies, in key order
  const boms: [number, number[]][] = [
    [lamp, [boards[1] as number, screws[0] as number]],
    [chair, [...screws, lamp].slice(0, 4)],
    [table, screws.toReversed()],
    [shelf, [table, screws[1] as number]],
  ]
  for (const [assembly, components] of boms)
    for (const sub_part of components) await createObject('/api/bom/', { part: assembly, sub_part, quantity: 1 })
  const all = [...screws, ...boards, lamp, chair, table, shelf]
  const locations = [house, house + 1, house + 2, house + 3]
  for (const [index, partKey] of all.entries())
    for (const location of locations)
      await createObject('/api/stock/', { part: partKey, quantity: 50, location, delete_on_deplete: index % 2 === 0 })

  const supplierParts: number[] = []
  for (const [index, partKey] of [...screws, ...boards.slice(1), lamp].entries())
    supplierParts.push(
      await createObject('/api/company/part/', { part: partKey, supplier: suppliers[index % 2], SKU: `S-${index}` }),
    )
  for (const [index, supplier] of [...suppliers, ...suppliers].entries()) {
    const order = await createObject('/api/order/po/', { reference: `PO-${1_000_000 + index}`, supplier })
    for (const [number, supplierPart] of supplierParts.entries())
      if (suppliers[number % 2] === supplier)
        await createObject('/api/order/po-line/', { order, part: supplierPart, quantity: 500 })
    await send('POST', `/api/order/po/${order}/issue/`, {})
  }
  for (const [index, customer] of [...customers, ...customers].entries()) {
    const order = await createObject('/api/order/so/', { reference: `SO-${1_000_000 + index}`, customer })
    for (const partKey of index % 2 ? all : all.toReversed())
      await createObject('/api/order/so-line/', { order, part: partKey, quantity: 40 })
    await createObject('/api/order/so/shipment/', { order })
    await send('POST', `/api/order/so/${order}/issue/`, {})
  }
  for (const [index, assembly] of [lamp, chair, table, shelf, chair].entries())
    await createObject('/api/build/', { part: assembly, quantity: 5, reference: `BO-${1_000_000 + index}` })
}
