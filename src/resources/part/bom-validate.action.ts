import { Type } from 'typebox'
import { action, view } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalid, notFound } from '../../kit/request/problem.ts'
import { toPlainSql } from '../../kit/sql/sql.ts'
import { lockRow } from '../../kit/writing/write.ts'
import { taskResponse } from '../background-task/task-response.ts'
import { selectBomDigest } from '../bom/bom-lines.ts'
import { lockBom } from '../bom/bom-rules.ts'
import { IS_BOM_VALIDATED } from './part.filters.ts'
import { part } from './part.resource.ts'
import { partErrors } from './part-errors.ts'

const path = '/api/part/{id}/bom-validate/'
const access = roles('part')

const responseSchema = Type.Object({
  checksum: Type.String({
    description: 'The checksum of its BOM when it was last validated; empty if never.',
  }),
})

const validationSchema = Type.Object({
  ...responseSchema.properties,
  pk: Type.Integer({ description: 'The key of the part.' }),
  bom_validated: Type.Boolean({ description: 'Whether the BOM was validated, and has not changed since.' }),
  bom_checksum: Type.String({ description: 'The same as `checksum`.' }),
  bom_checked_by: Type.Union([Type.Integer(), Type.Null()], { description: 'The account that validated it last.' }),
  bom_checked_by_detail: Type.Union(
    [
      Type.Object({
        pk: Type.Integer(),
        username: Type.String(),
        first_name: Type.String(),
        last_name: Type.String(),
        email: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'That account.' },
  ),
  bom_checked_date: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
    description: 'The day on which it was validated last, in UTC.',
  }),
})

export const readBomChecksum = view({
  path,
  summary: 'Get the BOM validation of a part',
  description:
    'Returns when and by whom the BOM of a part was last validated, and whether it has not changed since. `/api/part/?bom_valid=true` finds such parts.',
  access,
  example: { params: { id: 23 } },
  response: validationSchema,
  api530: {
    metadata: {
      valid: { label: 'Valid' },
      bom_validated: { label: 'BOM Validated', default: false },
      bom_checksum: { label: 'BOM checksum', max_length: 128 },
      bom_checked_by: { type: 'field', label: 'BOM checked by' },
      bom_checked_date: { label: 'BOM checked date' },
    },
  },
  async read({ pk, database }) {
    const [row] = await database.read(selectValidation(pk))
    if (!row) throw notFound()
    return row
  },
})

/** Selects when and by whom the BOM of a part was validated. */
const selectValidation = (pk: number) => ({
  text: `select part.pk, ${toPlainSql(IS_BOM_VALIDATED.replaceAll(/\{(pk|bom_checksum)\}/g, 'part.$1'))} as bom_validated, bom_checksum as checksum, bom_checksum, bom_checked_by,
          case when account.pk is not null then json_build_object(
            'pk', account.pk, 'username', account.username, 'first_name', account.first_name, 'last_name', account.last_name,
            'email', account.email
          ) end as bom_checked_by_detail, bom_checked_date::text as bom_checked_date
        from part left join user_account account on account.pk = part.bom_checked_by where part.pk = $1`,
  values: [pk],
})

const validateBom = (method: 'PUT' | 'PATCH') =>
  action({
    method,
    path,
    summary: 'Validate the BOM of a part',
    description:
      'Marks the BOM of a part, and each of its own lines, as validated in its present form, with the date and the account. Adding, deleting or changing a line marks the BOM as not validated; notes, overage and substitutes do not count. Clients of API 530 mark it as not validated with `valid: false`.',
    access,
    versioned: true,
    example: { params: { id: 23 }, body: { valid: true } },
    body: {
      valid: input.boolean({
        default: false,
        help: 'Yes, to confirm that the lines were checked.',
      }),
    },
    api530: taskResponse,
    response: responseSchema,
    async run(request) {
      const { tx, pk, caller, body } = request
      if (body.valid !== true && !request.config.wire.changedResponses) throw invalid({ valid: [partErrors.true_expected] })
      await lockBom(tx)
      await lockRow(part, pk, request)
      if (body.valid !== true) {
        await tx.query(`update part set bom_checksum = '' where pk = $1`, [pk])
        await tx.query(`update bom_item set checksum = '' where part = $1 and checksum <> ''`, [pk])
        return { checksum: '' }
      }
      const row = await tx.first<{ checksum: string }>(
        `update part set bom_checksum = ${toPlainSql(selectBomDigest('part.pk'))}, bom_checked_by = $2, bom_checked_date = current_date where pk = $1
         returning bom_checksum as checksum`,
        [pk, caller.pk],
      )
      await tx.query('update bom_item set checksum = digest where part = $1 and checksum <> digest', [pk])
      const { text, values } = selectValidation(pk)
      return request.config.wire.extendedFields ? tx.first(text, values) : row
    },
  })

export const validateBoms = [validateBom('PUT'), validateBom('PATCH')]
