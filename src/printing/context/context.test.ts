import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Problem } from '../../kit/request/problem.ts'
import { createCaller, createRenderer } from '../../resources/printing/fixture.ts'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'
import { TemplateError } from '../rendering.ts'

const service = await testService()
const { texts, statements, reader } = createRenderer(service)
const factory = createPurchaseHelpers(service)
const { superuser } = service

/** Creates an order with this number of lines, each with its own part; returns its key. */
async function createOrder(lines: number): Promise<number> {
  const supplier = await factory.supplier({ currency: 'EUR' })
  const { body } = await superuser.post('/api/order/po/', { supplier, reference: `PO-${String(++orderCount).padStart(4, '0')}` })
  for (let index = 0; index < lines; index++) {
    const part = await factory.supplierPart(supplier)
    await superuser.post('/api/order/po-line/', {
      order: body.pk,
      part,
      quantity: '12345678901234.12345',
      purchase_price: '0.100000',
      purchase_price_currency: 'EUR',
    })
  }
  return body.pk
}
let orderCount = 0
const orderReport = { kind: 'report/po', template: { name: 'Order' } } as const

describe('template variables of objects', () => {
  beforeEach(() => {
    statements.length = 0
  })

  it('are the API responses, field by field', async () => {
    const part = await factory.part()
    await superuser.patch(`/api/part/${part}/`, { IPN: 'X-1', minimum_stock: 2.5, tags: ['one', 'two'] })
    const { body } = await superuser.get(`/api/part/${part}/?category_detail=true&path_detail=true&parameters=true`)
    // a reference is the object itself, and prints as its name instead of its key
    for (const [name, value] of Object.entries(body)) {
      if (value === null || typeof value === 'object' || name === 'creation_user') continue
      const [output] = await texts(`{{ part["${name}"] }}`, { items: [part] })
      assert.equal(output?.replaceAll('&#34;', '"'), String(value), name)
    }
    assert.deepEqual(await texts('{{ part.tags | join: "+" }}', { items: [part] }), ['one+two'])
  })

  it('contain the BOM of a part, with inherited lines, in one statement per path', async () => {
    const [table, red, leg, top] = [await factory.part(), await factory.part(), await factory.part(), await factory.part()]
    await superuser.patch(`/api/part/${table}/`, { is_template: true, assembly: true })
    await superuser.patch(`/api/part/${red}/`, { variant_of: table, assembly: true })
    await superuser.patch(`/api/part/${leg}/`, { IPN: 'LEG' })
    await superuser.patch(`/api/part/${top}/`, { IPN: 'TOP' })
    for (const line of [
      { part: table, sub_part: leg, quantity: 4, inherited: true },
      { part: table, sub_part: top, quantity: 1 },
      { part: red, sub_part: top, quantity: 2, reference: 'above' },
    ])
      assert.equal((await superuser.post('/api/bom/', line)).status, 201)
    const bom = { kind: 'report/bom', template: { name: 'Parts' }, items: [table, red] } as const
    statements.length = 0
    assert.deepEqual(
      await texts('{% for line in bom_items %}{{ line.quantity }} {{ line.sub_part.IPN }}{{ line.reference }} {% endfor %}', bom),
      ['4 LEG 1 TOP', '4 LEG 2 TOPabove'],
    )
    assert.equal(statements.length, 3)
    await service.rows(`insert into stock_item (part, quantity, purchase_price_currency) values ($1, 9, 'EUR'), ($2, 3, 'EUR')`, [
      leg,
      top,
    ])
    const django = '{% load report %}{{ part.has_bom }} {{ part.bom_count }} {{ part.can_build }}'
    assert.deepEqual(await texts(django, { items: [table, red, leg] }), ['True 2 2', 'True 2 1', 'False 0 0'])
    assert.deepEqual(await texts('{% for line in part.used_in %}{{ line.quantity }} {% endfor %}', { items: [top] }), ['1 2'])
  })

  it('contain the related data of a part: parameters by name, prices, tests', async () => {
    const part = await factory.part()
    await superuser.patch(`/api/part/${part}/`, { salable: true, trackable: true })
    const { body: template } = await superuser.post('/api/part/parameter/template/', { name: 'Resistance', units: 'ohm' })
    await superuser.post('/api/part/parameter/', { part, template: template.pk, data: '4k7' })
    await superuser.post('/api/part/sale-price/', { part, quantity: 10, price: '1.5' })
    await superuser.post('/api/part/internal-price/', { part, quantity: 20, price: '1' })
    await superuser.post('/api/part/test-template/', { part, test_name: 'Load', description: 'Bears 150 kg' })
    const source =
      '{{ parameters["Resistance"] }} {{ part.parameters[0].data_numeric }}{% for one in part.sale_prices %} {{ one.quantity }}{% endfor %}{% for one in part.internal_prices %} {{ one.quantity }}{% endfor %}{% for one in part.test_templates %} {{ one.key }}{% endfor %}'
    assert.deepEqual(await texts(source, { items: [part] }), ['4k7 4700 10 20 load'])
  })

  it('follow references, in the order and frequency of the requested objects', async () => {
    const [firstOrder, secondOrder] = [await createOrder(1), await createOrder(2)]
    const source =
      '{{ reference }}:{{ supplier.name }}={{ order.supplier }}{% for line in lines %} {{ line.part.SKU }}/{{ line.part.part.full_name }}{% endfor %}'
    const [first, second, third] = await texts(source, { ...orderReport, items: [secondOrder, firstOrder, secondOrder] })
    assert.equal(first, third)
    assert.match(second ?? '', /^PO-0001:Supplier (\d+)=Supplier \1 SKU \d+\/Part \d+$/)
    assert.equal(first?.match(/SKU/g)?.length, 2)
  })

  it('take one statement per path in the template, however many objects there are', async () => {
    const source = '{{ supplier.name }}{% for line in lines %}{{ line.part.SKU }}{{ line.part.part.category.name }}{% endfor %}'
    const [firstOrder, ...otherOrders] = [await createOrder(1), await createOrder(3), await createOrder(2)]
    await texts(source, { ...orderReport, items: [firstOrder] })
    const statementCount = statements.length
    // the order, its supplier, its lines, their supplier parts, and the parts of those
    assert.equal(statementCount, 5)
    await texts(source, { ...orderReport, items: [...otherOrders, firstOrder, ...otherOrders] })
    assert.equal(statements.length, 2 * statementCount)
  })

  it('keep every digit', async () => {
    const source =
      '{% for line in lines %}{{ line.quantity }} {{ line.quantity | times: line.purchase_price }} {{ line.purchase_price | money: line.purchase_price_currency }}{% endfor %}'
    assert.deepEqual(await texts(source, { ...orderReport, items: [await createOrder(1)] }), [
      '12345678901234.12345 1234567890123.412345 €0.10',
    ])
  })

  it('are absent without permission to view their type; the printed object requires it', async () => {
    const item = await createOrder(1)
    const roles = new Map([['purchase_order', new Set(['view'] as const)]])
    const caller = createCaller(service.getPk('member'), { isSuperuser: false, isStaff: false, roles })
    const source = '{{ reference }} {{ lines.size }} {% for line in lines %}[{{ line.part.part.name }}]{% endfor %}'
    assert.deepEqual(await texts(source, { ...orderReport, items: [item], reader: reader(caller) }), [`PO-000${orderCount} 1 []`])
    const anonymous = createCaller(service.getPk('member'), { isSuperuser: false, isStaff: false })
    await assert.rejects(
      texts(source, { ...orderReport, items: [item], reader: reader(anonymous) }),
      (error) => (error as Problem).status === 403,
    )
  })

  it('are at most five references away', async () => {
    const path = `part${'.supplier_parts[0].part'.repeat(3)}`
    await assert.rejects(
      texts(`{{ ${path}.name }}`, { items: [await createSuppliedPart()] }),
      (error) => error instanceof TemplateError && /at most 5 references/.test(error.message),
    )
  })

  it("name no account but the caller's", async () => {
    assert.deepEqual(
      await texts('{{ user.username }}[{{ user.password }}{{ part.creation_user.username }}]', { items: [await factory.part()] }),
      ['superuser[]'],
    )
  })

  it('are those of a sample if no object is named', async () => {
    const build = { kind: 'report/build', template: { name: 'Parts' } } as const
    assert.deepEqual(await texts('{% for item in bom_items %}{{ item.sub_part.IPN }} {% endfor %}', build), ['SAMPLE-1 SAMPLE-2'])
    const line = { kind: 'label/buildline', template: { name: 'Line' } } as const
    assert.deepEqual(await texts('{{ build.reference }} {{ part.IPN }} {{ allocated_quantity }}', line), [
      'BO-SAMPLE SAMPLE-1 40',
    ])
  })

  it('are rejected for unknown objects', () =>
    assert.rejects(texts('{{ part }}', { items: [999_999] }), (error) => error instanceof Problem && error.status === 400))
})

async function createSuppliedPart(): Promise<number> {
  const part = await factory.part()
  await factory.supplierPart(await factory.supplier(), { part })
  return part
}
