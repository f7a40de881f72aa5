import { type TObject, type TSchema, Type } from 'typebox'
import type { Shape } from '../../kit/definition/input.ts'
import { kindKeys, kinds } from './kinds.ts'

const objectSchema = Type.Object(
  {
    pk: Type.Integer(),
    api_url: Type.String({ description: 'The API path of the object.' }),
    web_url: Type.Optional(Type.String({ description: 'Its page in the web interfaces that existing clients know.' })),
    instance: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'The object as GET shows it.' })),
  },
  { description: 'The object found.' },
)

/**
 * The response of a barcode operation: the fields of the body as sent, together with the objects found.
 * @param fields further fields of the response
 */
export const responseSchema = (fields: Record<string, TSchema> = {}): TObject =>
  Type.Object(
    {
      success: Type.String({ description: 'A message about what was done.' }),
      plugin: Type.Optional(Type.String({ description: 'The name of the plugin that recognized the barcode.' })),
      barcode_data: Type.Optional(Type.String({ description: 'The barcode without spaces at its ends.' })),
      barcode_hash: Type.Optional(Type.String({ description: 'The MD5 hash of the barcode.' })),
      ...fields,
    },
    { additionalProperties: true },
  )

/** Adds every field of the body to a response schema, as sent; not for existing clients. */
export function withEchoedBody(response: TSchema | undefined, body: Shape): TSchema {
  const { properties } = response as TObject
  const sent = Object.keys(body).filter((name) => !(name in properties))
  const echo = sent.map((name) => [name, Type.Optional(Type.Any({ description: 'As it was sent.' }))])
  return { ...response, properties: { ...properties, ...Object.fromEntries(echo) } } as TSchema
}

/** The object that was found, under its kind. */
export const matchSchema = Object.fromEntries(kinds.map(({ key }) => [key, Type.Optional(objectSchema)]))

/** The objects of a body as sent; the objects found under these names are in `matched`. For existing clients they are in the response itself. */
export const targetSchema: Record<string, TSchema> = {
  ...Object.fromEntries(
    kindKeys.map((key) => [key, Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null(), objectSchema]))]),
  ),
  matched: Type.Optional(Type.Object(matchSchema, { description: 'The linked object, under its type.' })),
}
