import Fastify from 'fastify'
import { createPool } from '../src/database/connect.ts'

/**
 * What the benchmark measures against: a Fastify server with one hand-written prepared statement a route and nothing
 * else, on the same database. No rights, no validation, no count, no history.
 */
const pool = createPool(process.env.DATABASE_URL as string, 10)
const app = Fastify()

// the same answer as ours, written by hand: only then does the ratio say what the engine costs
const owner = (
  pk: string,
) => `(select row_to_json(x) from (select o.pk, coalesce(o."user", o."group") as owner_id, coalesce(u.username, g.name) as name,
  case when o."user" is null then 'group' else 'user' end as label
  from owner o left join user_account u on u.pk = o."user" left join user_group g on g.pk = o."group" where o.pk = ${pk}) x)`
const ORDER = `t.pk, t.creation_date, t.target_date, t.description, t.line_items, t.completed_lines, t.link, t.project_code,
  (select row_to_json(x) from (select p.pk, p.code, p.description, p.responsible, ${owner('p.responsible')} as responsible_detail from project_code p where p.pk = t.project_code) x) as project_code_detail,
  t.reference, t.responsible,
  ${owner('t.responsible')} as responsible_detail,
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

const answer = async (statement: { name: string; text: string }, values: unknown[]) =>
  (await pool.query({ ...statement, values })).rows[0].body as string
type Query = { limit: number; offset?: number; status?: number; search?: string }

app.get<{ Querystring: Query }>('/list', async (request, reply) =>
  reply.type('application/json').send(await answer(list, [request.query.limit, 0])),
)
app.get<{ Querystring: Query }>('/filtered', async (request, reply) =>
  reply.type('application/json').send(await answer(filtered, [request.query.limit, 0, request.query.status])),
)
app.get<{ Querystring: Query }>('/search', async (request, reply) =>
  reply.type('application/json').send(await answer(search, [request.query.limit, 0, `%${request.query.search}%`])),
)
app.get<{ Params: { id: number } }>('/detail/:id', async (request, reply) =>
  reply.type('application/json').send(await answer(detail, [request.params.id])),
)
let next = 50_000_000
app.post<{ Body: { supplier: number } }>('/create', async (request, reply) =>
  reply.type('application/json').send(await answer(create, [`BARE-${++next}`, next, request.body.supplier])),
)
app.post<{ Body: { line: number } }>('/receive', async (request, reply) =>
  reply.type('application/json').send(await answer(receive, [request.body.line])),
)

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.once('SIGTERM', () => app.close().then(() => process.exit(0)))
