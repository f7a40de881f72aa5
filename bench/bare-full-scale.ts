/**
 * Hand-written statements for parts, BOMs and builds: each returns exactly what the service does (`full-scale.ts` compares them), without
 * permissions, validation and counts. The writing ones take the same locks and make the same writes, without any checks.
 */

/**
 * A statement that returns one row with one text column, `body`; its parameters are those of the query or body, in this order. Without a
 * name it is planned each time, as searches are.
 */
export type Statement = { name: string | undefined; text: string; parameters: readonly string[] }

const IMAGE = (p: string) => `case when ${p}.image <> '' then '/media/' || uri_path(${p}.image) end as image`
const THUMBNAIL = (
  p: string,
) => `case when ${p}.image <> '' then '/media/' || uri_path(regexp_replace(${p}.image, '(\\.[^./]+)?$', '.thumbnail\\1'))
  else '/static/img/blank_image.thumbnail.png' end as thumbnail`
const selectDefaultLocation = (
  c: string,
) => `(select above.default_location from part_category above where above.pk = any(${c}.path)
  and above.default_location is not null order by above.level desc limit 1) as category_default_location`

/** The brief form of a part, and the tables that it is read from. */
const BRIEF = (
  p: string,
) => `${p}.pk, ${p}."IPN", ${p}.barcode_hash, ${selectDefaultLocation(`${p}c`)}, ${p}.default_location, ${p}.name, ${p}.revision, ${p}.full_name,
  ${p}.description, ${IMAGE(p)}, ${THUMBNAIL(p)}, ${p}.active, ${p}.assembly, ${p}.is_template, ${p}.purchaseable, ${p}.salable, ${p}.trackable,
  ${p}.virtual, ${p}.units, ${p}g.overall_min::text as pricing_min, ${p}g.overall_max::text as pricing_max`
const BRIEF_FROM = (p: string) =>
  `part ${p} left join part_category ${p}c on ${p}c.pk = ${p}.category left join part_pricing ${p}g on ${p}g.part = ${p}.pk`
const selectBrief = (key: string, p = 'p') =>
  `(select row_to_json(x) from (select ${BRIEF(p)} from ${BRIEF_FROM(p)} where ${p}.pk = ${key}) x)`

/** All fields of a part, and the tables that they are read from. */
const PART = `t.active, t.assembly, t.barcode_hash, t.category, t.component, t.creation_date, t.creation_user, t.default_expiry, t.default_location,
  t.default_supplier, t.description, t.full_name, ${IMAGE('t')}, t."IPN", t.is_template, t.keywords, t.last_stocktake, t.link,
  trim_scale(t.minimum_stock) as minimum_stock, t.name, t.notes, t.pk, t.purchaseable, t.revision, t.salable,
  exists (select from part_star s where s.part = t.pk and s."user" = 1) as starred, ${THUMBNAIL('t')}, t.trackable, t.units, t.variant_of, t.virtual,
  g.overall_min::text as pricing_min, g.overall_max::text as pricing_max, to_char(g.updated, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as pricing_updated,
  t.responsible, trim_scale(q.allocated_to_build_orders) as allocated_to_build_orders,
  trim_scale(q.allocated_to_sales_orders) as allocated_to_sales_orders, trim_scale(q.building) as building, ${selectDefaultLocation('c')},
  trim_scale(q.in_stock) as in_stock, trim_scale(q.ordering) as ordering, trim_scale(q.required_for_build_orders) as required_for_build_orders,
  trim_scale(q.required_for_sales_orders) as required_for_sales_orders, q.stock_item_count, q.suppliers,
  trim_scale(q.total_in_stock) as total_in_stock, trim_scale(q.external_stock) as external_stock,
  trim_scale(q.unallocated_stock) as unallocated_stock, trim_scale(q.variant_stock) as variant_stock, true as copy_category_parameters, t.tags`
const PART_JOINS =
  'left join part_pricing g on g.part = t.pk join part_quantity q on q.pk = t.pk left join part_category c on c.pk = t.category'

const STOCK_STATES = `case t.status when 10 then 'OK' when 50 then 'Attention needed' when 55 then 'Damaged' when 60 then 'Destroyed'
  when 65 then 'Rejected' when 70 then 'Lost' when 75 then 'Quarantined' when 85 then 'Returned' else '' end`
const STOCK = `t.batch, t.belongs_to, t.build, t.consumed_by, t.customer, t.delete_on_deplete, t.expiry_date, t.is_building, t.link, t.location, t.notes,
  t.owner, t.packaging, t.part, o.reference as purchase_order_reference, t.purchase_order, t.pk, trim_scale(t.quantity) as quantity, t.sales_order,
  s.reference as sales_order_reference, t.serial, t.status, ${STOCK_STATES} as status_text, t.stocktake_date, t.supplier_part, t.barcode_hash,
  to_char(t.updated, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as updated, t.purchase_price::text, t.purchase_price_currency,
  trim_scale(case when t.sales_order is null then t.allocated_to_sales_orders + t.allocated_to_build_orders
    else coalesce((select sum(a.quantity) from sales_order_allocation a where a.item = t.pk), 0) end) as allocated,
  coalesce(t.in_stock and t.expiry_date < current_date, false) as expired,
  (select count(*) from stock_item i where i.belongs_to = t.pk) as installed_items,
  case when exists (select from stock_item i where i.parent = t.pk) then (
    with recursive split (pk) as (select pk from stock_item where parent = t.pk union select i.pk from stock_item i join split on i.parent = split.pk)
    select count(*) from split) else 0 end as child_items,
  coalesce(t.in_stock and t.expiry_date < current_date + 30, false) as stale,
  (select count(*) from stock_tracking k where k.item = t.pk) as tracking_items, t.tags`
const STOCK_JOINS = 'left join purchase_order o on o.pk = t.purchase_order left join sales_order s on s.pk = t.sales_order'

/** Quantity of a part that is in stock and not allocated. */
const selectAvailable = (q: string) => `${q}.in_stock - ${q}.allocated_to_sales_orders - ${q}.allocated_to_build_orders`
const sumSubstituteStock = (line: string) =>
  `coalesce((select sum(${selectAvailable('z')}) from bom_item_substitute y join part_quantity z on z.pk = y.part where y.bom_item = ${line}), 0)`
const sumVariantStock = (part: string, line: string) => `case when exists (select from part v where v.variant_of = ${part}) then (
  select coalesce(sum(${selectAvailable('z')}), 0) from part v join part_quantity z on z.pk = v.pk where v.path @> array[${part}] and v.pk <> ${part}
    and v.pk not in (select y.part from bom_item_substitute y where y.bom_item = ${line})) else 0 end`
const selectSubstitutes = (line: string) => `coalesce((
  select json_agg(json_build_object('pk', y.pk, 'bom_item', y.bom_item, 'part', y.part, 'part_detail', ${selectBrief('y.part')}) order by y.pk)
  from bom_item_substitute y where y.bom_item = ${line}), '[]')`

const BOM = `t.allow_variants, t.inherited, t.note, t.optional, t.consumable, t.overage, t.pk, t.part, bg.overall_min::text as pricing_min,
  bg.overall_max::text as pricing_max, as_money(bg.overall_min * t.quantity)::text as pricing_min_total,
  as_money(bg.overall_max * t.quantity)::text as pricing_max_total, to_char(bg.updated, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as pricing_updated,
  trim_scale(t.quantity) as quantity, t.reference, t.sub_part, (select row_to_json(x) from (select ${BRIEF('b')}) x) as sub_part_detail,
  ${selectSubstitutes('t.pk')} as substitutes, t.checksum = t.digest as validated, trim_scale(${selectAvailable('q')}) as available_stock,
  trim_scale(${sumSubstituteStock('t.pk')}) as available_substitute_stock, trim_scale(${sumVariantStock('t.sub_part', 't.pk')}) as available_variant_stock,
  trim_scale(q.external_stock) as external_stock, trim_scale(q.ordering) as on_order, trim_scale(q.building) as building`

const selectOwner = (key: string) => `(select row_to_json(x) from (
  select o.pk, coalesce(o."user", o."group") as owner_id, coalesce(u.username, g.name) as name, case when o."user" is null then 'group' else 'user' end as label
  from owner o left join user_account u on u.pk = o."user" left join user_group g on g.pk = o."group" where o.pk = ${key}) x)`
const BUILD = `t.pk, '/build/' || t.pk || '/' as url, t.title, t.barcode_hash, t.batch, t.creation_date, trim_scale(t.completed) as completed,
  t.completion_date, t.destination, t.parent, t.part, (select row_to_json(x) from (select ${BRIEF('b')}) x) as part_detail, t.project_code,
  (select row_to_json(x) from (select p.pk, p.code, p.description, p.responsible, ${selectOwner('p.responsible')} as responsible_detail
    from project_code p where p.pk = t.project_code) x) as project_code_detail,
  coalesce(t.status in (10, 20) and t.target_date <= current_date, false) as overdue, t.reference, t.sales_order, trim_scale(t.quantity) as quantity,
  t.status, case t.status when 10 then 'Pending' when 20 then 'Production' when 30 then 'Cancelled' when 40 then 'Complete' else '' end as status_text,
  t.target_date, t.take_from, t.notes, t.link, t.issued_by,
  (select row_to_json(x) from (select u.pk, u.username, u.first_name, u.last_name, u.email from user_account u where u.pk = t.issued_by) x) as issued_by_detail,
  t.responsible, ${selectOwner('t.responsible')} as responsible_detail, t.priority`

const LOCATION = `(select row_to_json(x) from (
  select l.pk, l.barcode_hash, '/stock/location/' || l.pk || '/' as url, l.name, l.level, l.description, l.parent, l.pathstring, l.owner,
    case when l.custom_icon <> '' then l.custom_icon when l.location_type is not null then y.icon else '' end as icon, l.custom_icon, l.structural, l.external,
    l.location_type, (select row_to_json(z) from (select y.pk, y.name, y.description, y.icon where y.pk is not null) z) as location_type_detail, l.tags
  from stock_location l left join stock_location_type y on y.pk = l.location_type where l.pk = i.location) x)`
const LINE = `l.pk, l.build, l.bom_item,
  (select row_to_json(x) from (
    select m.allow_variants, m.inherited, m.note, m.optional, m.consumable, m.overage, m.pk, m.part, trim_scale(m.quantity) as quantity, m.reference, m.sub_part,
      ${selectSubstitutes('m.pk')} as substitutes, m.checksum = m.digest as validated) x) as bom_item_detail,
  (select row_to_json(x) from (select ${PART}) x) as part_detail, trim_scale(l.quantity) as quantity,
  coalesce((select json_agg(row_to_json(x) order by x.pk) from (
    select a.pk, l.build, a.build_line, a.install_into, a.stock_item, trim_scale(a.quantity) as quantity, ${LOCATION} as location_detail,
      ${selectBrief('i.part')} as part_detail, (select row_to_json(x) from (select i.part, i.pk, i.location, trim_scale(i.quantity) as quantity, i.serial, i.supplier_part,
        i.barcode_hash, (select full_name from part where pk = i.part) as part_name) x) as stock_item_detail
    from build_allocation a join stock_item i on i.pk = a.stock_item where a.build_line = l.pk) x), '[]') as allocations,
  trim_scale(coalesce((select sum(a.quantity) from build_allocation a where a.build_line = l.pk), 0)) as allocated,
  trim_scale(coalesce((select sum(i.quantity) from stock_item i join build_order b on b.pk = i.build
    where i.part = l.part and i.is_building and b.status in (10, 20)), 0)) as in_production,
  trim_scale(q.ordering) as on_order, trim_scale(${selectAvailable('q')}) as available_stock, trim_scale(h.substitutes) as available_substitute_stock,
  trim_scale(h.variants) as available_variant_stock, trim_scale(${selectAvailable('q')} + h.substitutes + h.variants) as total_available_stock,
  trim_scale(q.external_stock) as external_stock`

const selectJsonArray = (rows: string) => `select coalesce(json_agg(r), '[]')::text as body from (${rows}) r`

const createStatement = (name: string | undefined, text: string, ...parameters: string[]): Statement => ({
  name,
  text,
  parameters,
})
/**
 * Selects the keys of a page first, so that skipped rows cost nothing else. The limit is a literal in the text: otherwise PostgreSQL
 * expects a tenth of the table.
 */
const selectPage = (limit: number, select: string, table: string, joins: string, keys: string, order: string) =>
  `with k as materialized (select pk, row_number() over () as n from (${keys} order by ${order} limit ${limit} offset $1) k)
   ${selectJsonArray(`select ${select} from k join ${table} t using (pk) ${joins} order by k.n`)}`

/** Matches as the index does, case-insensitively in every language. */
const matchAny = (...texts: string[]) => texts.map((text) => `${text}::text collate "default" ilike $2`).join(' or ')
/** Search matches: in the text columns of the rows, and in those of each object that they refer to. */
const MATCHING_PARTS = `select pk from part where ${matchAny('name', 'description', '"IPN"', 'keywords', 'revision')}
  union select p.pk from part_category c join part p on p.category = c.pk where ${matchAny('c.name')}
  union select part from manufacturer_part where ${matchAny('"MPN"')} union select part from supplier_part where ${matchAny('"SKU"')}`
const MATCHING_STOCK = `select pk from stock_item where ${matchAny('batch', 'serial')}
  union select i.pk from part p join stock_item i on i.part = p.pk where ${matchAny('p.name', 'p."IPN"', 'p.description')}
  union select i.pk from stock_location l join stock_item i on i.location = l.pk where ${matchAny('l.name')}`
const MATCHING_BUILDS = `select pk from build_order where ${matchAny('reference', 'title', 'priority')}
  union select b.pk from part p join build_order b on b.part = p.pk where ${matchAny('p.name', 'p."IPN"', 'p.description')}
  union select b.pk from project_code c join build_order b on b.project_code = c.pk where ${matchAny('c.code')}`

const BY_NAME = 't.name, t.pk'
const BY_STOCK = 'p.name, t.quantity, l.pathstring, t.pk'
const BY_REFERENCE = 't.reference_int desc, t.reference desc, t.pk desc'
const STOCK_ORDER = 'join part p on p.pk = t.part left join stock_location l on l.pk = t.location'
/** Fetches the matching rows one by one: they are few. */
const selectRowsByKey = (table: string, keysQuery: string) =>
  `(${keysQuery}) f cross join lateral (select * from ${table} x where x.pk = f.pk limit 1) t`
const partSearch = selectPage(
  25,
  PART,
  'part',
  PART_JOINS,
  `select t.pk from ${selectRowsByKey('part', MATCHING_PARTS)}`,
  BY_NAME,
)
const stockSearch = selectPage(
  25,
  STOCK,
  'stock_item',
  STOCK_JOINS,
  `select t.pk from ${selectRowsByKey('stock_item', MATCHING_STOCK)} ${STOCK_ORDER}`,
  BY_STOCK,
)
const BUILD_JOINS = `join ${BRIEF_FROM('b')} on b.pk = t.part`
const buildSearch = selectPage(
  25,
  BUILD,
  'build_order',
  BUILD_JOINS,
  `select t.pk from ${selectRowsByKey('build_order', MATCHING_BUILDS)}`,
  BY_REFERENCE,
)

/** Read statements by the path of their route. */
export const READS: Record<string, Statement> = {
  parts: createStatement('parts', selectPage(100, PART, 'part', PART_JOINS, 'select t.pk from part t', BY_NAME), 'offset'),
  'parts-search': createStatement(undefined, partSearch, 'offset', 'search'),
  part: createStatement(
    'part',
    `select row_to_json(r)::text as body from (select ${PART} from part t ${PART_JOINS} where t.pk = $1) r`,
    'pk',
  ),
  stock: createStatement(
    'stock',
    selectPage(250, STOCK, 'stock_item', STOCK_JOINS, `select t.pk from stock_item t ${STOCK_ORDER}`, BY_STOCK),
    'offset',
  ),
  'stock-search': createStatement(undefined, stockSearch, 'offset', 'search'),
  bom: createStatement(
    'bom',
    selectJsonArray(
      `select ${BOM} from (select * from bom_item where part = $1 order by pk) t join ${BRIEF_FROM('b')} on b.pk = t.sub_part join part_quantity q on q.pk = b.pk order by t.pk`,
    ),
    'part',
  ),
  builds: createStatement(
    'builds',
    selectPage(100, BUILD, 'build_order', BUILD_JOINS, 'select t.pk from build_order t', BY_REFERENCE),
    'offset',
  ),
  'builds-search': createStatement(undefined, buildSearch, 'offset', 'search'),
  build: createStatement(
    'build',
    `select row_to_json(r)::text as body from (select ${BUILD} from build_order t ${BUILD_JOINS} where t.pk = $1) r`,
    'pk',
  ),
  'build-lines': createStatement(
    'build lines',
    selectJsonArray(
      `select ${LINE} from (select * from build_line where build = $1 order by pk) l join bom_item m on m.pk = l.bom_item join part t on t.pk = l.part
       ${PART_JOINS} cross join lateral (select ${sumSubstituteStock('l.bom_item')} as substitutes, ${sumVariantStock('l.part', 'l.bom_item')} as variants) h order by l.pk`,
    ),
    'build',
  ),
  everything: createStatement(
    undefined,
    `select json_build_object('build', (${buildSearch})::json, 'part', (${partSearch})::json, 'stockitem', (${stockSearch})::json)::text as body`,
    'offset',
    'search',
  ),
}

const transfer = `with i as materialized (select pk, quantity from stock_item where pk = any($1::integer[]) order by pk for update),
  history as (insert into stock_tracking (item, tracking_type, deltas, quantity_change, notes, "user")
    select pk, 20, json_build_object('location', $2::integer, 'quantity', quantity), 0, '', 1 from i),
  moved as (update stock_item t set location = $2, updated = now() from i where t.pk = i.pk)
  select json_agg(pk)::text as body from i`

/** Allocates the shortage of each line from its component, item after item. */
const autoAllocate = `with o as materialized (select pk from build_order where pk = $1 for update),
  l as materialized (select l.pk, l.part, l.quantity from o join build_line l on l.build = o.pk join bom_item m on m.pk = l.bom_item
    join part p on p.pk = l.part where not m.consumable and not m.optional and not p.trackable),
  i as materialized (select pk, part, quantity - allocated_to_sales_orders - allocated_to_build_orders as available from stock_item
    where part in (select part from l) and in_stock and coalesce(serial, '') = '' order by pk for update),
  a as (select l.pk as line, i.pk as item, i.available, l.quantity - coalesce(sum(i.available) over (
      partition by l.pk order by i.pk rows between unbounded preceding and 1 preceding), 0) as shortage
    from l join i on i.part = l.part where i.available > 0),
  inserted as (insert into build_allocation (build_line, stock_item, quantity)
    select line, item, least(available, shortage) from a where shortage > 0 order by line, item returning pk)
  select json_agg(pk)::text as body from inserted`

/** Deletes the allocations first, then consumes their items: in one statement, triggers would see both. */
const release = `with o as materialized (select pk from build_order where pk = $1 for update),
  a as materialized (select a.pk, a.stock_item from o join build_line l on l.build = o.pk join build_allocation a on a.build_line = l.pk),
  i as materialized (select pk from stock_item where pk in (select stock_item from a) order by pk for update),
  deleted as (delete from build_allocation where pk in (select a.pk from a join i on i.pk = a.stock_item) returning stock_item, quantity)
  select json_agg(x)::text as body from (select stock_item as item, sum(quantity) as quantity from deleted group by stock_item) x`
const consume = `with a as materialized (select a.item, a.quantity, i.quantity > a.quantity as is_part
    from json_to_recordset($2::json) a (item integer, quantity numeric) join stock_item i on i.pk = a.item),
  reduced as (update stock_item t set quantity = t.quantity - a.quantity, updated = now() from a where t.pk = a.item and a.is_part),
  consumed as (update stock_item t set consumed_by = $1, location = null, updated = now() from a where t.pk = a.item and not a.is_part),
  inserted as (insert into stock_item (part, quantity, opening_quantity, parent, consumed_by, purchase_price, purchase_price_currency, supplier_part, batch, status,
      expiry_date, delete_on_deplete)
    select i.part, a.quantity, 0, i.pk, $1, i.purchase_price, i.purchase_price_currency, i.supplier_part, i.batch, i.status, i.expiry_date, i.delete_on_deplete
    from a join stock_item i on i.pk = a.item where a.is_part order by i.pk returning pk, quantity, parent),
  history as (insert into stock_tracking (item, tracking_type, deltas, quantity_change, notes, "user")
    select pk, 40, json_build_object('stockitem', parent, 'quantity', quantity), quantity, '', 1 from inserted
    union all select parent, 42, json_build_object('stockitem', pk, 'removed', quantity), -quantity, '', 1 from inserted
    union all select pk, 57, json_build_object('buildorder', $1::integer), 0, '', 1 from inserted
    union all select item, 57, json_build_object('buildorder', $1::integer), 0, '', 1 from a where not is_part)
  update build_order set status = 40, completion_date = current_date, completed_by = 1 where pk = $1 returning pk::text as body`

/** Write statements by the path of their route: each entry is one transaction, and each statement gets the result of the previous one as `before`. */
export const WRITES: Record<string, readonly Statement[]> = {
  transfer: [createStatement('transfer', transfer, 'items', 'location')],
  'auto-allocate': [createStatement('auto-allocate', autoAllocate, 'build')],
  finish: [createStatement('release', release, 'build'), createStatement('consume', consume, 'build', 'before')],
}
