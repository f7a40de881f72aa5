/** What the service says in English, in another language. */
export type Said = {
  /** What fields mean, by the text of the OpenAPI document. */
  help: Readonly<Record<string, string>>
  /** What fields are called that have no word of their own, by their name in the interface. */
  fields: Readonly<Record<string, string>>
  /** Refusals, news and whatever else it says, by its text, with `{names}` where it puts something in. */
  texts: Readonly<Record<string, string>>
}

/**
 * A reader of what the service says. What has no translation is shown as it is.
 * @param texts by the text of the service, with `{names}` where it puts something in
 * @param shown how what was put in is shown, such as a number as the reader writes it
 */
export function translator(texts: Said['texts'], shown: (value: string) => string): (text: string) => string {
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
