import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { tagSlug } from '../../kit/definition/tags.ts'
import { readWriteAccess, signedIn, staff } from '../../kit/request/caller.ts'
import { invalidQuery } from '../../kit/request/problem.ts'
import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { queryErrors } from '../../kit/values/value-errors.ts'
import { attachment } from '../attachment/attachment.table.ts'
import { buildOrder } from '../build/build.table.ts'
import { company } from '../company/company.table.ts'
import { manufacturerPart } from '../company/part/manufacturer/manufacturer-part.table.ts'
import { supplierPart } from '../company/part/supplier-part.table.ts'
import { purchaseOrder } from '../order/po/po.table.ts'
import { returnOrder } from '../order/ro/ro.table.ts'
import { salesOrderShipment } from '../order/so/shipment/shipment.table.ts'
import { salesOrder } from '../order/so/so.table.ts'
import { transferOrder } from '../order/transfer-order/transfer-order.table.ts'
import { part } from '../part/part.table.ts'
import { serviceErrors } from '../service-errors.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import { stockItem } from '../stock/stock-item.table.ts'
import { tag as table } from './tag.table.ts'

/** The types of objects that have tags. A test compares them with the tables that have such a column. */
export const TAGGED: Readonly<Record<string, () => PgTable>> = {
  attachment: () => attachment,
  build: () => buildOrder,
  company: () => company,
  manufacturerpart: () => manufacturerPart,
  part: () => part,
  purchaseorder: () => purchaseOrder,
  returnorder: () => returnOrder,
  salesorder: () => salesOrder,
  salesordershipment: () => salesOrderShipment,
  stockitem: () => stockItem,
  stocklocation: () => stockLocation,
  supplierpart: () => supplierPart,
  transferorder: () => transferOrder,
}

/** Objects hold the names of their tags; a change of a tag changes the objects. */
export const tag = resource({
  path: '/api/tag/',
  name: 'Tag',
  description:
    'A tag: a word that objects of many types are found by. A tag that an object gets, and that is not listed yet, is added.',
  remarks: {
    list: 'Also tags that no object has any more.',
    update: 'All objects with the tag get the new name instead.',
    delete: 'All objects lose the tag.',
  },
  example: { pk: 1, create: { name: 'Long lead' }, replace: { name: 'ESD protected' }, change: { name: 'ESD' }, deletable: 1 },
  model: 'tag',
  table,
  access: readWriteAccess(signedIn, staff),
  deletesExclusively: true,
  fields: {
    pk: f.pk(table.pk),
    name: f.column(table.name, {
      required: true,
      search: true,
      order: true,
      api530: { metadata: { label: 'name' } },
      help: 'The tag, as objects show it.',
    }),
    slug: f.computed(Type.String(), tagSlug('{name}'), {
      type: 'slug',
      search: true,
      api530: { metadata: { label: 'slug', max_length: 100 } },
      help: 'The tag in the form used in URLs: plain letters, digits and dashes.',
    }),
  },
  filters: {
    model_type: {
      kind: 'custom',
      names: { model_type: 'Tags that objects of this type have, such as `part`.' },
      read({ model_type: model }) {
        if (!model) return undefined
        const tagged = Object.hasOwn(TAGGED, model) ? TAGGED[model] : undefined
        if (!tagged) throw invalidQuery({ model_type: [queryErrors.unavailable_choice] })
        return {
          sql: `exists (select {from ${getTableName(tagged())}} tagged where tagged.tags @> array[{name}::text])`,
          values: [],
        }
      },
    },
  },
  constraints: { tag_name_key: { name: [serviceErrors.tag_taken] } },
  rules({ tx, before, after }) {
    // objects of many types follow the tag
    if (before && after('name') !== before.name) tx.lockExclusive()
  },
  async afterUpdate({ tx, before, after }) {
    const [former, name] = [before?.name, after('name')]
    if (former !== name)
      await changeObjects(tx, 'array_replace(array_remove(tags, $2::text), $1::text, $2::text)', [former, name])
  },
  beforeDelete: ({ tx, row }) => changeObjects(tx, 'array_remove(tags, $1::text)', [row.name]),
})

/** Changes the tags of all objects that have the tag `$1`. */
const changeObjects = (tx: Tx, tags: string, values: unknown[]): Promise<unknown> =>
  tx.pipeline(
    ...Object.values(TAGGED).map((tagged) => ({
      text: `update ${quote(getTableName(tagged()))} set tags = ${tags} where tags @> array[$1::text]`,
      values,
    })),
  )
