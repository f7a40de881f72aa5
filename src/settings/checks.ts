import { isObject } from '../kit/values/json.ts'
import type { ErrorMessage } from '../kit/values/message.ts'
import { findRegularExpressionError } from '../kit/values/regular-expression.ts'
import { queryErrors } from '../kit/values/value-errors.ts'
import { checkBatchCodeTemplate } from './batch-code-template.ts'
import { checkPattern } from './reference-pattern.ts'
import { settingsErrors } from './settings-errors.ts'

/** Fields of a part that a name format may use: strings, numbers and flags of the part itself. */
const PART_FIELDS = new Set(
  `pk id name IPN revision description keywords link units default_expiry minimum_stock creation_date
  assembly component is_template trackable purchaseable salable active virtual`.split(/\s+/),
)

/** Allowed expression between the braces: `part.IPN` or `'a string'`, then `if part.IPN`, then `else` and another one. */
const NAME_PIECE = /^\s*(?:part\.\w+|'[^']*'|"[^"]*")(?:\s+if\s+part\.\w+(?:\s+else\s+(?:part\.\w+|'[^']*'|"[^"]*"))?)?\s*$/

const joinErrors = (reasons: readonly ErrorMessage[]): ErrorMessage | undefined =>
  reasons.length === 0 ? undefined : settingsErrors.setting_pattern({ reasons })

/** Checks a reference pattern such as `PO-{ref:04d}`. */
export const validateReferencePattern = (pattern: string): ErrorMessage | undefined => joinErrors(checkPattern(pattern))

/** Checks a template of batch codes such as `{{ year }}-{{ week }}`. */
export const validateBatchCodeTemplate = (template: string): ErrorMessage | undefined =>
  joinErrors(checkBatchCodeTemplate(template))

/** Checks for an empty value or a valid regular expression. */
export function validateRegularExpression(pattern: string): ErrorMessage | undefined {
  try {
    new RegExp(pattern)
    return findRegularExpressionError(pattern)
  } catch {
    return queryErrors.invalid_regular_expression
  }
}

/** Checks for an empty value or an http(s) URL with a host that others can resolve: with a dot, an IP address, or localhost. */
export function validateBaseUrl(address: string): ErrorMessage | undefined {
  if (address === '') return undefined
  const url = /^https?:\/\/\S+$/i.test(address) && URL.canParse(address) ? new URL(address) : undefined
  if (url && (url.hostname.includes('.') || url.hostname === 'localhost' || url.hostname.startsWith('['))) return undefined
  return settingsErrors.site_url
}

/** Checks for an empty value or a UUID. */
export const validateUuid = (text: string): ErrorMessage | undefined =>
  text === '' || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? undefined : settingsErrors.setting_uuid

/** Checks for a JSON object. */
export function validateJsonObject(text: string): ErrorMessage | undefined {
  try {
    return isObject(JSON.parse(text)) ? undefined : settingsErrors.setting_json_object
  } catch {
    return settingsErrors.setting_json_object
  }
}

/** Checks for an empty value or email domains such as `@example.org,@example.com`. */
export function validateEmailDomains(list: string): ErrorMessage | undefined {
  if (list === '') return undefined
  for (const domain of list.split(',')) {
    if (domain === '') return settingsErrors.empty_domain
    if (!/^@[A-Za-z0-9._-]+$/.test(domain)) return settingsErrors.invalid_domain({ domain: domain.slice(0, 100) })
  }
  return undefined
}

/**
 * Checks a format of part names: every `{{ }}` must be closed and use an existing field of parts. The database implements the same
 * format (`part_full_name`), since it writes the names.
 */
export function validatePartNameFormat(format: string): ErrorMessage | undefined {
  const textOutside = format.replaceAll(/\{\{.*?\}\}/g, '')
  if (/\{\{|\}\}|\{%|%\}/.test(textOutside)) return settingsErrors.name_format_braces
  for (const [, piece = ''] of format.matchAll(/\{\{(.*?)\}\}/g)) {
    const fields = [...piece.matchAll(/\bpart\.(\w+)/g)].map((match) => match[1] as string)
    const unknown = fields.find((field) => !PART_FIELDS.has(field))
    if (unknown !== undefined) return settingsErrors.name_format_field({ field: unknown.slice(0, 100) })
    if (fields.length === 0) return settingsErrors.name_format_without_field({ piece: piece.slice(0, 100) })
    if (!NAME_PIECE.test(piece)) return settingsErrors.name_format_piece({ piece: piece.slice(0, 100) })
  }
  return undefined
}
