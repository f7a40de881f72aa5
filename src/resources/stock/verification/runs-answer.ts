import { Type } from 'typebox'

const moment = (description: string) => Type.String({ format: 'date-time', description })
const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()])

const brokenObject = Type.Object({
  model: Type.String({ description: 'The kind of the object, by the name that OPTIONS gives it.' }),
  pk: Type.Integer(),
  name: nullable(Type.String({ description: 'What people call it.' })),
  problem: Type.String({ description: 'What is wrong with it.' }),
})

const finding = Type.Object({
  name: Type.String(),
  holds: Type.String({ description: 'What holds unless objects are named.' }),
  damage: Type.Boolean({ description: 'Whether something is broken where it does not hold; otherwise it is only told.' }),
  count: Type.Integer({ description: 'How many objects break it.' }),
  objects: Type.Array(brokenObject, { description: 'The first hundred of them.' }),
})

/** What is answered of the runs of the verification. */
export const runsAnswer = Type.Object({
  running: nullable(
    Type.Object(
      {
        requested: moment('When it was asked for.'),
        done: Type.Integer({ description: 'How many checks are done.' }),
        checks: Type.Integer({ description: 'How many there are.' }),
      },
      { description: 'The run that is under way.' },
    ),
  ),
  last: nullable(
    Type.Object(
      {
        requested: moment('When it was asked for.'),
        finished: moment('When it ended.'),
        is_right: nullable(Type.Boolean({ description: 'Whether nothing is broken; null if it failed.' })),
        failure: nullable(Type.String({ description: 'Why it did not come to its end.' })),
        checks: Type.Array(finding),
      },
      { description: 'The last run that ended.' },
    ),
  ),
})
