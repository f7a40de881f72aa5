import { compare, multiply, subtract } from '../../../kit/values/decimal.ts'
import { getWebPage } from '../../../web-pages.ts'
import { getObjectKind } from '../../context/object-kinds.ts'
import { indexParameterValues } from '../../context/parameters.ts'
import { isTrue, toDecimal } from './values.ts'

/** Functions to look up values in an object; their results may be pending. */
export type Lookup = {
  find(object: unknown, name: string): unknown
  money(amount: unknown, currency: string): unknown
}

type DerivedField = (object: { pk: number } & Record<string, unknown>, lookup: Lookup) => unknown

/** Continues with a value, now or once it is resolved. */
const continueWith = (value: unknown, next: (value: unknown) => unknown): unknown =>
  value instanceof Promise ? value.then(next) : next(value)

const aliasField =
  (name: string): DerivedField =>
  (object, lookup) =>
    lookup.find(object, name)

/** Unit price of a line. */
const price: DerivedField = (object, lookup) => {
  const name = ['purchase_price', 'sale_price', 'price'].find((field) => Object.hasOwn(object, field))
  return name === undefined ? undefined : lookup.find(object, name)
}

/** Price times quantity, less the discount in percent. */
const lineTotal: DerivedField = (object, lookup) =>
  continueWith(price(object, lookup), (unitPrice) => {
    const [amount, quantity] = [toDecimal(unitPrice), toDecimal(object.quantity)]
    const { currency } = (unitPrice ?? {}) as { currency?: string }
    if (amount === undefined || quantity === undefined || currency === undefined) return undefined
    const share = subtract('100', toDecimal(object.discount) ?? '0')
    return lookup.money(multiply(multiply(amount, quantity), multiply(share, '0.01')), currency)
  })

/** The supplier or customer of an order. */
const company: DerivedField = (object, lookup) => lookup.find(object, Object.hasOwn(object, 'supplier') ? 'supplier' : 'customer')

const orderCurrency: DerivedField = (object, lookup) => {
  const { order_currency } = object
  if (typeof order_currency === 'string' && order_currency !== '') return order_currency
  return continueWith(company(object, lookup), (partner) => (partner as { currency?: unknown } | undefined)?.currency)
}

/** Total of an order, or of an order line. */
const total: DerivedField = (object, lookup) =>
  Object.hasOwn(object, 'total_price') && Object.hasOwn(object, 'order_currency')
    ? continueWith(orderCurrency(object, lookup), (currency) =>
        typeof currency === 'string' ? lookup.money(object.total_price, currency) : object.total_price,
      )
    : lineTotal(object, lookup)

/** Short content of a barcode, as on labels. */
const barcode: DerivedField = (object) => {
  const model = getObjectKind(object)?.model
  return model === undefined ? undefined : `{"${model}": ${object.pk}}`
}

type Line = Record<string, unknown>

const fromBomLines =
  (compute: (lines: readonly Line[]) => unknown): DerivedField =>
  (object, lookup) =>
    continueWith(lookup.find(object, 'bom_items'), (lines) => (Array.isArray(lines) ? compute(lines) : undefined))

/** Computes how many of an assembly can be built from available stock, limited by its scarcest component. */
function canBuild(lines: readonly Line[]): number {
  const buildable = lines
    .filter(({ consumable, quantity }) => !isTrue(consumable) && Number(quantity) > 0)
    .map((line) => {
      const variants = isTrue(line.allow_variants) ? Number(line.available_variant_stock) : 0
      const available = Number(line.available_stock) + Number(line.available_substitute_stock) + variants
      // quantities have five decimals; the error of a floating point division is far smaller
      return Math.floor(available / Number(line.quantity) + 1e-9)
    })
  return buildable.length ? Math.max(0, Math.min(...buildable)) : 0
}

const isBuildLine = (object: object): boolean => getObjectKind(object)?.path === '/api/build/line/'

/** Subtracts one number from another, with a minimum of 0. */
function subtractCompleted(fullQuantity: unknown, completedQuantity: unknown): string | undefined {
  const [all, part] = [toDecimal(fullQuantity), toDecimal(completedQuantity)]
  if (all === undefined || part === undefined) return undefined
  return compare(all, part) > 0 ? subtract(all, part) : '0'
}

/** Returns the quantity of a build order line that is not allocated yet. */
const unallocated = ({ quantity, allocated }: Line): string | undefined => subtractCompleted(quantity, allocated)

const filterOutputs =
  (isBuilding: boolean): DerivedField =>
  (object, lookup) =>
    continueWith(lookup.find(object, 'build_outputs'), (outputs) =>
      Array.isArray(outputs) ? outputs.filter(({ is_building }) => isTrue(is_building) === isBuilding) : undefined,
    )

/**
 * Names in InvenTree for values of objects that are not fields of the interface. They are looked up when an object has no field
 * of that name.
 */
export const DERIVED_FIELDS: Record<string, DerivedField> = {
  id: aliasField('pk'),
  price,
  total_line_price: lineTotal,
  total_price: total,
  company,
  currency: orderCurrency,
  barcode,
  format_barcode: barcode,
  format_short_barcode: barcode,
  get_absolute_url: (object) => getWebPage(getObjectKind(object)?.path ?? '', object.pk),
  is_serialized: ({ serial }) => isTrue(serial),
  serialized: ({ serial }) => isTrue(serial),
  is_overdue: aliasField('overdue'),
  is_expired: aliasField('expired'),
  is_stale: aliasField('stale'),
  total_stock: aliasField('total_in_stock'),
  available_stock: aliasField('unallocated_stock'),
  on_order: aliasField('ordering'),
  quantity_being_built: aliasField('building'),
  get_bom_items: aliasField('bom_items'),
  has_bom: fromBomLines((lines) => lines.length > 0),
  bom_count: fromBomLines((lines) => lines.length),
  can_build: fromBomLines(canBuild),
  get_parameters: aliasField('parameters'),
  parameters_map: (object, lookup) => continueWith(lookup.find(object, 'parameters'), indexParameterValues),
  getParameterMap: (object, lookup) => continueWith(lookup.find(object, 'parameters'), indexParameterValues),
  get_default_supplier: (object, lookup) =>
    continueWith(lookup.find(object, 'default_supplier'), (supplier) =>
      isTrue(supplier) && typeof supplier === 'object'
        ? supplier
        : continueWith(lookup.find(object, 'supplier_parts'), (parts) => (Array.isArray(parts) ? parts[0] : undefined)),
    ),
  build_lines: aliasField('line_items'),
  allocated_quantity: aliasField('allocated'),
  unallocated_quantity: (line) => (isBuildLine(line) ? unallocated(line) : undefined),
  is_fully_allocated: (line) => (isBuildLine(line) ? unallocated(line) === '0' : undefined),
  remaining: (build) =>
    getObjectKind(build)?.path === '/api/build/' ? subtractCompleted(build.quantity, build.completed) : undefined,
  incomplete_outputs: filterOutputs(true),
  complete_outputs: filterOutputs(false),
  get_full_name: ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(' '),
  get_username: aliasField('username'),
}
