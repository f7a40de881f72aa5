import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { lockRow } from '../../kit/writing/write.ts'
import { bomItem } from './bom-item.resource.ts'
import { lockBom } from './bom-rules.ts'

const validateLine = (method: 'PUT' | 'PATCH') =>
  action({
    method,
    path: '/api/bom/{id}/validate/',
    summary: 'Validate a BOM line',
    description:
      'Marks a line as validated in its present form, or as not validated. Later changes of its parts, quantity, reference or options mark it as not validated; its note, overage and substitutes do not count.',
    access: roles('bom'),
    versioned: true,
    example: { params: { id: 1 }, body: { valid: true } },
    body: {
      valid: input.boolean({ default: false, help: 'Whether the line is validated; off by default.' }),
    },
    response: Type.Object({ valid: Type.Boolean() }),
    async run(request) {
      const { tx, pk } = request
      const { valid } = request.body
      await lockBom(tx)
      await lockRow(bomItem, pk, request)
      await tx.query(`update bom_item set checksum = case when $2 then digest else '' end where pk = $1`, [pk, valid ?? false])
      return { valid: valid ?? false }
    },
  })

export const validateLines = [validateLine('PUT'), validateLine('PATCH')]
