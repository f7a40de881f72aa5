import { type TSchema, Type } from 'typebox'
import { Json, view } from '../../kit/definition/action.ts'
import { orNull } from '../../kit/definition/input.ts'
import { responseSchema } from '../../kit/definition/resource.ts'
import { readDetail } from '../../kit/reading/detail.ts'
import { readDetailFlags } from '../../kit/reading/select.ts'
import { roles } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'
import { stockItem } from './stock-item.resource.ts'

/** Items of a part, its template and all variants, in the order of their serial numbers; `$1` is one of them. */
const NEIGHBORS = `with own as (
    select item.pk, item.serial_int, length(item.serial) as length, item.serial, part.path[1] as root
    from stock_item item join part on part.pk = item.part where item.pk = $1 and item.serial <> ''
  ), neighbor as (
    select item.pk, (item.serial_int, length(item.serial), item.serial, item.pk) > (own.serial_int, own.length, own.serial, own.pk) as is_next,
      item.serial_int, item.serial
    from own join part on part.path[1] = own.root join stock_item item on item.part = part.pk and item.serial <> '' and item.pk <> own.pk
  )
  select
    (select pk from neighbor where is_next order by serial_int, length(serial), serial, pk limit 1) as next,
    (select pk from neighbor where not is_next order by serial_int desc, length(serial) desc, serial desc, pk desc limit 1) as previous`

export const readNeighborSerials = view({
  path: '/api/stock/{id}/serial-numbers/',
  summary: 'Get the neighbors of a stock item by serial number',
  description:
    'Returns the items with the next and with the previous serial number, among the part of the item, its template and all variants; null where there is none, and for an item without a serial number.',
  example: { params: { id: 1 } },
  access: roles('stock', 'build'),
  get response(): TSchema {
    const item = orNull(responseSchema(stockItem))
    return Type.Object({ next: item, previous: item })
  },
  async read(request) {
    const { pk, database, caller, query, config } = request
    const [exists] = await database.read({ text: 'select from stock_item where pk = $1', values: [pk] })
    if (!exists) throw notFound()
    const [keys] = await database.read<{ next: number | null; previous: number | null }>({ text: NEIGHBORS, values: [pk] })
    const flags = readDetailFlags(stockItem, query, config.wire)
    const read = async (key: number | null | undefined): Promise<string> =>
      key == null ? 'null' : (await readDetail(stockItem, key, flags, { caller, services: request, executor: database })).body
    return new Json(`{"next":${await read(keys?.next)},"previous":${await read(keys?.previous)}}`)
  },
})
