import { Drop } from 'liquidjs'
import { isObject } from '../../kit/values/json.ts'

/** HTML that this service made itself, of texts that it escaped: the only thing that a template puts out unescaped. */
export class Safe extends Drop {
  readonly #html: string

  constructor(html: string) {
    super()
    this.#html = html
  }

  /** Filters and comparisons take it as a text; what they make of it is escaped like any other. */
  override valueOf(): string {
    return this.#html
  }

  override toString(): string {
    return this.#html
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string)

/** What an object is called by, the first of these that it has. */
const NAMES = ['full_name', 'pathstring', 'reference', 'SKU', 'MPN', 'name', 'title', 'code', 'username', 'pk']

/**
 * The text of a value as `{{ }}` puts it out: nothing for what is absent, a list as its entries one after another, an object as what
 * it is called.
 */
export function textOf(value: unknown): string {
  const plain = value instanceof Drop ? value.valueOf() : value
  if (plain === undefined || plain === null) return ''
  if (Array.isArray(plain)) return plain.map(textOf).join('')
  if (!isObject(plain)) return String(plain)
  const name = NAMES.find((entry) => Object.hasOwn(plain, entry) && plain[entry] !== null && typeof plain[entry] !== 'object')
  return name === undefined ? '' : String(plain[name])
}

/** What `{{ }}` puts out of any value. */
export const escapeOutput = (value: unknown): string => (value instanceof Safe ? value.valueOf() : escapeHtml(textOf(value)))
