import { readMessage, withSeparators } from '../../../plugin-api/barcode/index.ts'
import { identifierAt, isValidElement } from './application-identifiers.ts'
import { gtin14, hasCheckDigit } from './check-digit.ts'

/** The content of a GS1 code. */
export type Gs1 = {
  /** The article, as GTIN-14. */
  gtin?: string
  batch?: string
  serial?: string
  /** Use-by date (17), else best-before date (15), `YYYY-MM-DD`. */
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
 * Parses a GS1 code: element strings (with the symbology's prefix, with separators, or with identifiers in brackets as people read them), a
 * Digital Link address, a message of ISO/IEC 15434 in format 05, or a bare GTIN. Undefined when it is none of these, an identifier is
 * unknown, a value has the wrong length, or a check digit is wrong: a misread code would be counted wrongly.
 */
export function readGs1(text: string): Gs1 | undefined {
  const elements = readElements(text)
  return elements && interpretElements(elements)
}

/** Normalizes a GS1 code, with its elements in brackets and sorted: equal for every notation. */
export function canonicalGs1(text: string): string | undefined {
  const elements = readElements(text)
  if (!elements || !interpretElements(elements)) return undefined
  return [...elements]
    .toSorted()
    .map(([identifier, value]) => `(${identifier})${value}`)
    .join('')
}

/** Values by application identifier. */
type Elements = ReadonlyMap<string, string>

function readElements(text: string): Elements | undefined {
  const bare = gtin14(text)
  return bare ? new Map([['01', bare]]) : (linkElements(text) ?? bracketElements(text) ?? stringElements(text))
}

/** The prefix that a scanner sends before a GS1 symbol. */
const SYMBOLOGY_MARK = /^\](?:C1|d2|Q3|e0|J1)/

/** `01095060001343521718123110ABC<GS>21123`. Without a prefix or a separator it must begin with a GTIN or an SSCC. */
function stringElements(text: string): Elements | undefined {
  const decoded = withSeparators(text)
  const message = readMessage(decoded)?.filter(({ format }) => format === '05')
  if (message) return message.length > 0 ? elementsOf(message.flatMap(({ fields }) => fields).join(SEPARATOR)) : undefined
  const marked = SYMBOLOGY_MARK.test(decoded)
  const behind = decoded.replace(SYMBOLOGY_MARK, '')
  const rest = behind.startsWith(SEPARATOR) ? behind.slice(1) : behind
  return marked || /^0[012]\d{14}/.test(rest) ? elementsOf(rest) : undefined
}

const SEPARATOR = '\u001d'

function elementsOf(text: string): Elements | undefined {
  const elements = new Map<string, string>()
  let rest = text
  while (rest !== '') {
    const match = identifierAt(rest)
    if (!match) return undefined
    const behind = rest.slice(match.identifier.length)
    const end = behind.indexOf(SEPARATOR)
    const length = match.length ?? (end < 0 ? behind.length : end)
    if (!added(elements, match.identifier, behind.slice(0, length))) return undefined
    rest = behind.slice(length)
    if (rest.startsWith(SEPARATOR)) rest = rest.slice(1)
  }
  return elements
}

/** `(01)09506000134352(17)181231(10)ABC`. */
function bracketElements(text: string): Elements | undefined {
  if (!/^\(\d{2,4}\)/.test(text)) return undefined
  const elements = new Map<string, string>()
  for (const [, identifier = '', value = ''] of text.matchAll(/\((\d{2,4})\)((?:(?!\(\d{2,4}\)).)*)/gs))
    if (!added(elements, identifier, value.replaceAll(SEPARATOR, ''))) return undefined
  return elements
}

/** `https://id.gs1.org/01/09506000134352/10/ABC?17=181231`: the path from the first key on, then the query. */
function linkElements(text: string): Elements | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { pathname, searchParams } = new URL(text)
  const steps = pathname.split('/')
  const from = steps.findIndex((step, at) => (step === '01' || step === '00') && /^\d{8,18}$/.test(steps[at + 1] ?? ''))
  if (from < 0) return undefined
  const elements = new Map<string, string>()
  const pairs = steps.slice(from).filter((step) => step !== '')
  if (pairs.length % 2 !== 0) return undefined
  for (let at = 0; at < pairs.length; at += 2) {
    const [identifier = '', written = ''] = pairs.slice(at, at + 2)
    const value = unescaped(written)
    if (value === undefined || !added(elements, identifier, identifier === '01' ? value.padStart(14, '0') : value))
      return undefined
  }
  // the query may have other parameters, too
  for (const [name, value] of searchParams) if (/^\d{2,4}$/.test(name) && !added(elements, name, value)) return undefined
  return elements
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Adds one element, unless its value is invalid, or the element exists already with another value. */
function added(elements: Map<string, string>, identifier: string, value: string): boolean {
  if (!isValidElement(identifier, value) || (elements.get(identifier) ?? value) !== value) return false
  elements.set(identifier, value)
  return true
}

function interpretElements(elements: Elements): Gs1 | undefined {
  const gtin = elements.get('01') ?? elements.get('02')
  const sscc = elements.get('00')
  if ((gtin !== undefined && !hasCheckDigit(gtin)) || (sscc !== undefined && !hasCheckDigit(sscc))) return undefined
  const days = ['17', '15'].flatMap((identifier) => elements.get(identifier) ?? []).map((text) => dayOf(text, new Date()))
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
    measure: measureOf(elements),
    order: elements.get('400'),
  }
  return Object.fromEntries(Object.entries(gs1Fields).filter(([, value]) => value !== undefined))
}

/** Returns the first net measure of a code, a decimal number with its unit. */
function measureOf(elements: Elements): string | undefined {
  for (const [identifier, digits] of elements) {
    const unit = MEASURES[identifier.slice(0, 3)]
    if (unit === undefined) continue
    const decimals = Number(identifier.at(3))
    const integerDigits = digits.slice(0, Math.max(0, digits.length - decimals)) || '0'
    const behind = decimals === 0 ? '' : digits.slice(-decimals).padStart(decimals, '0')
    return `${BigInt(integerDigits)}${behind && `.${behind}`} ${unit}`
  }
  return undefined
}

/**
 * Parses `YYMMDD` as a date. The century is the one nearest to now, at most 50 years ahead; day 00 is the last of the month. Undefined when
 * there is no such date.
 */
export function dayOf(text: string, now: Date): string | undefined {
  const [short, month, day] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number) as [number, number, number]
  const thisYear = now.getUTCFullYear()
  const century = thisYear - (thisYear % 100)
  const ahead = short - (thisYear % 100)
  const year = century + short + (ahead >= 51 ? -100 : ahead <= -50 ? 100 : 0)
  if (month < 1 || month > 12) return undefined
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day > last) return undefined
  return `${year}-${String(month).padStart(2, '0')}-${String(day || last).padStart(2, '0')}`
}
