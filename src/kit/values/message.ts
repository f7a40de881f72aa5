/** What stands in a place of a template, by the kind that the place names; without one it is text. */
type Given = {
  text: string
  integer: number
  /** A primary key, or what a client sent for one; null for none. */
  key: number | string | null
  /** An exact number: a decimal string in JSON. */
  decimal: string | number
  /** Lists: written with a comma and a blank between, with a comma alone, and as keys. */
  texts: readonly string[]
  csv: readonly string[]
  integers: readonly number[]
  /** Errors that led to this one. */
  errors: readonly ErrorMessage[]
}
export type ParameterKind = keyof Given

/** `{name}` and `{name:kind}`. */
type Places<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}` ? PlaceOf<Place> & Places<Rest> : unknown
type PlaceOf<Place extends string> = Place extends `${string} ${string}`
  ? unknown
  : Place extends `${infer Name}:${infer Kind extends ParameterKind}`
    ? { readonly [N in Name]: Given[Kind] }
    : { readonly [N in Place]: string }

/** What one error says: its code, which is stable, its parameters, and the English sentence that both make. */
export class ErrorMessage {
  readonly code: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly message: string
  /** No object that only looks like one passes for it: it comes out of a catalogue. */
  readonly #isMessage = true

  /** Only for catalogues, and for what was stored of one. */
  constructor(code: string, parameters: Readonly<Record<string, unknown>>, message: string) {
    this.code = code
    this.parameters = parameters
    this.message = message
  }

  static is(value: unknown): value is ErrorMessage {
    return typeof value === 'object' && value !== null && #isMessage in value
  }

  toString(): string {
    return this.message
  }

  /** In a body it is its sentence, which is all that existing clients read. */
  toJSON(): string {
    return this.message
  }
}

/** What a catalogue says of one code. */
export type CatalogueEntry = { area: string; template: string; parameters: readonly { name: string; kind: ParameterKind }[] }

const entries = new Map<string, CatalogueEntry>()

/** Every code of the catalogues that are loaded. */
export const errorCodes: ReadonlyMap<string, CatalogueEntry> = entries

type Catalogue<Templates extends Record<string, string>> = {
  readonly [Code in keyof Templates]: unknown extends Places<Templates[Code]>
    ? ErrorMessage
    : (parameters: Places<Templates[Code]>) => ErrorMessage
}

/**
 * The error codes of one area with their English sentences, as messages and as functions from parameters to messages. Clients rely on
 * codes: one never changes its meaning and is not used again.
 * @param area the heading in docs/errors.md
 * @throws Error for a code that another catalogue has
 */
export function errorCatalogue<const Templates extends Record<string, string>>(
  area: string,
  templates: Templates,
): Catalogue<Templates> {
  const made = Object.entries(templates).map(([code, template]) => {
    if (entries.has(code)) throw new Error(`two catalogs have the error code ${code}`)
    const parameters = placesOf(template)
    entries.set(code, { area, template, parameters })
    const make = (given: Record<string, unknown>) =>
      new ErrorMessage(
        code,
        Object.fromEntries(parameters.map(({ name, kind }) => [name, inJson(kind, given[name])])),
        fill(template, (name, kind) => written(kind, given[name])),
      )
    return [code, parameters.length === 0 ? new ErrorMessage(code, {}, template) : make]
  })
  return Object.fromEntries(made)
}

const PLACE = /\{([a-z_]+)(?::([a-z]+))?\}/g

/** The places of a template in their order. */
export const placesOf = (template: string): { name: string; kind: ParameterKind }[] =>
  [...template.matchAll(PLACE)].map(([, name = '', kind = 'text']) => ({ name, kind: kind as ParameterKind }))

/** A template with something in its places. */
export const fill = (template: string, shown: (name: string, kind: ParameterKind) => string): string =>
  template.replaceAll(PLACE, (_, name: string, kind = 'text') => shown(name, kind as ParameterKind))

const inJson = (kind: ParameterKind, value: unknown): unknown =>
  kind === 'decimal'
    ? String(value)
    : kind === 'errors'
      ? (value as readonly ErrorMessage[]).map(({ code, parameters, message }) => ({ code, parameters, message }))
      : value

const SEPARATORS: Partial<Record<ParameterKind, string>> = { texts: ', ', csv: ',', integers: ', ', errors: ' ' }

const written = (kind: ParameterKind, value: unknown): string =>
  Array.isArray(value) ? value.join(SEPARATORS[kind] ?? ', ') : value === null ? 'none' : String(value)

/** An error whose reason is for the client. */
export class ReasonedError extends Error {
  readonly reason: ErrorMessage

  constructor(reason: ErrorMessage) {
    super(reason.message)
    this.reason = reason
  }
}
