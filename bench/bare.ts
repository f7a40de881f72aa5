import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { createPool } from '../src/database/connect.ts'
import { READS, WRITES } from './bare-full-scale.ts'

/**
 * The baseline of the benchmark: a Fastify server with one hand-written prepared statement per route and nothing else, on the same
 * database. No permissions, no validation, no count; sales orders take the locks without which they would be wrong.
 */
const pool = createPool(process.env.DATABASE_URL as string, 10)
const app = Fastify()

// the response of the service, written by hand, so that the ratio shows the cost of the engine
const selectOwner = (
  pk: string,
) => `(select row_to_json(x) from (select o.pk, coalesce(o."user", o."group") as owner_id, coalesce(u.username, g.name) as name,
  case when o."user" is null then 'group' else 'user' end as label
  from owner o left join user_account u on u.pk = o."user" left join user_group g on g.pk = o."group" where o.pk = ${pk}) x)`
const ORDER = `t.pk, t.creation_date, t.target_date, t.description, t.line_items, t.completed_lines, t.link, t.project_code,
  (select row_to_json(x) from (select p.pk, p.code, p.description, p.responsible, ${selectOwner('p.responsible')} as responsible_detail from project_code p where p.pk = t.project_code) x) as project_code_detail,
  t.reference, t.responsible,
  ${selectOwner('t.responsible')} as responsible_detail,
  t.contact, (select row_to_json(x) from (select c.pk, c.company, c.name, c.phone, c.email, c.role from contact c where c.pk = t.contact) x) as contact_detail,
  t.address, (select row_to_json(x) from (select a.pk, a.line1, a.line2, a.postal_code, a.postal_city, a.province, a.country, a.shipping_notes,
     a.internal_shipping_notes from address a where a.pk = t.address) x) as address_detail,
  t.status, case t.status when 10 then 'Pending' when 20 then 'Placed' when 30 then 'Complete' when 40 then 'Cancelled' else '' end as status_text,
  t.notes, t.barcode_hash, coalesce(t.status in (10, 20) and t.target_date < current_date, false) as overdue, t.issue_date, t.complete_date,
  t.supplier, t.supplier_reference, t.total_price::text, t.order_currency`

const list = {
  name: 'list',
  text: `select coalesce(json_agg(r), '[]')::text as body from (select ${ORDER} from purchase_order t order by reference_int desc, reference desc, pk desc limit $1 offset $2) r`,
}
const filtered = {
  name: 'filtered',
  text: `select coalesce(json_agg(r), '[]')::text as body from (select ${ORDER} from purchase_order t where status = $3 order by reference_int desc, reference desc, pk desc limit $1 offset $2) r`,
}
const search = {
  name: 'search',
  text: `select coalesce(json_agg(r), '[]')::text as body from (select ${ORDER} from purchase_order t left join company c on c.pk = t.supplier where t.reference ilike $3 or c.name ilike $3 or t.description ilike $3 order by reference_int desc, reference desc, t.pk desc limit $1 offset $2) r`,
}
const detail = {
  name: 'detail',
  text: `select row_to_json(r)::text as body from (select ${ORDER} from purchase_order t where pk = $1) r`,
}
const create = {
  name: 'create',
  text: `insert into purchase_order (reference, reference_int, supplier, total_price, total_price_currency) values ($1, $2, $3, 0, 'USD') returning row_to_json(purchase_order)::text as body`,
}
const receive = {
  name: 'receive',
  text: `update purchase_order_line set received = received + 1 where pk = $1 returning row_to_json(purchase_order_line)::text as body`,
}
// the result of scanning a linked code, as GET of a stock item returns it
const scan = {
  name: 'scan',
  text: `select row_to_json(r)::text as body from (
    select t.batch, t.belongs_to, t.build, t.consumed_by, t.customer, t.delete_on_deplete, t.expiry_date, t.is_building, t.link, t.location,
      (select row_to_json(x) from (select l.pk, l.name, l.pathstring from stock_location l where l.pk = t.location) x) as location_detail,
      t.notes, t.owner, t.packaging, t.part, (select row_to_json(x) from (select p.pk, p."IPN", p.barcode_hash,
        (select above.default_location from part_category c, part_category above where c.pk = p.category and above.pk = any(c.path)
          and above.default_location is not null order by above.level desc limit 1) as category_default_location,
        p.default_location, p.name, p.revision, p.full_name, p.description, p.image, '/static/img/blank_image.thumbnail.png' as thumbnail, p.active,
        p.assembly, p.is_template, p.purchaseable, p.salable, p.trackable, p.virtual, p.units, g.overall_min::text as pricing_min,
        g.overall_max::text as pricing_max from part p left join part_pricing g on g.part = p.pk where p.pk = t.part) x) as part_detail,
      t.purchase_order, (select reference from purchase_order o where o.pk = t.purchase_order) as purchase_order_reference, t.pk, t.quantity,
      t.sales_order, (select reference from sales_order o where o.pk = t.sales_order) as sales_order_reference, t.serial, t.status,
      case t.status when 10 then 'OK' when 50 then 'Attention needed' when 55 then 'Damaged' else '' end as status_text, t.stocktake_date,
      t.supplier_part, (select row_to_json(x) from (select s.*, concat_ws(' | ', nullif(p."IPN", ''), c.name, s."SKU", a.name, m."MPN") as name
        from supplier_part s join part p on p.pk = s.part join company c on c.pk = s.supplier
        left join manufacturer_part m on m.pk = s.manufacturer_part left join company a on a.pk = m.manufacturer
        where s.pk = t.supplier_part) x) as supplier_part_detail,
      t.barcode_hash, t.updated, t.purchase_price::text, t.purchase_price_currency, t.allocated_to_sales_orders as allocated,
      coalesce(t.in_stock and t.expiry_date < current_date, false) as expired,
      (select count(*) from stock_item i where i.belongs_to = t.pk) as installed_items,
      (select count(*) from stock_item i where i.parent = t.pk) as child_items,
      (select count(*) from stock_tracking k where k.item = t.pk) as tracking_items, t.tags
    from linked_code f join stock_item t on t.pk = f.object where f.hash = $1 and f.kind = 'stockitem') r`,
}
// sales orders: the same, with their own fields
const SALES_ORDER = ORDER.replace(
  / {2}t\.status, [\s\S]*? as status_text/,
  `  t.status, case t.status when 10 then 'Pending' when 15 then 'In Progress' when 20 then 'Shipped' when 40 then 'Cancelled' else '' end as status_text`,
)
  .replace('in (10, 20)', 'in (10, 15)')
  .replace(
    't.issue_date, t.complete_date,\n  t.supplier, t.supplier_reference',
    't.customer, t.customer_reference, t.shipment_date',
  )
// selects the page first, and only then the fields of each row: skipped rows cost nothing else
const NEWEST_FIRST = 'order by reference_int desc, reference desc, pk desc'
const SALES = `select * from sales_order ${NEWEST_FIRST}`
const SALES_OF_STATUS = `select * from sales_order where status = $3 ${NEWEST_FIRST}`
const sales = {
  name: 'sales',
  text: `select coalesce(json_agg(r), '[]')::text as body from (select ${SALES_ORDER} from (${SALES} limit $1 offset $2) t ${NEWEST_FIRST}) r`,
}
const salesFiltered = {
  name: 'sales filtered',
  text: `select coalesce(json_agg(r), '[]')::text as body from (select ${SALES_ORDER} from (${SALES_OF_STATUS} limit $1 offset $2) t ${NEWEST_FIRST}) r`,
}
const sale = {
  name: 'sale',
  text: `select row_to_json(r)::text as body from (select ${SALES_ORDER} from sales_order t where pk = $1) r`,
}
const salesLines = {
  name: 'sales lines',
  text: `select coalesce(json_agg(r), '[]')::text as body from (
    select l.pk, l."order", (select row_to_json(x) from (select ${SALES_ORDER} from sales_order t where t.pk = l."order") x) as order_detail, l.link,
      coalesce((select sum(a.quantity) from sales_order_allocation a where a.line = l.pk), 0) as allocated,
      q.in_stock - q.allocated_to_sales_orders - q.allocated_to_build_orders as available_stock, 0 as available_variant_stock,
      l.quantity, l.reference, l.notes, coalesce(l.shipped < l.quantity and o.status in (10, 15) and coalesce(l.target_date, o.target_date) < current_date, false) as overdue,
      l.part, (select row_to_json(x) from (select p.pk, p."IPN", p.barcode_hash, p.default_location, p.name, p.revision, p.full_name, p.description,
        p.image, p.active, p.assembly, p.is_template, p.purchaseable, p.salable, p.trackable, p.virtual, p.units from part p where p.pk = l.part) x) as part_detail,
      l.sale_price::text, l.sale_price_currency, l.shipped, l.target_date
    from (select * from sales_order_line order by pk limit $1 offset $2) l
    join sales_order o on o.pk = l."order" left join part_quantity q on q.pk = l.part
    order by l.pk) r`,
}
const allocation = {
  name: 'allocation',
  text: `with o as materialized (select pk from sales_order where pk = (select "order" from sales_order_line where pk = $1) for update),
    i as materialized (select i.pk from stock_item i, o where i.pk = $3 for update of i)
    insert into sales_order_allocation (line, shipment, item, quantity) select $1, $2, i.pk, $4 from i returning row_to_json(sales_order_allocation)::text as body`,
}
// everything that shipping one allocation locks and writes, without any checks
const shipping = {
  name: 'shipping',
  text: `with o as materialized (select pk from sales_order where pk = (select "order" from sales_order_shipment where pk = $1) for update),
    i as materialized (select i.pk, i.part from stock_item i, o where i.pk in (select item from sales_order_allocation where shipment = $1) for update of i),
    a as (select a.pk, a.line, a.item, a.quantity, o.pk as "order" from sales_order_allocation a, o where a.shipment = $1),
    inserted as (insert into stock_item (part, quantity, opening_quantity, parent, customer, sales_order, purchase_price_currency)
      select i.part, a.quantity, 0, i.pk, 1, a."order", 'USD' from a join i on i.pk = a.item returning pk, quantity),
    history as (insert into stock_tracking (item, tracking_type, deltas, quantity_change)
      select pk, 40, '{}'::json, quantity from inserted union all select pk, 60, '{}', 0 from inserted union all select item, 42, '{}', -quantity from a),
    shipped as (update sales_order_allocation o set item = inserted.pk, is_open = false from a, inserted where o.pk = a.pk),
    reduced as (update stock_item t set quantity = t.quantity - a.quantity from a join i on i.pk = a.item where t.pk = i.pk),
    counted as (update sales_order_line l set shipped = l.shipped + a.quantity from a where l.pk = a.line)
    update sales_order_shipment s set shipment_date = current_date where pk = $1 returning row_to_json(s)::text as body`,
}

const runStatement = async (statement: { name?: string; text: string }, values: unknown[]) =>
  (await pool.query({ ...statement, values })).rows[0].body as string
type Query = { limit: number; offset?: number; status?: number; search?: string }

app.get<{ Querystring: Query }>('/list', async (request, reply) =>
  reply.type('application/json').send(await runStatement(list, [request.query.limit, 0])),
)
app.get<{ Querystring: Query }>('/filtered', async (request, reply) =>
  reply.type('application/json').send(await runStatement(filtered, [request.query.limit, 0, request.query.status])),
)
app.get<{ Querystring: Query }>('/search', async (request, reply) =>
  reply.type('application/json').send(await runStatement(search, [request.query.limit, 0, `%${request.query.search}%`])),
)
app.get<{ Params: { id: number } }>('/detail/:id', async (request, reply) =>
  reply.type('application/json').send(await runStatement(detail, [request.params.id])),
)
let next = 50_000_000
app.post<{ Body: { supplier: number } }>('/create', async (request, reply) =>
  reply.type('application/json').send(await runStatement(create, [`BARE-${++next}`, next, request.body.supplier])),
)
app.post<{ Body: { line: number } }>('/receive', async (request, reply) =>
  reply.type('application/json').send(await runStatement(receive, [request.body.line])),
)

app.post<{ Body: { barcode: string } }>('/scan', async (request, reply) => {
  const hash = createHash('md5').update(request.body.barcode).digest('hex')
  return reply.type('application/json').send(await runStatement(scan, [hash]))
})
app.get<{ Querystring: Query }>('/sales', async (request, reply) => {
  const { limit, offset = 0, status } = request.query
  const body = status === undefined ? runStatement(sales, [limit, offset]) : runStatement(salesFiltered, [limit, offset, status])
  return reply.type('application/json').send(await body)
})
app.get<{ Params: { id: number } }>('/sales/:id', async (request, reply) =>
  reply.type('application/json').send(await runStatement(sale, [request.params.id])),
)
app.get<{ Querystring: Query }>('/sales-lines', async (request, reply) =>
  reply.type('application/json').send(await runStatement(salesLines, [request.query.limit, request.query.offset])),
)
app.post<{ Body: { items: { line_item: number; stock_item: number }[]; shipment: number } }>(
  '/allocate',
  async (request, reply) => {
    const { items, shipment } = request.body
    return reply
      .type('application/json')
      .send(await runStatement(allocation, [items[0]?.line_item, shipment, items[0]?.stock_item, 1]))
  },
)
app.post<{ Body: { shipment: number } }>('/ship', async (request, reply) =>
  reply.type('application/json').send(await runStatement(shipping, [request.body.shipment])),
)

for (const [path, { parameters, ...statement }] of Object.entries(READS))
  app.get<{ Querystring: Record<string, string> }>(`/whole/${path}`, async ({ query }, reply) =>
    reply.type('application/json').send(
      await runStatement(
        statement,
        parameters.map((name) => (name === 'search' ? `%${query[name]}%` : query[name])),
      ),
    ),
  )
for (const [path, statements] of Object.entries(WRITES))
  app.post<{ Body: Record<string, unknown> }>(`/whole/${path}`, async (request, reply) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      let before: string | undefined
      for (const { parameters, ...statement } of statements) {
        const valuesByName: Record<string, unknown> = { ...request.body, before }
        const { rows } = await client.query({ ...statement, values: parameters.map((name) => valuesByName[name]) })
        before = rows[0].body
      }
      await client.query('commit')
      return reply.type('application/json').send(before)
    } finally {
      client.release()
    }
  })

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.once('SIGTERM', () => app.close().then(() => process.exit(0)))
