import { Drop } from 'liquidjs'
import { isObject } from '../../kit/values/json.ts'

/** HTML that this service made from escaped text: the only value that a template outputs unescaped. */
export class SafeHtml extends Drop {
  readonly #html: string

  constructor(html: string) {
    super()
    this.#html = html
  }

  /** Filters and comparisons treat it as a string; their results are escaped like any other. */
  override valueOf(): string {
    return this.#html
  }

  override toString(): string {
    return this.#html
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string)

/** Fields that name an object; the first one that it has is used. */
const NAME_FIELDS = ['full_name', 'pathstring', 'reference', 'SKU', 'MPN', 'name', 'title', 'code', 'username', 'pk']

/** Returns a value as the text that `{{ }}` outputs: empty for absent values, the joined entries of a list, the name of an object. */
export function toText(value: unknown): string {
  const plain = value instanceof Drop ? value.valueOf() : value
  if (plain === undefined || plain === null) return ''
  if (Array.isArray(plain)) return plain.map(toText).join('')
  if (!isObject(plain)) return String(plain)
  const name = NAME_FIELDS.find(
    (entry) => Object.hasOwn(plain, entry) && plain[entry] !== null && typeof plain[entry] !== 'object',
  )
  return name === undefined ? '' : String(plain[name])
}

/** Returns the output of `{{ }}` for any value. */
export const escapeOutput = (value: unknown): string => (value instanceof SafeHtml ? value.valueOf() : escapeHtml(toText(value)))
