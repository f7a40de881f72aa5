import { Type } from 'typebox'
import { problems } from '../request/problem.ts'

/** The errors of a request, each with the place that it is about. */
export const fieldErrors = Type.Array(
  Type.Object({
    pointer: Type.String({
      pattern: '^($|/|\\?)',
      description:
        'What it is about: a JSON pointer into the body (`/items/0/quantity`), empty for all of it; `?` and its name for a query parameter (`?limit`).',
    }),
    code: Type.String({ pattern: '^[a-z][a-z0-9_]*$', description: 'What is wrong: docs/errors.md lists all codes.' }),
    parameters: Type.Object(
      {},
      { additionalProperties: true, description: 'What the code speaks of, by name. Quantities are decimal strings.' },
    ),
    message: Type.String({ description: 'The same as an English sentence, which may be worded otherwise some day.' }),
  }),
)

/** An error in the form of RFC 9457, as clients get it that ask for `application/problem+json`. */
export const problemSchema = Type.Object(
  {
    type: Type.String({ description: 'Always `about:blank`: `code` says what it is.' }),
    title: Type.String({ description: 'What `code` means.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    code: Type.String({ enum: Object.keys(problems), description: 'What became of the request; stable.' }),
    detail: Type.Optional(Type.String({ description: 'What is wrong with the request as a whole.' })),
    errors: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Texts by field, as `Error` has them.' })),
    field_errors: fieldErrors,
    request_id: Type.String({ description: 'Names the request in the log of the service.' }),
  },
  { description: 'An error with codes for programs.' },
)
