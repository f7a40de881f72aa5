import { Type } from 'typebox'
import { action, view } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalid, notFound } from '../../kit/request/problem.ts'
import { plainSql } from '../../kit/sql/sql.ts'
import { lockRow } from '../../kit/writing/write.ts'
import { lockBom } from '../bom/bom-rules.ts'
import { digestOf } from '../bom/lines-of.ts'
import { part } from './part.resource.ts'
import { partErrors } from './part-errors.ts'

const path = '/api/part/{id}/bom-validate/'
const access = roles('part')

const answer = Type.Object({
  checksum: Type.String({
    description: 'The digest of what its bill of materials said when it was last found valid; empty if never.',
  }),
})

export const readBomChecksum = view({
  path,
  summary: 'When a bill of materials was valid',
  description:
    'The digest of what the bill of materials of a part said when it was last found valid. Parts whose bill says the same now are found by `/api/part/?bom_valid=true`.',
  access,
  example: { params: { id: 23 } },
  answer,
  async read({ pk, database }) {
    const [found] = await database.read({ text: 'select bom_checksum as checksum from part where pk = $1', values: [pk] })
    if (!found) throw notFound()
    return found
  },
})

const validateBom = (method: 'PUT' | 'PATCH') =>
  action({
    method,
    path,
    summary: 'Find a bill of materials valid',
    description:
      'Keeps that the bill of materials of a part is valid as it is now, with every line that is its own, on which day and by whom. What changes one of its lines makes it invalid, and so does one more or less; notes, overage and substitutes do not count.',
    access,
    versioned: true,
    example: { params: { id: 23 }, body: { valid: true } },
    body: {
      valid: input.boolean({ default: false, help: 'Yes, to say that the lines were checked.' }),
    },
    answer,
    async run(request) {
      const { tx, pk, caller, body } = request
      if (body.valid !== true) throw invalid({ valid: [partErrors.true_expected] })
      await lockBom(tx)
      await lockRow(part, pk, request)
      const found = await tx.first<{ checksum: string }>(
        `update part set bom_checksum = ${plainSql(digestOf('part.pk'))}, bom_checked_by = $2, bom_checked_date = current_date where pk = $1
         returning bom_checksum as checksum`,
        [pk, caller.pk],
      )
      await tx.query('update bom_item set checksum = digest where part = $1 and checksum <> digest', [pk])
      return found
    },
  })

export const validateBoms = [validateBom('PUT'), validateBom('PATCH')]
