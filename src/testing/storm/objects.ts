import type { Operation } from './client.ts'
import { createName, isHeads, pickKey, pickOne, pickRows, randomInteger } from './pick.ts'

/** Operations on base data: parts, categories, locations and companies. */
export const objects: Record<string, Operation> = {
  async create_part(client) {
    const supplier = await pickKey(client, 'company', 'is_supplier')
    const copied = await pickKey(client, 'part')
    const more: object[] = [
      { initial_stock: { quantity: randomInteger(9), location: await pickKey(client, 'stock_location', 'not structural') } },
      { purchaseable: true, initial_supplier: { supplier, sku: createName('SKU') } },
      { duplicate: { part: copied, copy_bom: true }, assembly: true },
      { variant_of: await pickKey(client, 'part', 'is_template'), IPN: `IPN-${randomInteger(9)}` },
    ]
    const body = {
      name: createName('Part'),
      description: 'made in a storm',
      category: await pickKey(client, 'part_category', 'not structural'),
    }
    return client.send('POST', '/api/part/', { ...body, component: true, salable: true, ...pickOne(more) })
  },

  async change_part(client) {
    const [part] = await pickRows(client, 'part')
    const changes: object[] = [
      { name: createName('Part') },
      { name: createName('Part'), units: pickOne(['', 'piece', 'dozen']) },
      { minimum_stock: randomInteger(30) },
      { category: await pickKey(client, 'part_category', 'not structural') },
      { IPN: `IPN-${randomInteger(9)}` },
      { active: isHeads() },
      { description: createName('part') },
    ]
    return client.send('PATCH', `/api/part/${part.pk}/`, pickOne(changes))
  },

  async reshape_part(client) {
    if (Math.random() < 0.7) return
    const pk = await pickKey(client, 'part')
    const changes = [{ variant_of: pickOne([null, await pickKey(client, 'part', 'is_template')]) }, { trackable: true }]
    return client.send('PATCH', `/api/part/${pk}/`, pickOne(changes))
  },

  async delete_part(client) {
    const pk = await pickKey(client, 'part', 'pk > 14')
    if (!pk) return
    await client.send('PATCH', `/api/part/${pk}/`, { active: false })
    return client.send('DELETE', `/api/part/${pk}/`)
  },

  async change_category_of_parts(client) {
    const parts = (await pickRows(client, 'part', 'true', randomInteger(6))).map(({ pk }) => pk)
    const category = await pickKey(client, 'part_category', 'not structural')
    return client.send('POST', '/api/part/change_category/', { parts, category })
  },

  async write_category(client) {
    const parent = await pickKey(client, 'part_category')
    const pk = await pickKey(client, 'part_category', 'pk > 2')
    if (!pk || isHeads()) return client.send('POST', '/api/part/category/', { name: createName('Category'), parent })
    if (isHeads()) return client.send('DELETE', `/api/part/category/${pk}/`, {})
    return client.send(
      'PATCH',
      `/api/part/category/${pk}/`,
      pickOne([{ parent }, { name: createName('Category') }, { structural: isHeads() }]),
    )
  },

  async write_location(client) {
    const parent = await pickKey(client, 'stock_location')
    const pk = await pickKey(client, 'stock_location', 'pk > 4')
    if (!pk || isHeads()) return client.send('POST', '/api/stock/location/', { name: createName('Shelf'), parent })
    if (Math.random() < 0.3) return client.send('DELETE', `/api/stock/location/${pk}/`, {})
    const changes = [{ parent }, { external: isHeads() }, { description: createName('shelf') }, { structural: isHeads() }]
    return client.send('PATCH', `/api/stock/location/${pk}/`, pickOne(changes))
  },

  async write_company(client) {
    const pk = await pickKey(client, 'company', 'pk > 4')
    const body = { name: createName('Company'), description: '', is_supplier: isHeads(), is_customer: isHeads() }
    if (!pk || isHeads()) return client.send('POST', '/api/company/', body)
    if (Math.random() < 0.4) return client.send('DELETE', `/api/company/${pk}/`)
    return client.send('PATCH', `/api/company/${pk}/`, { name: createName('Company') })
  },

  async write_address(client) {
    const [kind, table] = pickOne([
      ['address', 'address'],
      ['contact', 'contact'],
    ] as const)
    const company = await pickKey(client, 'company')
    const pk = await pickKey(client, table)
    const body = kind === 'address' ? { company, title: createName('A'), primary: isHeads() } : { company, name: createName('C') }
    if (!pk || isHeads()) return client.send('POST', `/api/company/${kind}/`, body)
    if (Math.random() < 0.3) return client.send('DELETE', `/api/company/${kind}/${pk}/`)
    return client.send('PATCH', `/api/company/${kind}/${pk}/`, body)
  },

  async write_account(client) {
    const pk = await pickKey(client, 'user_account', "username like 'Account%'")
    if (!pk || isHeads()) return client.send('POST', '/api/user/', { username: createName('Account').replaceAll(' ', '.') })
    return client.send('DELETE', `/api/user/${pk}/`)
  },

  async write_group(client) {
    const pk = await pickKey(client, 'user_group', "name like 'Group%'")
    if (!pk || isHeads()) return client.send('POST', '/api/user/group/', { name: createName('Group') })
    return client.send('DELETE', `/api/user/group/${pk}/`)
  },

  async write_owner(client) {
    const responsible = await pickKey(client, 'owner')
    const [path, table, field] = pickOne([
      ['order/po', 'purchase_order', 'responsible'],
      ['order/so', 'sales_order', 'responsible'],
      ['build', 'build_order', 'responsible'],
      ['part', 'part', 'responsible'],
      ['stock', 'stock_item', 'owner'],
    ] as const)
    const pk = await pickKey(client, table)
    return pk && client.send('PATCH', `/api/${path}/${pk}/`, { [field]: responsible })
  },

  async write_parameter(client) {
    const [part, template] = [await pickKey(client, 'part'), await pickKey(client, 'parameter_template')]
    if (isHeads()) return client.send('POST', '/api/part/parameter/', { part, template, data: String(randomInteger(9)) })
    return client.send('PATCH', `/api/part/parameter/template/${template}/`, { units: pickOne(['', 'm', 'mm']) })
  },

  async write_parameter_of_any_object(client) {
    const [model_type, table] = pickOne([
      ['part', 'part'],
      ['company', 'company'],
      ['supplierpart', 'supplier_part'],
      ['purchaseorder', 'purchase_order'],
      ['salesorder', 'sales_order'],
      ['build', 'build_order'],
      ['stocklocation', 'stock_location'],
    ] as const)
    const [model_id, template] = [await pickKey(client, table), await pickKey(client, 'parameter_template')]
    const pk = await pickKey(client, 'parameter')
    if (!pk || isHeads())
      return client.send('POST', '/api/parameter/', { model_type, model_id, template, data: String(randomInteger(9)) })
    if (isHeads()) return client.send('PATCH', `/api/parameter/${pk}/`, { data: String(randomInteger(9)) })
    return client.send('DELETE', `/api/parameter/${pk}/`)
  },

  async lock_part(client) {
    const pk = await pickKey(client, 'part')
    await client.send('PATCH', `/api/part/${pk}/`, { locked: true })
    return client.send('PATCH', `/api/part/${pk}/`, { locked: false })
  },

  async set_primary_supplier_part(client) {
    const pk = await pickKey(client, 'supplier_part')
    return pk && client.send('PATCH', `/api/company/part/${pk}/`, { primary: isHeads() })
  },

  async write_selection_list(client) {
    const pk = await pickKey(client, 'selection_list')
    if (!pk || Math.random() < 0.2) return client.send('POST', '/api/selection/', { name: createName('List') })
    if (isHeads()) return client.send('POST', `/api/selection/${pk}/entry/`, { value: createName('v'), label: 'x' })
    return client.send('PATCH', `/api/selection/${pk}/`, { description: createName('List') })
  },

  async write_setting(client) {
    if (Math.random() < 0.9) return
    const value = pickOne(['{{ part.name }}', '{{ part.IPN if part.IPN }} {{ part.name }}', ''])
    return client.send('PATCH', '/api/settings/global/PART_NAME_FORMAT/', { value })
  },

  async take_stock(client) {
    if (Math.random() < 0.7) return
    return client.send('POST', '/api/part/stocktake/report/generate/', { generate_report: false, update_parts: true })
  },

  async read(client) {
    const list = pickOne(['/api/stock/', '/api/part/', '/api/order/po/', '/api/build/', '/api/order/so-line/?part_detail=true'])
    return client.send('GET', `${list}${list.includes('?') ? '&' : '?'}limit=25`)
  },
}
