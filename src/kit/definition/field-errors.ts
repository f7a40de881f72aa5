import { Type } from 'typebox'

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
