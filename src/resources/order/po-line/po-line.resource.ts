import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { readKey, unknownReference as rejectReference, TRUE_WORDS } from '../../../kit/definition/filter.ts'
import * as input from '../../../kit/definition/input.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { outOfRangeErrors } from '../../../kit/request/constraint.ts'
import { unknownReference } from '../../../kit/request/errors.ts'
import type { Services } from '../../../kit/services/services.ts'
import { add, type Decimal, isZero } from '../../../kit/values/decimal.ts'
import { insertRow } from '../../../kit/writing/write.ts'
import { setting } from '../../../settings/live.ts'
import { buildBrief } from '../../build/build.resource.ts'
import { supplierPartFullDetail } from '../../company/part/supplier-part.resource.ts'
import { currencyField } from '../../currency/currency-field.ts'
import { rejectNegativePrices } from '../../currency/price-rule.ts'
import { FORMER_FILES } from '../../former-files.ts'
import { partBrief } from '../../part/part.resource.ts'
import { part } from '../../part/part.table.ts'
import { locationBrief } from '../../stock/location/stock-location.resource.ts'
import { stockErrors } from '../../stock/stock-errors.ts'
import {
  lineDiscount,
  lineFields,
  lineFilters,
  lineOrder,
  lineRules,
  lineTargetDate,
  orderComplete,
  orderPending,
} from '../line-fields.ts'
import { orderErrors } from '../order-errors.ts'
import { openStates, showExtended } from '../order-kind.ts'
import { purchaseOrderBrief } from '../po/po.resource.ts'
import { PURCHASE_ORDER } from '../po/po-kind.ts'
import { lineAmount } from '../total.ts'
import { DESTINATION_SQL, PLANNED_DESTINATION_SQL } from './destination.ts'
import { findMergeTarget, storeMergedLine } from './merge-line.ts'
import { purchaseOrderLine as table } from './po-line.table.ts'
import { readSupplierPrice } from './supplier-price.ts'

const IS_RECEIVED_IN_FULL = '{received} >= {quantity}'

/** On by default, unless the setting says otherwise. */
const MERGE_ITEMS: input.Input<boolean> = {
  ...input.boolean({ default: true }),
  default: (services) => setting(services, 'PURCHASEORDER_MERGE_LINE_ITEMS'),
}

const partRule = 'The part must be a supplier part of the supplier of the order.'
const deletionRule = 'Received stock remains. The total of the order is updated.'

const NullableText = Type.Union([Type.String(), Type.Null()])

/** See docs/interface/orders.md#lines. */
export const purchaseOrderLine = resource({
  path: '/api/order/po-line/',
  name: 'Purchase order line item',
  description:
    'A line of a purchase order: a number of packs of a supplier part. Lines can be edited in every state of the order.',
  remarks: {
    create: `${partRule} Unless \`merge_items\` is false, a line with the same order, part, target date and destination is increased by the quantity instead, and returned; PURCHASEORDER_MERGE_LINE_ITEMS is the default of \`merge_items\`. Unless \`auto_pricing\` is false, the price comes from the price breaks of the part, if it has any. The total of the order is updated.`,
    update: `${partRule} Recalculates the price from the price breaks if \`auto_pricing\` is true, or if it is missing and part or quantity are given. The total of the order is updated.`,
    delete: deletionRule,
    'bulk-delete': deletionRule,
  },
  example: {
    pk: 48,
    create: { order: 15, part: 14, quantity: 60, reference: 'J3', destination: 9, merge_items: false },
    replace: { order: 15, part: 13, quantity: 6, reference: 'Pad lights', purchase_price_currency: 'GBP' },
    change: { quantity: 5, notes: 'One strip to spare' },
    deletable: 49,
  },
  model: 'purchaseorderlineitem',
  table,
  formerFile: FORMER_FILES.purchaseOrderLines,
  access: PURCHASE_ORDER.access,
  constraints: outOfRangeErrors('quantity'),
  bulkDelete: true,
  fields: {
    ...lineFields(PURCHASE_ORDER, table, () => purchaseOrderBrief()),
    quantity: f.column(table.quantity, {
      required: true,
      min: 0,
      order: true,
      help: 'The number of packs ordered. The supplier part has the pack size.',
    }),
    reference: f.column(table.reference, {
      search: true,
      order: true,
      help: 'A reference within the order, such as a designator; may be empty.',
    }),
    notes: f.column(table.notes, { help: 'A note on the line, as plain text; may be empty.' }),
    // WIRE_FORM decides whether the order's date counts
    overdue: f.computed(
      Type.Boolean(),
      `coalesce({received} < {quantity}
        and coalesce({target_date}, case when {@inherits}::boolean then {order.target_date} end) < current_date, false)`,
      { help: 'Whether packs are outstanding after the target date of the line, otherwise of the order.' },
    ),
    part: f.ref(table.part, {
      filter: true,
      model: 'supplierpart',
      apiUrl: '/api/company/part/',
      api530: { metadata: { label: 'Supplier Part' }, input: { required: true } },
      help: 'The supplier part; empty for none. A line needs one to be received.',
    }),
    internal_part: f.extended(
      f.computed(Type.Union([Type.Integer(), Type.Null()]), '{part.part}', {
        label: 'Internal Part',
        help: 'The part of the supplier part.',
      }),
    ),
    internal_part_name: f.extended(
      f.computed(NullableText, '{part.part.name}', {
        type: 'string',
        label: 'Internal Part Name',
        help: 'The name of that part.',
      }),
    ),
    ipn: f.extended(
      f.computed(NullableText, '{part.part.IPN}', {
        type: 'string',
        label: 'Internal Part Number',
        help: 'The IPN of that part.',
      }),
    ),
    sku: f.extended(
      f.computed(NullableText, '{part.SKU}', { type: 'string', label: 'SKU', help: 'The SKU of the supplier part.' }),
    ),
    mpn: f.extended(
      f.computed(NullableText, '{part.manufacturer_part.MPN}', {
        type: 'string',
        label: 'MPN',
        help: 'The MPN of the supplier part.',
      }),
    ),
    part_detail: f.nested('{part.part}', () => partBrief(), { flag: { name: 'part_detail' } }),
    supplier_part_detail: f.nested(table.part, () => supplierPartFullDetail(), { flag: { name: 'part_detail' } }),
    received: f.readonly(table.received, {
      order: true,
      filter: {
        kind: 'boolean',
        sql: IS_RECEIVED_IN_FULL,
        whenFalse: `{received} < {quantity} and {order.status} in ${openStates(PURCHASE_ORDER)}`,
        help: 'Whether the line was received in full; `false` finds outstanding lines of open orders.',
      },
      help: 'The number of packs received. Only receiving changes it.',
    }),
    purchase_price: f.column(table.purchase_price, {
      order: true,
      api530: { metadata: { label: 'Purchase Price' } },
      help: 'The price of one pack; empty if unknown, which adds nothing to the total. A negative price reduces the total, and stock received for it gets no price.',
    }),
    purchase_price_currency: currencyField(table.purchase_price_currency, {
      help: 'The currency of the price. The total of the order is converted from it. The default is the default currency.',
    }),
    discount: lineDiscount(PURCHASE_ORDER, table.discount),
    auto_pricing: f.writeOnly(input.boolean({ default: ({ config }: Services) => !config.wire.manualPrices }), {
      constant: '{@priced}::boolean',
      label: 'Auto Pricing',
      help: 'Whether the price comes from the price breaks of the supplier part, if it has any, instead of the given price.',
    }),
    destination: f.ref(table.destination, {
      model: 'stocklocation',
      apiUrl: '/api/stock/location/',
      help: 'The default destination for receiving; empty for that of the order, otherwise the default location of the part.',
    }),
    destination_detail: f.nested(DESTINATION_SQL, () => locationBrief(), {
      api530: { value: { nested: { getShape: () => locationBrief(), on: PLANNED_DESTINATION_SQL } } },
      help: 'The suggested destination for receiving: that of earlier deliveries, otherwise `destination`, otherwise that of the order, otherwise the default location of the part.',
    }),
    build_order: showExtended(
      PURCHASE_ORDER,
      f.ref(table.build_order, {
        extraColumns: ['part'],
        filter: true,
        model: 'build',
        apiUrl: '/api/build/',
        label: 'Build Order',
        help: 'The build order that the supplier carries out, one that makes the part of the line; empty for none.',
      }),
    ),
    build_order_detail: f.nested(table.build_order, () => buildBrief(), {
      flag: { name: 'build_order_detail', api530: true },
      help: 'The build order.',
    }),
    target_date: lineTargetDate(table),
    // 0 without a price; null to existing clients (docs/configuration.md#wire-form)
    total_price: f.computed(
      Type.Union([Type.Number(), Type.Null()]),
      `trim_scale(${lineAmount('coalesce({purchase_price}, {@unpriced}::numeric)', '{quantity}', '{discount}')})`,
      {
        type: 'float',
        order: true,
        api530: { metadata: { type: 'decimal' } },
        help: 'Quantity times price, less the discount, in the currency of the price; 0 without a price.',
      },
    ),
    merge_items: f.writeOnly(MERGE_ITEMS, {
      constant: 'true',
      label: 'Merge Items',
      help: 'Whether a new line may be merged into a matching existing line: its quantity is added; its own price, reference, notes and link are dropped. The field is not stored, and an update ignores it.',
    }),
  },
  parameters: {
    inherits: ({ config }) => !config.wire.ownTargetDateOnly,
    priced: ({ config }) => !config.wire.manualPrices,
    unpriced: ({ config }) => (config.wire.nullLineTotal ? null : 0),
  },
  filters: {
    ...lineFilters(PURCHASE_ORDER),
    order_complete: orderComplete(PURCHASE_ORDER),
    pending: orderPending(PURCHASE_ORDER),
    base_part: {
      kind: 'custom',
      names: {
        base_part: 'Lines for the part with this key, from any supplier.',
        include_variants: 'With `base_part`: whether its variants count as well. Off by default.',
      },
      read(query) {
        if (!query.base_part) return undefined
        const pk = readKey(query.base_part)
        if (pk === undefined) throw rejectReference('base_part')
        const isWide = TRUE_WORDS.has((query.include_variants ?? '').toLowerCase())
        const sql = isWide
          ? '{part.part} in (select variant.pk {from part} variant where variant.path @> array[{@value}::integer])'
          : '{part.part} = {@value}::integer'
        const condition = { sql, values: [pk] }
        return { name: 'base_part', table: part, where: '{purchaseable}', pk, negative: false, ignore: false, condition }
      },
    },
  },
  search: ['{part.part.name}', '{part.part.description}', '{part.manufacturer_part.MPN}', '{part.SKU}'],
  order: {
    ...lineOrder,
    MPN: ['{part.manufacturer_part.MPN}'],
    part_name: ['{part.part.name}'],
    SKU: ['{part.SKU}'],
    IPN: ['{part.part.IPN}'],
    status: ['{order.status}'],
    order: ['{order.reference}'],
    complete_date: ['{order.complete_date}'],
  },
  ...lineRules(PURCHASE_ORDER, table),
  async rules(write) {
    await checkOrderAndPart(write)
    await checkBuildOrder(write)
    checkForExistingClients(write)
    // a new line is priced once it is known whether it is merged into another
    if (write.before && requiresNewPrice(write)) await setSupplierPrice(write)
  },
  async insert(write) {
    const { values } = write
    const mergeTarget = values.merge_items && values.part ? await findMergeTarget(write) : undefined
    if (!mergeTarget) {
      if (requiresNewPrice(write)) await setSupplierPrice(write)
      return insertRow(purchaseOrderLine, write)
    }
    const quantity = add(mergeTarget.quantity, values.quantity as Decimal)
    const currency = mergeTarget.purchase_price_currency
    const price = requiresNewPrice(write) ? await readSupplierPrice(write.tx, values.part as number, quantity, currency) : null
    await storeMergedLine(write, mergeTarget, quantity, price)
    return mergeTarget.pk
  },
})

/** Checks that the order's supplier sells the part. The order is locked. */
async function checkOrderAndPart({ tx, before, values, after, errors }: Write): Promise<void> {
  const order = after('order')
  const part = after('part')
  const isChanged = order !== before?.order || part !== before?.part
  if (!isChanged) return
  const suppliers = await tx.first<{ order_supplier: number | null; part_supplier: number | null }>(
    `select supplier as order_supplier, (select supplier from supplier_part where pk = $2) as part_supplier
     from purchase_order where pk = $1`,
    [order, part],
  )
  if (!suppliers) {
    // deleted since the body was read
    errors.order = [unknownReference(values.order)]
  } else if (part !== null && suppliers.part_supplier !== suppliers.order_supplier) {
    errors.part = [orderErrors.line_of_other_supplier]
    errors.order = [orderErrors.order_of_other_supplier]
  }
}

/** Checks that the build order makes the part of the line, and that there is one if the settings require it. */
async function checkBuildOrder(write: Write): Promise<void> {
  const { tx, before, after, errors } = write
  const [build, part] = [after('build_order'), after('part')]
  const isChanged = build !== (before?.build_order ?? null) || part !== before?.part
  if (build === null && part !== null && isChanged && (await requiresBuildOrder(write, part)))
    errors.build_order = [orderErrors.external_build_required]
  if (build === null || (build === before?.build_order && part === before?.part)) return
  const isMade = await tx.first(
    'select from build_order b join supplier_part s on s.part = b.part where b.pk = $1 and s.pk = $2 for share of b',
    [build, part],
  )
  if (!isMade) errors.build_order = [orderErrors.build_order_of_other_part]
}

/** Whether a line for this supplier part requires a build order: the settings say so, and its part is an assembly. */
async function requiresBuildOrder(write: Write, supplierPart: unknown): Promise<boolean> {
  if (!setting(write, 'BUILDORDER_EXTERNAL_BUILDS') || !setting(write, 'BUILDORDER_EXTERNAL_REQUIRED')) return false
  const assembly = await write.tx.first(
    'select from supplier_part s join part p on p.pk = s.part and p.assembly where s.pk = $1',
    [supplierPart],
  )
  return assembly !== undefined
}

/** Rejects values that existing clients expect to be rejected (docs/configuration.md#wire-form). */
function checkForExistingClients({ config, before, values, errors }: Write): void {
  if (!config.wire.strictLines) return
  const quantity = values.quantity as Decimal | undefined
  rejectNegativePrices(values, errors, 'purchase_price')
  if (quantity !== undefined && isZero(quantity)) errors.quantity = [stockErrors.quantity_must_be_positive]
  else if (!before && !values.part) errors.part = [orderErrors.line_supplier_part_required]
}

/**
 * Whether a write takes the supplier's price, which then overrides a price in the same request. A change without `auto_pricing` takes it if
 * it sets the part or the quantity; otherwise the agreed price stays.
 */
const requiresNewPrice = ({ values }: Write): boolean =>
  (values.auto_pricing as boolean | undefined) ?? (values.part !== undefined || values.quantity !== undefined)

/** Sets the supplier's price; without price breaks the price stays as sent. */
async function setSupplierPrice({ tx, values, after }: Write): Promise<void> {
  const part = after('part') as number | null
  if (part === null) return
  const currency = after('purchase_price_currency') as string
  const price = await readSupplierPrice(tx, part, after('quantity') as Decimal, currency)
  if (price !== null) values.purchase_price = price
}
