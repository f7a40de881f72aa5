import { Type } from 'typebox'
import { Json, view } from '../../kit/definition/action.ts'
import { type Access, roles } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'
import { webPageSql } from '../../web-pages.ts'
import { ACTIVE_STATES_SQL } from '../build/build-status.ts'
import { openStates } from '../order/order-kind.ts'
import { PURCHASE_ORDER } from '../order/po/po-kind.ts'
import { SALES_ORDER } from '../order/so/so-kind.ts'

/**
 * Statements for the expected stock changes of the part `$1`. Changes of one day are sorted in the order of the statements, undated changes
 * in the reverse order. Each statement is included only for callers who can view such orders.
 */
const sources: readonly { access: Access; sql: string }[] = [
  {
    access: roles('purchase_order'),
    sql: `select coalesce(line.target_date, o.target_date) as date,
        greatest(line.quantity - line.received, 0) * supplier_part.pack_quantity_native as quantity, 0 as speculative_quantity,
        'Incoming Purchase Order' as title, concat_ws(' - ', o.reference, company.name) as label,
        ${webPageSql('/api/order/po/', 'o.pk')} as url, 1 as source_index, line.pk
      from supplier_part
      join purchase_order_line line on line.part = supplier_part.pk
      join purchase_order o on o.pk = line."order" and o.status in ${openStates(PURCHASE_ORDER)}
      left join company on company.pk = o.supplier
      where supplier_part.part = $1`,
  },
  {
    access: roles('sales_order'),
    sql: `select coalesce(line.target_date, o.target_date), -greatest(line.quantity - line.shipped, 0), 0,
        'Outgoing Sales Order', concat_ws(' - ', o.reference, company.name), ${webPageSql('/api/order/so/', 'o.pk')}, 2, line.pk
      from sales_order_line line
      join sales_order o on o.pk = line."order" and o.status in ${openStates(SALES_ORDER)}
      left join company on company.pk = o.customer
      where line.part = $1`,
  },
  {
    access: roles('build'),
    sql: `select build.target_date, greatest(build.quantity - build.completed, 0), 0,
        'Stock produced by Build Order', build.reference, ${webPageSql('/api/build/', 'build.pk')}, 3, build.pk
      from build_order build where build.part = $1 and build.status in ${ACTIVE_STATES_SQL}`,
  },
  {
    // quantities required by lines that accept the part: as component, as a variant of it, or as a substitute
    access: roles('build'),
    sql: `select build.target_date, -coalesce(sum(allocated.own), 0), -sum(greatest(0, line.quantity * case when component.trackable
          then greatest(build.quantity - build.completed, 0) else build.quantity end
          - case when component.trackable then 0 else coalesce(required.consumed, 0) end - coalesce(allocated.all_parts, 0))),
        'Stock required for Build Order', build.reference, ${webPageSql('/api/build/', 'build.pk')}, 4, build.pk
      from bom_item line
      join part component on component.pk = line.sub_part
      join part built on built.path @> array[line.part]
      join build_order build on build.part = built.pk and build.status in ${ACTIVE_STATES_SQL}
      left join build_line required on required.build = build.pk and required.bom_item = line.pk
      cross join lateral (
        select sum(allocation.quantity) as all_parts, sum(allocation.quantity) filter (where item.part = $1) as own
        from build_line
        join build_allocation allocation on allocation.build_line = build_line.pk
        join stock_item item on item.pk = allocation.stock_item
        where build_line.build = build.pk and build_line.bom_item = line.pk
      ) allocated
      where (line.part = build.part or line.inherited) and (
        line.sub_part = $1
        or line.allow_variants and line.sub_part = any(array(select unnest(used.path) from part used where used.pk = $1))
        or line.pk in (select other.bom_item from bom_item_substitute other where other.part = $1)
      )
      group by build.pk`,
  },
]

const quantitySchema = (help: string) => Type.Number({ description: `${help} In units of the part.` })

export const readScheduling = view({
  path: '/api/part/{id}/scheduling/',
  summary: 'Get the expected stock changes of a part',
  description:
    'Returns the quantities that open purchase orders will bring in, open sales orders will take, and build orders will produce and consume, by day; undated changes come first. Includes only orders that the caller can view.',
  access: roles('part'),
  example: { params: { id: 25 } },
  response: Type.Array(
    Type.Object({
      date: Type.Union([Type.String({ format: 'date' }), Type.Null()], { description: 'The day; null for none.' }),
      quantity: quantitySchema('The quantity added, or removed if negative.'),
      speculative_quantity: quantitySchema('The quantity that a build order may take in addition: required, but not allocated.'),
      title: Type.String({ description: 'Why.' }),
      label: Type.String({ description: 'The reference of the order.' }),
      url: Type.String({ description: 'Its page in interfaces that existing clients know.' }),
    }),
  ),
  async read({ pk, caller, database }) {
    const visibleSources = sources.filter(({ access }) => access(caller, 'view'))
    const emptySource = `select null::date as date, 0::numeric as quantity, 0::numeric as speculative_quantity, ''::text as title,
      ''::text as label, ''::text as url, 0 as source_index, 0 as pk where false`
    const entries = [emptySource, ...visibleSources.map(({ sql }) => sql)].join(' union all ')
    const [row] = await database.read<{ body: string }>({
      text: `select coalesce((
          select json_agg(json_build_object(
            'date', date, 'quantity', trim_scale(quantity), 'speculative_quantity', trim_scale(speculative_quantity),
            'title', title, 'label', label, 'url', url
          ) order by date nulls first, case when date is null then -source_index end, case when date is null then -pk end, source_index, pk)
          from (${entries}) entry
        ), '[]')::text as body
        from part where pk = $1`,
      values: [pk],
    })
    if (!row) throw notFound()
    return new Json(row.body)
  },
})
