/** The type of a template's parameter, by the kind in its placeholder; text by default. */
type ParameterTypes = {
  text: string
  integer: number
  /** A primary key, or the value that a client sent as one; null if there is none. */
  key: number | string | null
  /** An exact number: a decimal string in JSON. */
  decimal: string | number
  /** Lists: separated by a comma and a space, by a comma alone, and as keys. */
  texts: readonly string[]
  csv: readonly string[]
  integers: readonly number[]
  /** Errors that caused this one. */
  errors: readonly ErrorMessage[]
}
export type ParameterKind = keyof ParameterTypes

/** `{name}` and `{name:kind}`. */
type TemplateParameters<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}`
  ? ParameterOf<Place> & TemplateParameters<Rest>
  : unknown
type ParameterOf<Place extends string> = Place extends `${string} ${string}`
  ? unknown
  : Place extends `${infer Name}:${infer Kind extends ParameterKind}`
    ? { readonly [N in Name]: ParameterTypes[Kind] }
    : { readonly [N in Place]: string }

/** An error: its stable code, its parameters, and the English sentence made from both. */
export class ErrorMessage {
  readonly code: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly message: string
  /** Prevents look-alike objects from passing as one: instances come only from a catalogue. */
  readonly #isMessage = true

  /** Only for catalogues, and for errors stored from one. */
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

  /** Serializes to its sentence, the only part that existing clients read. */
  toJSON(): string {
    return this.message
  }
}

/** A catalogue's entry for one code. */
export type CatalogueEntry = { area: string; template: string; parameters: readonly { name: string; kind: ParameterKind }[] }

const entries = new Map<string, CatalogueEntry>()

/** Every code of the loaded catalogues. */
export const errorCodes: ReadonlyMap<string, CatalogueEntry> = entries

type Catalogue<Templates extends Record<string, string>> = {
  readonly [Code in keyof Templates]: unknown extends TemplateParameters<Templates[Code]>
    ? ErrorMessage
    : (parameters: TemplateParameters<Templates[Code]>) => ErrorMessage
}

/**
 * The error codes of one area with their English sentences, as messages and as functions from parameters to messages. Clients rely on
 * codes: a code never changes its meaning and is never reused.
 * @param area the heading in docs/errors.md
 * @throws Error for a code that another catalogue has
 */
export function errorCatalogue<const Templates extends Record<string, string>>(
  area: string,
  templates: Templates,
): Catalogue<Templates> {
  const messages = Object.entries(templates).map(([code, template]) => {
    if (entries.has(code)) throw new Error(`two catalogs have the error code ${code}`)
    const parameters = parsePlaceholders(template)
    entries.set(code, { area, template, parameters })
    const createMessage = (values: Record<string, unknown>) =>
      new ErrorMessage(
        code,
        Object.fromEntries(parameters.map(({ name, kind }) => [name, toJsonParameter(kind, values[name])])),
        fillTemplate(template, (name, kind) => formatParameterValue(kind, values[name])),
      )
    return [code, parameters.length === 0 ? new ErrorMessage(code, {}, template) : createMessage]
  })
  return Object.fromEntries(messages)
}

const PLACEHOLDER = /\{([a-z_]+)(?::([a-z]+))?\}/g

/** Returns the placeholders of a template, in order. */
export const parsePlaceholders = (template: string): { name: string; kind: ParameterKind }[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name = '', kind = 'text']) => ({ name, kind: kind as ParameterKind }))

/** Fills in the placeholders of a template. */
export const fillTemplate = (template: string, formatParameter: (name: string, kind: ParameterKind) => string): string =>
  template.replaceAll(PLACEHOLDER, (_, name: string, kind = 'text') => formatParameter(name, kind as ParameterKind))

const toJsonParameter = (kind: ParameterKind, value: unknown): unknown =>
  kind === 'decimal'
    ? String(value)
    : kind === 'errors'
      ? (value as readonly ErrorMessage[]).map(({ code, parameters, message }) => ({ code, parameters, message }))
      : value

const SEPARATORS: Partial<Record<ParameterKind, string>> = { texts: ', ', csv: ',', integers: ', ', errors: ' ' }

const formatParameterValue = (kind: ParameterKind, value: unknown): string =>
  Array.isArray(value) ? value.join(SEPARATORS[kind] ?? ', ') : value === null ? 'none' : String(value)

/** An error with a reason for the client. */
export class ReasonedError extends Error {
  readonly reason: ErrorMessage

  constructor(reason: ErrorMessage) {
    super(reason.message)
    this.reason = reason
  }
}
