import { Type } from 'typebox'
import { Json, view } from '../../kit/definition/action.ts'
import { roles } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'

const sum = (column: string): string => `sum(q.${column})`

/** What there is of a part and its variants together, what is on its way, and what builds and sales ask for; in its units. */
export const readRequirements = view({
  path: '/api/part/{id}/requirements/',
  summary: 'What is needed of a part and its variants',
  access: roles('part'),
  answer: Type.Record(Type.String(), Type.Number()),
  async read({ pk, database }) {
    const [found] = await database.read<{ body: string }>({
      text: `select json_build_object(
          'available_stock', trim_scale(greatest(${sum('in_stock')} - ${sum('allocated_to_build_orders')} - ${sum('allocated_to_sales_orders')}, 0)),
          'on_order', trim_scale(own.ordering),
          'required_build_order_quantity', trim_scale(${sum('required_for_build_orders')}),
          'allocated_build_order_quantity', trim_scale(${sum('allocated_to_build_orders')}),
          'required_sales_order_quantity', trim_scale(own.required_for_sales_orders),
          'allocated_sales_order_quantity', trim_scale(${sum('allocated_to_sales_orders')}),
          'allocated', trim_scale(${sum('allocated_to_build_orders')} + ${sum('allocated_to_sales_orders')}),
          'required', trim_scale(${sum('required_for_build_orders')} + own.required_for_sales_orders)
        )::text as body
        from part_quantity own
        join part p on p.path @> array[own.pk]
        join part_quantity q on q.pk = p.pk
        where own.pk = $1
        group by own.pk`,
      values: [pk],
    })
    if (!found) throw notFound()
    return new Json(found.body)
  },
})
