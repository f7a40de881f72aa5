import { checkPattern } from '../order/reference.ts'

/** The fields of a part that a name format may show. */
const PART_FIELDS = new Set(
  `pk id name IPN revision revision_of description keywords category variant_of link image default_location default_supplier
  default_expiry minimum_stock units assembly component is_template trackable testable purchaseable salable active virtual
  locked notes creation_date creation_user responsible_owner full_name`.split(/\s+/),
)

/** A reference pattern such as `PO-{ref:04d}`. */
export const referencePattern = (pattern: string): string | undefined => checkPattern(pattern).join(' ') || undefined

/** Empty, or a regular expression. */
export function regularExpression(pattern: string): string | undefined {
  try {
    new RegExp(pattern)
    return undefined
  } catch {
    return 'Enter a valid regular expression.'
  }
}

/** Empty, or an http(s) address of a host that others can name: with a dot, an IP address, or localhost. */
export function baseUrl(address: string): string | undefined {
  if (address === '') return undefined
  const url = /^https?:\/\/\S+$/i.test(address) && URL.canParse(address) ? new URL(address) : undefined
  if (url && (url.hostname.includes('.') || url.hostname === 'localhost' || url.hostname.startsWith('['))) return undefined
  return 'Enter a valid URL, such as https://stock.example.org.'
}

/** Empty, or e-mail domains such as `@example.org,@example.com`. */
export function mailDomains(list: string): string | undefined {
  if (list === '') return undefined
  for (const domain of list.split(',')) {
    if (domain === '') return 'An empty domain is not allowed.'
    if (!/^@[A-Za-z0-9._-]+$/.test(domain)) return `Not a domain: ${domain.slice(0, 100)}. Write @example.org.`
  }
  return undefined
}

/** A template of a part's name: every `{{ }}` is closed and shows a field that parts have. */
export function partNameFormat(format: string): string | undefined {
  const around = format.replaceAll(/\{\{.*?\}\}/g, '')
  if (/\{\{|\}\}|\{%|%\}/.test(around)) return 'The braces of this template do not match.'
  for (const [expression] of format.matchAll(/\{\{.*?\}\}/g)) {
    const fields = [...expression.matchAll(/\bpart\.(\w+)/g)].map((match) => match[1] as string)
    const unknown = fields.find((field) => !PART_FIELDS.has(field))
    if (unknown !== undefined) return `A part has no field ${unknown}.`
    if (fields.length === 0) return `${expression.slice(0, 100)} names no field of a part.`
  }
  return undefined
}
