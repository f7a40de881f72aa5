import { resource, type Write } from '../../../kit/definition/resource.ts'
import { changeRoles } from '../../../kit/request/caller.ts'
import { constraintErrors } from '../../../kit/request/request-errors.ts'
import type { LockContext } from '../../part/delete-part.ts'
import { bomErrors } from '../bom-errors.ts'
import { lockBom, requireUnlockedAssemblies } from '../bom-rules.ts'
import { substituteFields } from './bom-substitute.fields.ts'
import { bomSubstitute as table } from './bom-substitute.table.ts'

const loopRule =
  'A substitute must differ from the component of the line, its assembly and the variants of that, must not contain one of these at any depth, and can be added only once.'

export const bomSubstitute = resource({
  path: '/api/bom/substitute/',
  name: 'BOM item substitute',
  description: 'A substitute for the component of a BOM line.',
  remarks: { create: loopRule, update: loopRule },
  example: {
    pk: 1,
    create: { bom_item: 1, part: 2 },
    replace: { bom_item: 9, part: 4 },
    change: { part: 5 },
    deletable: 2,
  },
  model: 'bomitemsubstitute',
  table,
  access: changeRoles('bom'),
  fields: substituteFields,
  search: ['{part.name}', '{part.IPN}'],
  order: { part: ['{part}'], bom_item: ['{bom_item}'] },
  constraints: {
    bom_item_substitute_bom_item_part_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['part', 'bom_item'] })],
    },
  },
  locksFirst: lockBom,
  rules: checkSubstitute,
  beforeDelete: (deletion) => requireUnlockedLines(deletion, [deletion.row.bom_item]),
})

/** Rejects a change of the substitutes of lines of locked parts. */
async function requireUnlockedLines(context: LockContext, lines: readonly unknown[]): Promise<void> {
  const rows = await context.tx.query<{ part: number }>('select part from bom_item where pk = any($1::integer[])', [lines])
  await requireUnlockedAssemblies(
    context,
    rows.map(({ part }) => part),
  )
}

/** Checks a substitute, with a lock on all BOMs and on the line, so that its component and its assembly do not change concurrently. */
async function checkSubstitute(write: Write): Promise<void> {
  const { tx, before, after, errors } = write
  await requireUnlockedLines(write, [before?.bom_item, after('bom_item')])
  const line = await tx.first<{ sub_part: number; has_assembly: boolean }>(
    `select sub_part, exists (
       select from bom_below($2) below join part on part.pk = below.part where part.path @> array[bom_item.part]
     ) as has_assembly
     from bom_item where pk = $1 for share`,
    [after('bom_item'), after('part')],
  )
  if (line?.sub_part === after('part')) errors.part = [bomErrors.substitute_of_itself]
  if (line?.has_assembly) errors.part = [bomErrors.substitute_loop]
}
