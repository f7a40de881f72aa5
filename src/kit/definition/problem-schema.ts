import { Type } from 'typebox'
import { problems } from '../request/problem.ts'

/** The errors of a request, each with its position. */
export const fieldErrors = Type.Array(
  Type.Object({
    pointer: Type.String({
      pattern: '^($|/|\\?)',
      description:
        'The location of the error: a JSON pointer into the body (`/items/0/quantity`), empty for the whole body; `?` and a name for a query parameter (`?limit`).',
    }),
    code: Type.String({ pattern: '^[a-z][a-z0-9_]*$', description: 'The error code: docs/errors.md lists all codes.' }),
    parameters: Type.Object(
      {},
      { additionalProperties: true, description: 'The parameters of the error, by name. Quantities are decimal strings.' },
    ),
    message: Type.String({ description: 'The error as an English sentence. The text may change.' }),
  }),
)

/** An error in the form of RFC 9457, for clients that request `application/problem+json`. */
export const problemSchema = Type.Object(
  {
    type: Type.String({ description: 'Always `about:blank`: see `code`.' }),
    title: Type.String({ description: 'What `code` means.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    code: Type.String({ enum: Object.keys(problems), description: 'The stable code of the problem.' }),
    detail: Type.Optional(Type.String({ description: 'The errors of the request as a whole.' })),
    errors: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Texts by field, as in `Error`.' })),
    field_errors: fieldErrors,
    request_id: Type.String({ description: 'The id of the request in the log of the service.' }),
  },
  { description: 'An error with codes for programs.' },
)
