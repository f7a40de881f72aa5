import type { Operation } from './client.ts'
import { any, isHeads, key, name, one, some } from './pick.ts'

/** Operations on base data: parts, categories, locations and companies. */
export const objects: Record<string, Operation> = {
  async create_part(client) {
    const supplier = await key(client, 'company', 'is_supplier')
    const copied = await key(client, 'part')
    const more: object[] = [
      { initial_stock: { quantity: any(9), location: await key(client, 'stock_location', 'not structural') } },
      { purchaseable: true, initial_supplier: { supplier, sku: name('SKU') } },
      { duplicate: { part: copied, copy_bom: true }, assembly: true },
      { variant_of: await key(client, 'part', 'is_template'), IPN: `IPN-${any(9)}` },
    ]
    const body = {
      name: name('Part'),
      description: 'made in a storm',
      category: await key(client, 'part_category', 'not structural'),
    }
    return client.send('POST', '/api/part/', { ...body, component: true, salable: true, ...one(more) })
  },

  async change_part(client) {
    const [part] = await some(client, 'part')
    const changes: object[] = [
      { name: name('Part') },
      { name: name('Part'), units: one(['', 'piece', 'dozen']) },
      { minimum_stock: any(30) },
      { category: await key(client, 'part_category', 'not structural') },
      { IPN: `IPN-${any(9)}` },
      { active: isHeads() },
      { description: name('part') },
    ]
    return client.send('PATCH', `/api/part/${part.pk}/`, one(changes))
  },

  async reshape_part(client) {
    if (Math.random() < 0.7) return
    const pk = await key(client, 'part')
    const changes = [{ variant_of: one([null, await key(client, 'part', 'is_template')]) }, { trackable: true }]
    return client.send('PATCH', `/api/part/${pk}/`, one(changes))
  },

  async delete_part(client) {
    const pk = await key(client, 'part', 'pk > 14')
    if (!pk) return
    await client.send('PATCH', `/api/part/${pk}/`, { active: false })
    return client.send('DELETE', `/api/part/${pk}/`)
  },

  async change_category_of_parts(client) {
    const parts = (await some(client, 'part', 'true', any(6))).map(({ pk }) => pk)
    const category = await key(client, 'part_category', 'not structural')
    return client.send('POST', '/api/part/change_category/', { parts, category })
  },

  async write_category(client) {
    const parent = await key(client, 'part_category')
    const pk = await key(client, 'part_category', 'pk > 2')
    if (!pk || isHeads()) return client.send('POST', '/api/part/category/', { name: name('Category'), parent })
    if (isHeads()) return client.send('DELETE', `/api/part/category/${pk}/`, {})
    return client.send(
      'PATCH',
      `/api/part/category/${pk}/`,
      one([{ parent }, { name: name('Category') }, { structural: isHeads() }]),
    )
  },

  async write_location(client) {
    const parent = await key(client, 'stock_location')
    const pk = await key(client, 'stock_location', 'pk > 4')
    if (!pk || isHeads()) return client.send('POST', '/api/stock/location/', { name: name('Shelf'), parent })
    if (Math.random() < 0.3) return client.send('DELETE', `/api/stock/location/${pk}/`, {})
    const changes = [{ parent }, { external: isHeads() }, { description: name('shelf') }, { structural: isHeads() }]
    return client.send('PATCH', `/api/stock/location/${pk}/`, one(changes))
  },

  async write_company(client) {
    const pk = await key(client, 'company', 'pk > 4')
    const body = { name: name('Company'), description: '', is_supplier: isHeads(), is_customer: isHeads() }
    if (!pk || isHeads()) return client.send('POST', '/api/company/', body)
    if (Math.random() < 0.4) return client.send('DELETE', `/api/company/${pk}/`)
    return client.send('PATCH', `/api/company/${pk}/`, { name: name('Company') })
  },

  async write_address(client) {
    const [kind, table] = one([
      ['address', 'address'],
      ['contact', 'contact'],
    ] as const)
    const company = await key(client, 'company')
    const pk = await key(client, table)
    const body = kind === 'address' ? { company, title: name('A'), primary: isHeads() } : { company, name: name('C') }
    if (!pk || isHeads()) return client.send('POST', `/api/company/${kind}/`, body)
    if (Math.random() < 0.3) return client.send('DELETE', `/api/company/${kind}/${pk}/`)
    return client.send('PATCH', `/api/company/${kind}/${pk}/`, body)
  },

  async write_account(client) {
    const pk = await key(client, 'user_account', "username like 'Account%'")
    if (!pk || isHeads()) return client.send('POST', '/api/user/', { username: name('Account').replaceAll(' ', '.') })
    return client.send('DELETE', `/api/user/${pk}/`)
  },

  async write_group(client) {
    const pk = await key(client, 'user_group', "name like 'Group%'")
    if (!pk || isHeads()) return client.send('POST', '/api/user/group/', { name: name('Group') })
    return client.send('DELETE', `/api/user/group/${pk}/`)
  },

  async write_owner(client) {
    const responsible = await key(client, 'owner')
    const [path, table, field] = one([
      ['order/po', 'purchase_order', 'responsible'],
      ['order/so', 'sales_order', 'responsible'],
      ['build', 'build_order', 'responsible'],
      ['part', 'part', 'responsible'],
      ['stock', 'stock_item', 'owner'],
    ] as const)
    const pk = await key(client, table)
    return pk && client.send('PATCH', `/api/${path}/${pk}/`, { [field]: responsible })
  },

  async write_parameter(client) {
    const [part, template] = [await key(client, 'part'), await key(client, 'part_parameter_template')]
    if (isHeads()) return client.send('POST', '/api/part/parameter/', { part, template, data: String(any(9)) })
    return client.send('PATCH', `/api/part/parameter/template/${template}/`, { units: one(['', 'm', 'mm']) })
  },

  async write_setting(client) {
    if (Math.random() < 0.9) return
    const value = one(['{{ part.name }}', '{{ part.IPN if part.IPN }} {{ part.name }}', ''])
    return client.send('PATCH', '/api/settings/global/PART_NAME_FORMAT/', { value })
  },

  async take_stock(client) {
    if (Math.random() < 0.7) return
    return client.send('POST', '/api/part/stocktake/report/generate/', { generate_report: false, update_parts: true })
  },

  async read(client) {
    const list = one(['/api/stock/', '/api/part/', '/api/order/po/', '/api/build/', '/api/order/so-line/?part_detail=true'])
    return client.send('GET', `${list}${list.includes('?') ? '&' : '?'}limit=25`)
  },
}
