import { readMessage, withSeparators } from '../../plugin-api/barcode/index.ts'
import { isValidElement, parseIdentifier } from './application-identifiers.ts'
import { hasCheckDigit, toGtin14 } from './check-digit.ts'

/** The content of a GS1 code. */
export type Gs1 = {
  /** The product, as GTIN-14. */
  gtin?: string
  batch?: string
  serial?: string
  /** Use-by date (17), otherwise best-before date (15), `YYYY-MM-DD`. */
  expiry?: string
  /** Number of items. */
  count?: string
  /** The logistic unit: one delivery. */
  sscc?: string
  /** Net weight, length, area or volume, with its unit: `1.25 kg`. */
  measure?: string
  /** The buyer's order. */
  order?: string
}

/** Units of net measures, by the first three digits of the identifier; its last digit is the number of decimals. */
const MEASURES: Readonly<Record<string, string>> = {
  310: 'kg',
  311: 'm',
  314: 'm^2',
  315: 'l',
  316: 'm^3',
  320: 'lb',
  321: 'inch',
  322: 'ft',
  323: 'yard',
  350: 'inch^2',
  351: 'ft^2',
  352: 'yard^2',
  356: 'troy_ounce',
  357: 'oz',
  360: 'quart',
  361: 'gallon',
  364: 'inch^3',
  365: 'ft^3',
  366: 'yard^3',
}

/**
 * Parses a GS1 code: element strings (with the symbology's prefix, with separators, or in human-readable form with identifiers in brackets), a
 * Digital Link address, a message of ISO/IEC 15434 in format 05, or a bare GTIN. Undefined when it is none of these, an identifier is
 * unknown, a value has the wrong length, or a check digit is wrong: a misread code would be counted wrongly.
 */
export function parseGs1(text: string): Gs1 | undefined {
  const elements = parseElements(text)
  return elements && interpretElements(elements)
}

/** Normalizes a GS1 code, with its elements in brackets and sorted: equal for every notation. */
export function canonicalizeGs1(text: string): string | undefined {
  const elements = parseElements(text)
  if (!elements || !interpretElements(elements)) return undefined
  return [...elements]
    .toSorted()
    .map(([identifier, value]) => `(${identifier})${value}`)
    .join('')
}

/** Values by application identifier. */
type Elements = ReadonlyMap<string, string>

function parseElements(text: string): Elements | undefined {
  const bareGtin = toGtin14(text)
  return bareGtin ? new Map([['01', bareGtin]]) : (parseDigitalLink(text) ?? parseBrackets(text) ?? parseElementString(text))
}

/** The prefix that a scanner sends before a GS1 symbol. */
const SYMBOLOGY_MARK = /^\](?:C1|d2|Q3|e0|J1)/

/** `01095060001343521718123110ABC<GS>21123`. Without a prefix or a separator it must begin with a GTIN or an SSCC. */
function parseElementString(text: string): Elements | undefined {
  const decoded = withSeparators(text)
  const message = readMessage(decoded)?.filter(({ format }) => format === '05')
  if (message) return message.length > 0 ? splitElements(message.flatMap(({ fields }) => fields).join(SEPARATOR)) : undefined
  const marked = SYMBOLOGY_MARK.test(decoded)
  const unmarked = decoded.replace(SYMBOLOGY_MARK, '')
  const rest = unmarked.startsWith(SEPARATOR) ? unmarked.slice(1) : unmarked
  return marked || /^0[012]\d{14}/.test(rest) ? splitElements(rest) : undefined
}

const SEPARATOR = '\u001d'

function splitElements(text: string): Elements | undefined {
  const elements = new Map<string, string>()
  let rest = text
  while (rest !== '') {
    const match = parseIdentifier(rest)
    if (!match) return undefined
    const remainder = rest.slice(match.identifier.length)
    const end = remainder.indexOf(SEPARATOR)
    const length = match.length ?? (end < 0 ? remainder.length : end)
    if (!addElement(elements, match.identifier, remainder.slice(0, length))) return undefined
    rest = remainder.slice(length)
    if (rest.startsWith(SEPARATOR)) rest = rest.slice(1)
  }
  return elements
}

/** `(01)09506000134352(17)181231(10)ABC`. */
function parseBrackets(text: string): Elements | undefined {
  if (!/^\(\d{2,4}\)/.test(text)) return undefined
  const elements = new Map<string, string>()
  for (const [, identifier = '', value = ''] of text.matchAll(/\((\d{2,4})\)((?:(?!\(\d{2,4}\)).)*)/gs))
    if (!addElement(elements, identifier, value.replaceAll(SEPARATOR, ''))) return undefined
  return elements
}

/** `https://id.gs1.org/01/09506000134352/10/ABC?17=181231`: the path from the first key on, then the query. */
function parseDigitalLink(text: string): Elements | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { pathname, searchParams } = new URL(text)
  const steps = pathname.split('/')
  const start = steps.findIndex((step, index) => (step === '01' || step === '00') && /^\d{8,18}$/.test(steps[index + 1] ?? ''))
  if (start < 0) return undefined
  const elements = new Map<string, string>()
  const pairs = steps.slice(start).filter((step) => step !== '')
  if (pairs.length % 2 !== 0) return undefined
  for (let index = 0; index < pairs.length; index += 2) {
    const [identifier = '', encodedValue = ''] = pairs.slice(index, index + 2)
    const value = decodeComponent(encodedValue)
    if (value === undefined || !addElement(elements, identifier, identifier === '01' ? value.padStart(14, '0') : value))
      return undefined
  }
  // the query may have other parameters, too
  for (const [name, value] of searchParams) if (/^\d{2,4}$/.test(name) && !addElement(elements, name, value)) return undefined
  return elements
}

function decodeComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Adds one element, unless its value is invalid, or the element already exists with another value. */
function addElement(elements: Map<string, string>, identifier: string, value: string): boolean {
  if (!isValidElement(identifier, value) || (elements.get(identifier) ?? value) !== value) return false
  elements.set(identifier, value)
  return true
}

function interpretElements(elements: Elements): Gs1 | undefined {
  const gtin = elements.get('01') ?? elements.get('02')
  const sscc = elements.get('00')
  if ((gtin !== undefined && !hasCheckDigit(gtin)) || (sscc !== undefined && !hasCheckDigit(sscc))) return undefined
  const days = ['17', '15'].flatMap((identifier) => elements.get(identifier) ?? []).map((text) => parseDay(text, new Date()))
  if (days.includes(undefined)) return undefined
  const count = elements.get('30') ?? elements.get('37')
  if (count !== undefined && !/^\d{1,8}$/.test(count)) return undefined
  const gs1Fields: Record<keyof Gs1, string | undefined> = {
    gtin,
    sscc,
    batch: elements.get('10'),
    serial: elements.get('21'),
    expiry: days[0],
    count: count === undefined ? undefined : String(Number(count)),
    measure: readMeasure(elements),
    order: elements.get('400'),
  }
  return Object.fromEntries(Object.entries(gs1Fields).filter(([, value]) => value !== undefined))
}

/** Returns the first net measure of a code, a decimal number with its unit. */
function readMeasure(elements: Elements): string | undefined {
  for (const [identifier, digits] of elements) {
    const unit = MEASURES[identifier.slice(0, 3)]
    if (unit === undefined) continue
    const decimals = Number(identifier.at(3))
    const integerDigits = digits.slice(0, Math.max(0, digits.length - decimals)) || '0'
    const fraction = decimals === 0 ? '' : digits.slice(-decimals).padStart(decimals, '0')
    return `${BigInt(integerDigits)}${fraction && `.${fraction}`} ${unit}`
  }
  return undefined
}

/**
 * Parses `YYMMDD` as a date. The century is the one nearest to now, at most 50 years ahead; day 00 is the last of the month. Undefined when
 * there is no such date.
 */
export function parseDay(text: string, now: Date): string | undefined {
  const [yearDigits, month, day] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number) as [number, number, number]
  const thisYear = now.getUTCFullYear()
  const century = thisYear - (thisYear % 100)
  const ahead = yearDigits - (thisYear % 100)
  const year = century + yearDigits + (ahead >= 51 ? -100 : ahead <= -50 ? 100 : 0)
  if (month < 1 || month > 12) return undefined
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day > last) return undefined
  return `${year}-${String(month).padStart(2, '0')}-${String(day || last).padStart(2, '0')}`
}
