/** The texts of the service, in the reader's language. */
export type ServiceTexts = {
  /** Help of fields, by the text of the OpenAPI document. */
  help: Readonly<Record<string, string>>
  /** Labels of fields that have no key in the language files, by their name in the API. */
  fields: Readonly<Record<string, string>>
  /** Messages of errors, by their codes, with `{names}` of parameters. Others are shown as the service sends them. */
  errors: Readonly<Record<string, string>>
  /** Texts of notifications, by the text of the service, with `{names}` for the inserted values. */
  notifications: Readonly<Record<string, string>>
}

/** An error as the service describes it. */
export type ServiceError = { code: string; parameters: Readonly<Record<string, unknown>>; message: string }

const PARAMETER = /\{([a-z_]+)(?::([a-z]+))?\}/g

/**
 * Message for an error in a language; the service's own message if it has no translation.
 * @param formatNumber formats a decimal or a whole number
 * @param formatBytes formats a number of bytes
 */
export function translateError(
  errors: ServiceTexts['errors'],
  error: ServiceError,
  formats: { formatNumber: (value: string | number) => string; formatBytes: (value: number) => string },
): string {
  const template = Object.hasOwn(errors, error.code) ? errors[error.code] : undefined
  if (template === undefined) return error.message
  return template.replaceAll(PARAMETER, (_, name: string, kind: string | undefined) => {
    const value = error.parameters[name]
    if (kind === 'errors') return (value as ServiceError[]).map((cause) => translateError(errors, cause, formats)).join(' ')
    if (kind === 'bytes') return formats.formatBytes(Number(value))
    if (kind === 'decimal' || kind === 'integer') return formats.formatNumber(value as string | number)
    return Array.isArray(value) ? value.join(', ') : String(value ?? '')
  })
}

/**
 * Returns a translator for the texts of notifications. Texts without a translation stay as they are.
 * @param texts by the text of the service, with `{names}` for the inserted values
 * @param format formats an inserted value, such as a number for the reader
 */
export function createTranslator(
  texts: ServiceTexts['notifications'],
  format: (value: string) => string,
): (text: string) => string {
  const templates = Object.entries(texts)
    .filter(([text]) => PLACEHOLDER.test(text))
    .map(([text, translation]) => ({ pattern: createPattern(text), translation }))
  return (text) => {
    const exact = texts[text]
    if (exact !== undefined) return exact
    for (const { pattern, translation } of templates) {
      const { groups } = pattern.exec(text) ?? {}
      if (groups) return translation.replaceAll(PLACEHOLDERS, (_, name) => format(groups[name] ?? ''))
    }
    return text
  }
}

const PLACEHOLDER = /\{\w+\}/
const PLACEHOLDERS = /\{(\w+)\}/g

/** A pattern that matches the text with any inserted values. */
function createPattern(text: string): RegExp {
  const parts = text.split(PLACEHOLDERS)
  const pattern = parts.map((part, index) => (index % 2 ? `(?<${part}>.+?)` : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
  return new RegExp(`^${pattern.join('')}$`, 's')
}
