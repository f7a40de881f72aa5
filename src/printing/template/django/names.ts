import { compare, multiply, subtract } from '../../../kit/values/decimal.ts'
import { webPage } from '../../../web-pages.ts'
import { kindOf } from '../../context/object-kinds.ts'
import { valuesByName } from '../../context/parameters.ts'
import { isTrue, numberOf } from './values.ts'

/** Functions to look up values in an object; their results may be pending. */
export type Lookup = {
  find(object: unknown, name: string): unknown
  money(amount: unknown, currency: string): unknown
}

type DerivedField = (object: { pk: number } & Record<string, unknown>, looking: Lookup) => unknown

/** Continues with a value, now or once it is resolved. */
const then = (value: unknown, next: (value: unknown) => unknown): unknown =>
  value instanceof Promise ? value.then(next) : next(value)

const renamed =
  (name: string): DerivedField =>
  (object, looking) =>
    looking.find(object, name)

/** Unit price of a line. */
const price: DerivedField = (object, looking) => {
  const name = ['purchase_price', 'sale_price', 'price'].find((field) => Object.hasOwn(object, field))
  return name === undefined ? undefined : looking.find(object, name)
}

/** Price times quantity. */
const lineTotal: DerivedField = (object, looking) =>
  then(price(object, looking), (each) => {
    const [amount, quantity] = [numberOf(each), numberOf(object.quantity)]
    const { currency } = (each ?? {}) as { currency?: string }
    if (amount === undefined || quantity === undefined || currency === undefined) return undefined
    return looking.money(multiply(amount, quantity), currency)
  })

/** The supplier or customer of an order. */
const company: DerivedField = (object, looking) =>
  looking.find(object, Object.hasOwn(object, 'supplier') ? 'supplier' : 'customer')

const orderCurrency: DerivedField = (object, looking) => {
  const { order_currency } = object
  if (typeof order_currency === 'string' && order_currency !== '') return order_currency
  return then(company(object, looking), (partner) => (partner as { currency?: unknown } | undefined)?.currency)
}

/** Total of an order, or of an order line. */
const total: DerivedField = (object, looking) =>
  Object.hasOwn(object, 'total_price') && Object.hasOwn(object, 'order_currency')
    ? then(orderCurrency(object, looking), (currency) =>
        typeof currency === 'string' ? looking.money(object.total_price, currency) : object.total_price,
      )
    : lineTotal(object, looking)

/** Short text of a code, as on labels. */
const barcode: DerivedField = (object) => {
  const model = kindOf(object)?.model
  return model === undefined ? undefined : `{"${model}": ${object.pk}}`
}

type Line = Record<string, unknown>

const linesOf =
  (of: (lines: readonly Line[]) => unknown): DerivedField =>
  (object, looking) =>
    then(looking.find(object, 'bom_items'), (lines) => (Array.isArray(lines) ? of(lines) : undefined))

/** Computes how many of an assembly can be built from available stock: as many as its scarcest component is enough for. */
function canBuild(lines: readonly Line[]): number {
  const enough = lines
    .filter(({ consumable, quantity }) => !isTrue(consumable) && Number(quantity) > 0)
    .map((line) => {
      const variants = isTrue(line.allow_variants) ? Number(line.available_variant_stock) : 0
      const available = Number(line.available_stock) + Number(line.available_substitute_stock) + variants
      // quantities have five decimals; the error of a floating point division is far smaller
      return Math.floor(available / Number(line.quantity) + 1e-9)
    })
  return enough.length ? Math.max(0, Math.min(...enough)) : 0
}

const isBuildLine = (object: object): boolean => kindOf(object)?.path === '/api/build/line/'

/** Subtracts one number from another, with a minimum of 0. */
function rest(fullQuantity: unknown, completedQuantity: unknown): string | undefined {
  const [all, part] = [numberOf(fullQuantity), numberOf(completedQuantity)]
  if (all === undefined || part === undefined) return undefined
  return compare(all, part) > 0 ? subtract(all, part) : '0'
}

/** Returns the quantity of a build order line that is not allocated yet. */
const unallocated = ({ quantity, allocated }: Line): string | undefined => rest(quantity, allocated)

const outputsOf =
  (isBuilding: boolean): DerivedField =>
  (object, looking) =>
    then(looking.find(object, 'build_outputs'), (outputs) =>
      Array.isArray(outputs) ? outputs.filter(({ is_building }) => isTrue(is_building) === isBuilding) : undefined,
    )

/**
 * Names of the existing system for values of objects that are not fields of the interface. They are looked up when an object has no field
 * of that name.
 */
export const DERIVED_FIELDS: Record<string, DerivedField> = {
  id: renamed('pk'),
  price,
  total_line_price: lineTotal,
  total_price: total,
  company,
  currency: orderCurrency,
  barcode,
  format_barcode: barcode,
  format_short_barcode: barcode,
  get_absolute_url: (object) => webPage(kindOf(object)?.path ?? '', object.pk),
  is_serialized: ({ serial }) => isTrue(serial),
  serialized: ({ serial }) => isTrue(serial),
  is_overdue: renamed('overdue'),
  is_expired: renamed('expired'),
  is_stale: renamed('stale'),
  total_stock: renamed('total_in_stock'),
  available_stock: renamed('unallocated_stock'),
  on_order: renamed('ordering'),
  quantity_being_built: renamed('building'),
  get_bom_items: renamed('bom_items'),
  has_bom: linesOf((lines) => lines.length > 0),
  bom_count: linesOf((lines) => lines.length),
  can_build: linesOf(canBuild),
  get_parameters: renamed('parameters'),
  parameters_map: (object, looking) => then(looking.find(object, 'parameters'), valuesByName),
  getParameterMap: (object, looking) => then(looking.find(object, 'parameters'), valuesByName),
  get_default_supplier: (object, looking) =>
    then(looking.find(object, 'default_supplier'), (supplier) =>
      isTrue(supplier) && typeof supplier === 'object'
        ? supplier
        : then(looking.find(object, 'supplier_parts'), (parts) => (Array.isArray(parts) ? parts[0] : undefined)),
    ),
  build_lines: renamed('line_items'),
  allocated_quantity: renamed('allocated'),
  unallocated_quantity: (line) => (isBuildLine(line) ? unallocated(line) : undefined),
  is_fully_allocated: (line) => (isBuildLine(line) ? unallocated(line) === '0' : undefined),
  remaining: (build) => (kindOf(build)?.path === '/api/build/' ? rest(build.quantity, build.completed) : undefined),
  incomplete_outputs: outputsOf(true),
  complete_outputs: outputsOf(false),
  get_full_name: ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(' '),
  get_username: renamed('username'),
}
