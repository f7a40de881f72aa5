/** What the service says, in words for the reader. */
export type ServiceTexts = {
  /** What fields mean, by the text of the OpenAPI document. */
  help: Readonly<Record<string, string>>
  /** What fields are called that have no word of their own, by their name in the interface. */
  fields: Readonly<Record<string, string>>
  /** What errors mean, by their codes, with `{names}` of parameters. Those that are not here are shown as the service says them. */
  errors: Readonly<Record<string, string>>
  /** What accounts are told of, by its text, with `{names}` where it puts something in. */
  news: Readonly<Record<string, string>>
}

/** An error as the service describes it. */
export type ServiceError = { code: string; parameters: Readonly<Record<string, unknown>>; message: string }

const PARAMETER = /\{([a-z_]+)(?::([a-z]+))?\}/g

/**
 * What an error means, in the words of a language; as the service says it where there are none.
 * @param shown how a decimal or a whole number is written
 */
export function errorIn(errors: ServiceTexts['errors'], error: ServiceError, shown: (value: string | number) => string): string {
  const template = Object.hasOwn(errors, error.code) ? errors[error.code] : undefined
  if (template === undefined) return error.message
  return template.replaceAll(PARAMETER, (_, name: string, kind: string | undefined) => {
    const value = error.parameters[name]
    if (kind === 'errors') return (value as ServiceError[]).map((one) => errorIn(errors, one, shown)).join(' ')
    if (kind === 'decimal' || kind === 'integer') return shown(value as string | number)
    return Array.isArray(value) ? value.join(', ') : String(value ?? '')
  })
}

/**
 * A reader of what accounts are told of. What has no translation is shown as it is.
 * @param texts by the text of the service, with `{names}` where it puts something in
 * @param shown how what was put in is shown, such as a number as the reader writes it
 */
export function translator(texts: ServiceTexts['news'], shown: (value: string) => string): (text: string) => string {
  const templates = Object.entries(texts)
    .filter(([text]) => PLACE.test(text))
    .map(([text, other]) => ({ pattern: patternOf(text), other }))
  return (text) => {
    const exact = texts[text]
    if (exact !== undefined) return exact
    for (const { pattern, other } of templates) {
      const { groups } = pattern.exec(text) ?? {}
      if (groups) return other.replaceAll(PLACES, (_, name) => shown(groups[name] ?? ''))
    }
    return text
  }
}

const PLACE = /\{\w+\}/
const PLACES = /\{(\w+)\}/g

/** Fits the text with whatever the service put into it. */
function patternOf(text: string): RegExp {
  const parts = text.split(PLACES)
  const pattern = parts.map((part, at) => (at % 2 ? `(?<${part}>.+?)` : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
  return new RegExp(`^${pattern.join('')}$`, 's')
}
