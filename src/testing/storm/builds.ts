import type { Client, Operation } from './client.ts'
import { createName, isHeads, isOneInFour, nextNumber, pickKey, pickOne, pickRows, randomInteger } from './pick.ts'

const ACTIVE = 'status in (10, 20, 25)'
const pickActiveBuild = (client: Client) => pickRows(client, 'build_order', ACTIVE)
const pickLocation = (client: Client) => pickKey(client, 'stock_location', 'not structural')

const pickOutputs = (client: Client, build: number, count = 1) =>
  pickRows(client, 'stock_item', `build = ${build} and is_building`, count)

/** Operations on build orders and BOMs. */
export const builds: Record<string, Operation> = {
  async create_build(client) {
    const count = (await client.rows(`select count(*)::integer as count from build_order where ${ACTIVE}`))[0].count
    if (count > 12) return
    const body = {
      part: await pickKey(client, 'part', 'assembly and active'),
      reference: `BO-${nextNumber()}`,
      quantity: randomInteger(5),
    }
    return client.send('POST', '/api/build/', { ...body, sales_order: await pickKey(client, 'sales_order') })
  },

  async change_build(client) {
    const [build] = await pickActiveBuild(client)
    const changes = [
      { reference: `BO-${nextNumber()}`, quantity: randomInteger(9) },
      { parent: await pickKey(client, 'build_order') },
      { title: createName('build') },
    ]
    return build && client.send('PATCH', `/api/build/${build.pk}/`, pickOne(changes))
  },

  async allocate_build(client) {
    const [build] = await pickActiveBuild(client)
    if (!build) return
    const lines = await pickRows(client, 'build_line', `build = ${build.pk}`, randomInteger(3))
    const [output] = await pickOutputs(client, build.pk)
    const items: object[] = []
    for (const line of lines) {
      const [item] = await pickRows(
        client,
        'stock_item',
        `in_stock and part = ${line.part} and quantity > allocated_to_build_orders + allocated_to_sales_orders + allocated_to_transfer_orders`,
      )
      const [part] = await client.rows('select trackable from part where pk = $1', [line.part])
      if (item)
        items.push({
          build_line: line.pk,
          stock_item: item.pk,
          quantity: item.serial ? 1 : randomInteger(2),
          output: part?.trackable ? (output?.pk ?? null) : null,
        })
    }
    return client.send('POST', `/api/build/${build.pk}/allocate/`, { items })
  },

  async auto_allocate(client) {
    const [build] = await pickActiveBuild(client)
    return build && client.send('POST', `/api/build/${build.pk}/auto-allocate/`, { interchangeable: true, substitutes: true })
  },

  async consume(client) {
    const [build] = await pickActiveBuild(client)
    if (!build) return
    const [line, other] = await pickRows(client, 'build_line', `build = ${build.pk}`, 2)
    const [allocation] = other ? await pickRows(client, 'build_allocation', `is_open and build_line = ${other.pk}`) : []
    const items = allocation ? [{ build_item: allocation.pk, quantity: 1 }] : []
    return line && client.send('POST', `/api/build/${build.pk}/consume/`, { lines: [{ build_line: line.pk }], items })
  },

  async unallocate(client) {
    const [build] = isOneInFour() ? await pickActiveBuild(client) : []
    return build && client.send('POST', `/api/build/${build.pk}/unallocate/`, {})
  },

  async change_build_allocation(client) {
    const pk = await pickKey(client, 'build_allocation')
    return pk && client.send(isHeads() ? 'PATCH' : 'DELETE', `/api/build/item/${pk}/`, { quantity: randomInteger(3) })
  },

  async create_output(client) {
    const [build] = await pickActiveBuild(client)
    if (!build) return
    const [part] = await client.rows('select trackable from part where pk = $1', [build.part])
    const serials = part?.trackable ? { serial_numbers: isHeads() ? '~' : String(randomInteger(60)), auto_allocate: true } : {}
    const body = { quantity: part?.trackable ? 1 : randomInteger(3), location: await pickLocation(client), ...serials }
    return client.send('POST', `/api/build/${build.pk}/create-output/`, body)
  },

  async complete_output(client) {
    const [build] = await pickActiveBuild(client)
    if (!build) return
    const outputs = (await pickOutputs(client, build.pk, randomInteger(2))).map(({ pk }) => ({ output: pk }))
    const body = { outputs, location: await pickLocation(client), accept_incomplete_allocation: true }
    return outputs.length ? client.send('POST', `/api/build/${build.pk}/complete/`, body) : undefined
  },

  async scrap_output(client) {
    const [build] = await pickActiveBuild(client)
    const [output] = build ? await pickOutputs(client, build.pk) : []
    const body = { outputs: [{ output: output?.pk, quantity: 1 }], location: await pickLocation(client), notes: 'Cracked' }
    return output && client.send('POST', `/api/build/${build.pk}/scrap-outputs/`, { ...body, discard_allocations: isHeads() })
  },

  async delete_output(client) {
    const [build] = await pickActiveBuild(client)
    const [output] = build ? await pickOutputs(client, build.pk) : []
    return output && client.send('POST', `/api/build/${build.pk}/delete-outputs/`, { outputs: [{ output: output.pk }] })
  },

  async finish_build(client) {
    if (!isOneInFour()) return
    const [build] = await pickActiveBuild(client)
    const body = { accept_overallocated: pickOne(['accept', 'trim']), accept_unallocated: true, accept_incomplete: true }
    return build && client.send('POST', `/api/build/${build.pk}/finish/`, body)
  },

  async cancel_build(client) {
    if (!isOneInFour()) return
    const [build] = await pickActiveBuild(client)
    const body = { remove_allocated_stock: isHeads(), remove_incomplete_outputs: true }
    return build && client.send('POST', `/api/build/${build.pk}/cancel/`, body)
  },

  async hold_build(client) {
    const [build] = await pickActiveBuild(client)
    return build && client.send('POST', `/api/build/${build.pk}/${isOneInFour() ? 'hold' : 'issue'}/`, {})
  },

  async delete_build(client) {
    const pk = await pickKey(client, 'build_order', 'status = 30')
    return pk && client.send('DELETE', `/api/build/${pk}/`)
  },

  async delete_build_line(client) {
    const pk = await pickKey(client, 'build_line')
    return pk && Math.random() < 0.2 ? client.send('DELETE', `/api/build/line/${pk}/`) : undefined
  },

  async add_component(client) {
    const body = { part: await pickKey(client, 'part', 'assembly'), sub_part: await pickKey(client, 'part', 'component') }
    return client.send('POST', '/api/bom/', { ...body, quantity: randomInteger(3), allow_variants: isHeads() })
  },

  async change_component(client) {
    const pk = await pickKey(client, 'bom_item')
    const changes = [
      { quantity: randomInteger(4) },
      { sub_part: await pickKey(client, 'part', 'component') },
      { note: createName('note') },
    ]
    return pk && client.send('PATCH', `/api/bom/${pk}/`, pickOne(changes))
  },

  async delete_components(client) {
    const lines = await pickRows(client, 'bom_item', 'pk > 4', randomInteger(2))
    return client.send('DELETE', '/api/bom/', { items: lines.map(({ pk }) => pk) })
  },

  async validate_bom(client) {
    const pk = await pickKey(client, 'part', 'assembly')
    return client.send('PUT', `/api/part/${pk}/bom-validate/`, { valid: true })
  },

  async copy_bom(client) {
    const [target, source] = await pickRows(client, 'part', 'assembly', 2)
    const body = { part: source?.pk, skip_invalid: true, remove_existing: Math.random() < 0.3 }
    return source && client.send('POST', `/api/part/${target.pk}/bom-copy/`, body)
  },

  async substitute(client) {
    const body = { bom_item: await pickKey(client, 'bom_item'), part: await pickKey(client, 'part', 'component') }
    return client.send('POST', '/api/bom/substitute/', body)
  },
}
