import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { roles } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { incrementSerial } from '../stock/serial/serial-numbers.ts'
import { latestSerial } from '../stock/serial/serials-in-use.ts'

/** The highest serial number of a part's tree, or of all parts where these are globally unique; and the one that follows it. */
export const readSerialNumbers = view({
  path: '/api/part/{id}/serial-numbers/',
  summary: 'The latest serial number of a part',
  access: roles('part'),
  answer: Type.Object({ latest: Type.Union([Type.String(), Type.Null()]), next: Type.Optional(Type.String()) }),
  async read({ pk, database, settings }) {
    const tx: Pick<Tx, 'first'> = { first: async (text, values) => (await database.read<any>({ text, values }))[0] }
    if (!(await tx.first('select 1 from part where pk = $1', [pk]))) throw notFound()
    const latest = await latestSerial({ settings, tx }, pk)
    const next = latest === null ? null : incrementSerial(latest)
    return { latest, ...(next === null ? {} : { next }) }
  },
})
