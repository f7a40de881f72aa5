import { objectionTo } from '../../kit/values/regular-expression.ts'
import { checkPattern } from '../order/reference.ts'
import { checkBatchCodeTemplate } from '../stock/serial/batch-code.ts'

/** The fields of a part that a name format may show: those that are texts, numbers or flags of the part itself. */
const PART_FIELDS = new Set(
  `pk id name IPN revision description keywords link units default_expiry minimum_stock creation_date
  assembly component is_template trackable purchaseable salable active virtual`.split(/\s+/),
)

/** What may stand between the braces: `part.IPN` or `'a text'`, then `if part.IPN`, then `else` and another one. */
const NAME_PIECE = /^\s*(?:part\.\w+|'[^']*'|"[^"]*")(?:\s+if\s+part\.\w+(?:\s+else\s+(?:part\.\w+|'[^']*'|"[^"]*"))?)?\s*$/

/** A reference pattern such as `PO-{ref:04d}`. */
export const referencePattern = (pattern: string): string | undefined => checkPattern(pattern).join(' ') || undefined

/** A template of batch codes such as `{{ year }}-{{ week }}`. */
export const batchCodeTemplate = (template: string): string | undefined => checkBatchCodeTemplate(template).join(' ') || undefined

/** Empty, or a regular expression. */
export function regularExpression(pattern: string): string | undefined {
  try {
    new RegExp(pattern)
    return objectionTo(pattern)
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

/**
 * A template of a part's name: every `{{ }}` is closed and shows a field that parts have. The database knows the same form
 * (`part_full_name`), since it writes the names.
 */
export function partNameFormat(format: string): string | undefined {
  const around = format.replaceAll(/\{\{.*?\}\}/g, '')
  if (/\{\{|\}\}|\{%|%\}/.test(around)) return 'The braces of this template do not match.'
  for (const [, piece = ''] of format.matchAll(/\{\{(.*?)\}\}/g)) {
    const fields = [...piece.matchAll(/\bpart\.(\w+)/g)].map((match) => match[1] as string)
    const unknown = fields.find((field) => !PART_FIELDS.has(field))
    if (unknown !== undefined) return `A part's name cannot show ${unknown.slice(0, 100)}.`
    if (fields.length === 0) return `${piece.slice(0, 100)} names no field of a part.`
    if (!NAME_PIECE.test(piece))
      return `${piece.slice(0, 100)} cannot be read: write part.name, or a text, if part.IPN else another.`
  }
  return undefined
}
