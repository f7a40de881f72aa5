import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { roles } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { suggestNextSerial } from '../stock/serial/next-serial.ts'
import { readLatestSerial } from '../stock/serial/serials-in-use.ts'

export const readSerialNumbers = view({
  path: '/api/part/{id}/serial-numbers/',
  summary: 'Get the latest serial number of a part',
  description:
    'Returns the highest serial number in use among a part, its template and all variants, or among all parts if SERIAL_NUMBER_GLOBALLY_UNIQUE is on; and the next one.',
  example: { params: { id: 42 } },
  access: roles('part'),
  response: Type.Object({
    latest: Type.Union([Type.String(), Type.Null()], { description: 'The highest serial number in use; null for none.' }),
    next: Type.Optional(
      Type.String({
        description: 'The next serial number; missing if none is in use, or if the highest does not end in a digit.',
      }),
    ),
  }),
  async read(request) {
    const { pk, database, settings } = request
    const tx: Pick<Tx, 'first'> = { first: async (text, values) => (await database.read<any>({ text, values }))[0] }
    if (!(await tx.first('select 1 from part where pk = $1', [pk]))) throw notFound()
    const latest = await readLatestSerial({ settings, tx }, pk)
    const next = latest === null ? null : await suggestNextSerial(request, pk, latest)
    // clients of API 530 expect a first number
    const first = latest === null && request.config.wire.extendedFields ? '1' : next
    return { latest, ...(first === null ? {} : { next: first }) }
  },
})
