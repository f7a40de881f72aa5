import { add, type Decimal, divide, exact, multiply, subtract, toPlainText } from '../../../../kit/values/decimal.ts'
import { convert } from '../../../../kit/values/exchange-rates.ts'
import { isObject } from '../../../../kit/values/json.ts'
import { escapeHtml, Safe } from '../../output.ts'
import { type Call, engineOf } from '../engine.ts'
import { lookUp, rootOf } from '../resolve-variable.ts'
import { exactOf, moneyOf } from '../typed.ts'
import { DateValue, isTrue, Money, numberOf, Picture, textOf } from '../values.ts'
import type { TagArguments, ValueTag } from './value-tag.ts'

/** Arguments of picture tags for size and rotation. */
const PICTURE_OPTIONS = ['width', 'height', 'rotate']
const MISSING = ['replace_missing', 'replacement_file', 'validate']

/** Converts the size and rotation arguments of a tag to those of our filters. In the existing system pictures are rotated counterclockwise. */
function pictureOptions({ width, height, rotate }: TagArguments): [string, unknown][] {
  const turned = numberOf(rotate)
  return [
    ['width', width],
    ['height', height],
    ['rotate', turned && -Number(turned)],
  ]
}

/** Converts the address of a small picture to that of the form that is at most 256 pixels wide and high. */
const previewOf = (object: unknown): unknown => {
  const thumbnail = isObject(object) && typeof object.pk === 'number' ? object.thumbnail : undefined
  return { pk: 0, image: typeof thumbnail === 'string' ? thumbnail.replace(/\.thumbnail(\.[^./]+)?$/, '.preview$1') : undefined }
}

/** The picture of a part or company, or a blank one. */
const pictureOf = (kind: 'part' | 'company'): ValueTag => ({
  parameters: [kind, 'preview', 'thumbnail', ...MISSING, ...PICTURE_OPTIONS],
  requiredCount: 1,
  value(args, { context }) {
    const { own } = engineOf(context)
    const { [kind]: object, preview, thumbnail } = args
    if (isTrue(thumbnail)) return own.thumbnail?.(object, ...pictureOptions(args))
    return own.image?.(isTrue(preview) ? previewOf(object) : object, ...pictureOptions(args))
  },
})

const NO_PATH = 'A stored file cannot be shown by its name: upload it as an asset.'

const uploadedImage: ValueTag = {
  parameters: ['filename', ...MISSING, ...PICTURE_OPTIONS],
  requiredCount: 1,
  lacks: (args) => (typeof args.get('filename')?.literal === 'string' ? NO_PATH : undefined),
  value: (args, { context }) => {
    const { filename } = args
    return engineOf(context).own.image?.(
      filename instanceof Picture ? { pk: 0, image: filename.path } : undefined,
      ...pictureOptions(args),
    )
  },
}

const asset: ValueTag = {
  parameters: ['filename'],
  requiredCount: 1,
  value: ({ filename }, { context }) => engineOf(context).own.asset?.(textOf(filename)),
}

/** A picture by its path; a bare name is that of an asset. */
const svgImage: ValueTag = {
  parameters: ['filename'],
  requiredCount: 1,
  lacks: (args) => {
    const path = args.get('filename')?.literal
    const isAsset = typeof path !== 'string' || /^\/?(?:media\/)?(?:report\/assets\/)?[^/\\]+$/.test(path)
    return isAsset ? undefined : NO_PATH
  },
  value: ({ filename }, { context }) => engineOf(context).own.asset?.(textOf(filename).replace(/^.*\//, '')),
}

/** Asset names of the logo; the first that exists is used. */
const LOGOS = ['logo.svg', 'logo.png', 'logo.jpg']

const logoImage: ValueTag = {
  parameters: ['custom', ...MISSING, ...PICTURE_OPTIONS],
  async value(_given, { context }) {
    const { own, environment: surroundings } = engineOf(context)
    for (const name of LOGOS) if (await surroundings.library.asset(name)) return own.asset?.(name)
    return own.image?.(undefined)
  },
}

/** An entry of a list; a negative index counts from the end. */
const getIndex: ValueTag = {
  parameters: ['container', 'index'],
  requiredCount: 2,
  value({ container, index }) {
    const at = Number(numberOf(index))
    return Array.isArray(container) && Number.isInteger(at) ? container.at(at) : undefined
  },
}

const getKey: ValueTag = {
  parameters: ['container', 'key', 'backup_value'],
  requiredCount: 2,
  value({ container, key, backup_value }, { context }) {
    const match = container === undefined || container === null ? undefined : lookUp(container, textOf(key), context)
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
    const match = parameters.find((entry) => entry?.template_detail?.name === textOf(parameter_name))
    return match && { ...match, name: match.template_detail.name, units: match.template_detail.units }
  },
}

/** A link into the interface of the installation. */
const internalLink: ValueTag = {
  parameters: ['link', 'text'],
  requiredCount: 2,
  value({ link, text }, { context }) {
    const escapedText = escapeHtml(textOf(text))
    const path = textOf(link).replace(/^\/+/, '')
    const address = `${textOf(rootOf(context, 'base_url'))}/${path}`
    return new Safe(path === '' ? escapedText : `<a href="${escapeHtml(address)}">${escapedText}</a>`)
  },
}

const calculated = (calculate: (left: Decimal, right: Decimal) => Decimal): ValueTag => ({
  parameters: ['x', 'y', 'cast'],
  requiredCount: 2,
  value({ x, y }) {
    const [left, right] = [numberOf(x), numberOf(y)]
    if (left === undefined || right === undefined) throw new Error('Calculations require numbers.')
    return exactOf(calculate(left, right))
  },
})

function quotient(dividend: Decimal, divisor: Decimal): Decimal {
  if (exact(divisor).isZero()) throw new Error('Division by zero.')
  return divide(dividend, divisor)
}

/** An amount with its currency; converted to another currency if its rate is known. */
const renderCurrency: ValueTag = {
  parameters: ['money', 'decimal_places', 'currency', 'min_decimal_places', 'max_decimal_places', 'include_symbol'],
  requiredCount: 1,
  async value(args, { context }) {
    const targetCurrency = textOf(args.currency)
    const { own, environment: surroundings } = engineOf(context)
    // a plain number is an amount in the given currency
    const money = args.money instanceof Money || targetCurrency === '' ? args.money : moneyOf(args.money, targetCurrency, { own })
    if (!(money instanceof Money)) return '-'
    const rates = targetCurrency === '' || targetCurrency === money.currency ? undefined : await surroundings.rates?.()
    const converted = rates ? convert(money.amount, money.currency, targetCurrency, rates) : null
    const [amount, currency] = converted === null ? [money.amount, money.currency] : [converted, targetCurrency]
    return own.money?.(amount, currency, ...currencyOptions(args))
  },
}

function* currencyOptions({ decimal_places, min_decimal_places, max_decimal_places, include_symbol }: TagArguments) {
  const decimalPlaces: [string, unknown][] = [
    ['decimals', decimal_places],
    ['least', min_decimal_places],
    ['most', max_decimal_places],
  ]
  for (const [name, value] of decimalPlaces) if (numberOf(value) !== undefined) yield [name, value]
  if (include_symbol !== undefined && !isTrue(include_symbol)) yield ['symbol', false]
}

const renderHtmlText: ValueTag = {
  parameters: ['text', 'bold', 'italic', 'heading'],
  requiredCount: 1,
  value({ text, bold, italic, heading }) {
    let html = escapeHtml(textOf(text))
    if (isTrue(bold)) html = `<strong>${html}</strong>`
    if (isTrue(italic)) html = `<em>${html}</em>`
    const level = /^h[1-6]$/.exec(textOf(heading))?.[0]
    return new Safe(level ? `<${level}>${html}</${level}>` : html)
  },
}

/** A number without trailing zeros; `leading` pads it with zeros. */
const formatNumber: ValueTag = {
  parameters: ['number', 'decimal_places', 'integer', 'leading', 'separator'],
  requiredCount: 1,
  value({ number, decimal_places, integer, leading, separator }, { context }) {
    const parsedNumber = numberOf(number)
    if (parsedNumber === undefined) return number
    const decimalPlaces = numberOf(decimal_places)
    const integerValue = isTrue(integer) ? toPlainText(exact(parsedNumber).trunc()) : parsedNumber
    const options = isTrue(separator) ? [['grouped', true]] : []
    const written = engineOf(context).own.number?.(
      integerValue,
      ...(decimalPlaces === undefined ? [] : [Number(decimalPlaces)]),
      ...options,
    )
    return '0'.repeat(Math.min(Math.max(Number(numberOf(leading) ?? 0), 0), 20)) + textOf(written)
  },
}

const formatted = (filter: 'date' | 'datetime'): ValueTag => ({
  parameters: [filter === 'date' ? 'date' : 'dt', 'timezone', 'fmt', 'format'],
  requiredCount: 1,
  value(args, call) {
    const { timezone, fmt, format } = args
    const value = args.date ?? args.dt
    return dated(filter, value, { format: fmt ?? format, timezone }, call)
  },
})

/** Formats a date or time by a pattern such as `%d.%m.%Y`. */
export function dated(
  filter: 'date' | 'datetime',
  value: unknown,
  { format, timezone }: { format?: unknown; timezone?: unknown },
  { context }: Call,
): unknown {
  const text = value instanceof DateValue ? value.valueOf() : textOf(value)
  const zone = textOf(timezone)
  const options = zone === '' ? [] : [['timezone', zone]]
  return engineOf(context).own[filter]?.(text, ...(textOf(format) === '' ? [] : [textOf(format)]), ...options)
}

/** The tags of the library `report`. */
export const reportTags: Record<string, ValueTag> = {
  getindex: getIndex,
  getkey: getKey,
  asset,
  uploaded_image: uploadedImage,
  encode_svg_image: svgImage,
  part_image: pictureOf('part'),
  company_image: pictureOf('company'),
  logo_image: logoImage,
  part_parameter: partParameter,
  internal_link: internalLink,
  add: calculated(add),
  subtract: calculated(subtract),
  multiply: calculated(multiply),
  divide: calculated(quotient),
  render_currency: renderCurrency,
  render_html_text: renderHtmlText,
  format_number: formatNumber,
  format_date: formatted('date'),
  format_datetime: formatted('datetime'),
}
