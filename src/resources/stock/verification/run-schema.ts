import { Type } from 'typebox'

const instant = (description: string) => Type.String({ format: 'date-time', description })
const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()])

const brokenObject = Type.Object({
  model: Type.String({ description: 'The type of the object, by its model name in OPTIONS.' }),
  pk: Type.Integer(),
  name: nullable(Type.String({ description: 'The display name.' })),
  page: Type.Optional(
    nullable(
      Type.String({ description: 'The path of its page, or of that of its order; absent in results of earlier versions.' }),
    ),
  ),
  problem: Type.String({ description: 'The error.' }),
})

const finding = Type.Object({
  name: Type.String(),
  holds: Type.String({ description: 'The rule that the named objects break.' }),
  damage: Type.Boolean({ description: 'Whether a violation is an error; otherwise it is only reported.' }),
  count: Type.Integer({ description: 'The number of objects that break the rule.' }),
  objects: Type.Array(brokenObject, { description: 'The first hundred of these objects.' }),
})

/** Response body with the verification runs. */
export const runsResponse = Type.Object({
  running: nullable(
    Type.Object(
      {
        requested: instant('When it was requested.'),
        done: Type.Integer({ description: 'The number of completed checks.' }),
        checks: Type.Integer({ description: 'The total number of checks.' }),
      },
      { description: 'The run in progress.' },
    ),
  ),
  last: nullable(
    Type.Object(
      {
        requested: instant('When it was requested.'),
        finished: instant('When it ended.'),
        is_right: nullable(Type.Boolean({ description: 'Whether no errors were found; null if the run failed.' })),
        failure: nullable(Type.String({ description: 'Why the run failed.' })),
        checks: Type.Array(finding),
      },
      { description: 'The last completed run.' },
    ),
  ),
})
