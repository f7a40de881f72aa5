import { add, type Decimal, divide, multiply, subtract, toExact, toPlainText } from '../../../../kit/values/decimal.ts'
import { convert } from '../../../../kit/values/exchange-rates.ts'
import { isObject } from '../../../../kit/values/json.ts'
import { escapeHtml, SafeHtml } from '../../output.ts'
import { type Call, getEngine } from '../engine.ts'
import { getVariable, lookUp } from '../resolve-variable.ts'
import { exactOf, toMoney } from '../typed.ts'
import { DateValue, isTrue, Money, Picture, toDecimal, toText } from '../values.ts'
import type { TagArguments, ValueTag } from './value-tag.ts'

/** Arguments of picture tags for size and rotation. */
const PICTURE_OPTIONS = ['width', 'height', 'rotate']
const IGNORED_OPTIONS = ['replace_missing', 'replacement_file', 'validate']

/** Converts the size and rotation arguments of a tag to those of our filters. InvenTree rotates pictures counterclockwise. */
function toPictureOptions({ width, height, rotate }: TagArguments): [string, unknown][] {
  const angle = toDecimal(rotate)
  return [
    ['width', width],
    ['height', height],
    ['rotate', angle && -Number(angle)],
  ]
}

/** Converts the URL of a thumbnail to that of the preview, which is at most 256 pixels wide and high. */
const toPreview = (object: unknown): unknown => {
  const thumbnail = isObject(object) && typeof object.pk === 'number' ? object.thumbnail : undefined
  return { pk: 0, image: typeof thumbnail === 'string' ? thumbnail.replace(/\.thumbnail(\.[^./]+)?$/, '.preview$1') : undefined }
}

/** The picture of a part or company, or a blank one. */
const createPictureTag = (kind: 'part' | 'company'): ValueTag => ({
  parameters: [kind, 'preview', 'thumbnail', ...IGNORED_OPTIONS, ...PICTURE_OPTIONS],
  requiredCount: 1,
  value(args, { context }) {
    const { own } = getEngine(context)
    const { [kind]: object, preview, thumbnail } = args
    if (isTrue(thumbnail)) return own.thumbnail?.(object, ...toPictureOptions(args))
    return own.image?.(isTrue(preview) ? toPreview(object) : object, ...toPictureOptions(args))
  },
})

const NO_PATH = 'A stored file cannot be shown by its name: upload it as an asset.'

const uploadedImage: ValueTag = {
  parameters: ['filename', ...IGNORED_OPTIONS, ...PICTURE_OPTIONS],
  requiredCount: 1,
  findMissing: (args) => (typeof args.get('filename')?.literal === 'string' ? NO_PATH : undefined),
  value: (args, { context }) => {
    const { filename } = args
    return getEngine(context).own.image?.(
      filename instanceof Picture ? { pk: 0, image: filename.path } : undefined,
      ...toPictureOptions(args),
    )
  },
}

const asset: ValueTag = {
  parameters: ['filename'],
  requiredCount: 1,
  value: ({ filename }, { context }) => getEngine(context).own.asset?.(toText(filename)),
}

/** A picture by its path; a bare name is that of an asset. */
const svgImage: ValueTag = {
  parameters: ['filename'],
  requiredCount: 1,
  findMissing: (args) => {
    const path = args.get('filename')?.literal
    const isAsset = typeof path !== 'string' || /^\/?(?:media\/)?(?:report\/assets\/)?[^/\\]+$/.test(path)
    return isAsset ? undefined : NO_PATH
  },
  value: ({ filename }, { context }) => getEngine(context).own.asset?.(toText(filename).replace(/^.*\//, '')),
}

/** Asset names of the logo; the first that exists is used, before the logo of the installation. */
const LOGOS = ['logo.svg', 'logo.png', 'logo.jpg']

const logoImage: ValueTag = {
  parameters: ['custom', ...IGNORED_OPTIONS, ...PICTURE_OPTIONS],
  async value(_args, { context }) {
    const { own, environment } = getEngine(context)
    for (const name of LOGOS) if (await environment.library.asset(name)) return own.asset?.(name)
    return (await environment.library.logo()) ?? own.image?.(undefined)
  },
}

/** An entry of a list; a negative index counts from the end. */
const getIndex: ValueTag = {
  parameters: ['container', 'index'],
  requiredCount: 2,
  value({ container, index }) {
    const position = Number(toDecimal(index))
    return Array.isArray(container) && Number.isInteger(position) ? container.at(position) : undefined
  },
}

const getKey: ValueTag = {
  parameters: ['container', 'key', 'backup_value'],
  requiredCount: 2,
  value({ container, key, backup_value }, { context }) {
    const match = container === undefined || container === null ? undefined : lookUp(container, toText(key), context)
    return match ?? backup_value
  },
}

/** The parameter of a part, as an object with `data`, `name` and `units`. */
const partParameter: ValueTag = {
  parameters: ['part', 'parameter_name'],
  requiredCount: 2,
  value({ part, parameter_name }, { context }) {
    const parameters = part === undefined || part === null ? undefined : lookUp(part, 'parameters', context)
    if (!Array.isArray(parameters)) return undefined
    const match = parameters.find((entry) => entry?.template_detail?.name === toText(parameter_name))
    return match && { ...match, name: match.template_detail.name, units: match.template_detail.units }
  },
}

/** A link to a page of this installation. */
const internalLink: ValueTag = {
  parameters: ['link', 'text'],
  requiredCount: 2,
  value({ link, text }, { context }) {
    const escapedText = escapeHtml(toText(text))
    const path = toText(link).replace(/^\/+/, '')
    const url = `${toText(getVariable(context, 'base_url'))}/${path}`
    return new SafeHtml(path === '' ? escapedText : `<a href="${escapeHtml(url)}">${escapedText}</a>`)
  },
}

const createCalculation = (calculate: (left: Decimal, right: Decimal) => Decimal): ValueTag => ({
  parameters: ['x', 'y', 'cast'],
  requiredCount: 2,
  value({ x, y }) {
    const [left, right] = [toDecimal(x), toDecimal(y)]
    if (left === undefined || right === undefined) throw new Error('Calculations require numbers.')
    return exactOf(calculate(left, right))
  },
})

function divideNumbers(dividend: Decimal, divisor: Decimal): Decimal {
  if (toExact(divisor).isZero()) throw new Error('Division by zero.')
  return divide(dividend, divisor)
}

/** An amount with its currency; converted to another currency if its rate is known. */
const renderCurrency: ValueTag = {
  parameters: ['money', 'decimal_places', 'currency', 'min_decimal_places', 'max_decimal_places', 'include_symbol'],
  requiredCount: 1,
  async value(args, { context }) {
    const targetCurrency = toText(args.currency)
    const { own, environment } = getEngine(context)
    // a plain number is an amount in the given currency
    const money = args.money instanceof Money || targetCurrency === '' ? args.money : toMoney(args.money, targetCurrency, { own })
    if (!(money instanceof Money)) return '-'
    const rates = targetCurrency === '' || targetCurrency === money.currency ? undefined : await environment.rates?.()
    const converted = rates ? convert(money.amount, money.currency, targetCurrency, rates) : null
    const [amount, currency] = converted === null ? [money.amount, money.currency] : [converted, targetCurrency]
    return own.money?.(amount, currency, ...toCurrencyOptions(args))
  },
}

function* toCurrencyOptions({ decimal_places, min_decimal_places, max_decimal_places, include_symbol }: TagArguments) {
  const decimalPlaces: [string, unknown][] = [
    ['decimals', decimal_places],
    ['least', min_decimal_places],
    ['most', max_decimal_places],
  ]
  for (const [name, value] of decimalPlaces) if (toDecimal(value) !== undefined) yield [name, value]
  if (include_symbol !== undefined && !isTrue(include_symbol)) yield ['symbol', false]
}

const renderHtmlText: ValueTag = {
  parameters: ['text', 'bold', 'italic', 'heading'],
  requiredCount: 1,
  value({ text, bold, italic, heading }) {
    let html = escapeHtml(toText(text))
    if (isTrue(bold)) html = `<strong>${html}</strong>`
    if (isTrue(italic)) html = `<em>${html}</em>`
    const level = /^h[1-6]$/.exec(toText(heading))?.[0]
    return new SafeHtml(level ? `<${level}>${html}</${level}>` : html)
  },
}

/** A number without trailing zeros; `leading` pads it with zeros. */
const formatNumber: ValueTag = {
  parameters: ['number', 'decimal_places', 'integer', 'leading', 'separator'],
  requiredCount: 1,
  value({ number, decimal_places, integer, leading, separator }, { context }) {
    const parsedNumber = toDecimal(number)
    if (parsedNumber === undefined) return number
    const decimalPlaces = toDecimal(decimal_places)
    const integerValue = isTrue(integer) ? toPlainText(toExact(parsedNumber).trunc()) : parsedNumber
    const options = isTrue(separator) ? [['grouped', true]] : []
    const formattedNumber = getEngine(context).own.number?.(
      integerValue,
      ...(decimalPlaces === undefined ? [] : [Number(decimalPlaces)]),
      ...options,
    )
    return '0'.repeat(Math.min(Math.max(Number(toDecimal(leading) ?? 0), 0), 20)) + toText(formattedNumber)
  },
}

const createDateTag = (filter: 'date' | 'datetime'): ValueTag => ({
  parameters: [filter === 'date' ? 'date' : 'dt', 'timezone', 'fmt', 'format'],
  requiredCount: 1,
  value(args, call) {
    const { timezone, fmt, format } = args
    const value = args.date ?? args.dt
    return formatDateValue(filter, value, { format: fmt ?? format, timezone }, call)
  },
})

/** Formats a date or time by a pattern such as `%d.%m.%Y`. */
export function formatDateValue(
  filter: 'date' | 'datetime',
  value: unknown,
  { format, timezone }: { format?: unknown; timezone?: unknown },
  { context }: Call,
): unknown {
  const text = value instanceof DateValue ? value.valueOf() : toText(value)
  const zone = toText(timezone)
  const options = zone === '' ? [] : [['timezone', zone]]
  return getEngine(context).own[filter]?.(text, ...(toText(format) === '' ? [] : [toText(format)]), ...options)
}

/** The tags of the library `report`. */
export const reportTags: Record<string, ValueTag> = {
  getindex: getIndex,
  getkey: getKey,
  asset,
  uploaded_image: uploadedImage,
  encode_svg_image: svgImage,
  part_image: createPictureTag('part'),
  company_image: createPictureTag('company'),
  logo_image: logoImage,
  part_parameter: partParameter,
  internal_link: internalLink,
  add: createCalculation(add),
  subtract: createCalculation(subtract),
  multiply: createCalculation(multiply),
  divide: createCalculation(divideNumbers),
  render_currency: renderCurrency,
  render_html_text: renderHtmlText,
  format_number: formatNumber,
  format_date: createDateTag('date'),
  format_datetime: createDateTag('datetime'),
}
