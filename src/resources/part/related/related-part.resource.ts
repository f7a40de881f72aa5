import type { PgColumn } from 'drizzle-orm/pg-core'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { partDetail, partDetailWithoutSums } from '../part.resource.ts'
import { part } from '../part.table.ts'
import { partErrors } from '../part-errors.ts'
import { relatedPart as table } from './related-part.table.ts'

const validationRules = 'A part cannot be related to itself, and to another part only once, in either order.'

const relatedPartField = (column: PgColumn, label: string, help: string): f.Field =>
  f.ref(column, { required: true, filter: true, order: true, model: 'part', apiUrl: '/api/part/', label, help })

export const relatedPart = resource({
  path: '/api/part/related/',
  name: 'Related part',
  description: 'Two related parts, in any order.',
  remarks: { create: validationRules, update: validationRules },
  example: {
    pk: 1,
    create: { part_1: 29, part_2: 30 },
    replace: { part_1: 16, part_2: 25 },
    change: { part_2: 45 },
    deletable: 2,
  },
  model: 'partrelated',
  table,
  access: roles('part'),
  fields: {
    pk: f.pk(table.pk),
    part_1: relatedPartField(table.part_1, 'Part 1', 'One of the two parts.'),
    part_1_detail: f.nested(table.part_1, () => partDetail(), {
      api530: { value: { nested: { getShape: () => partDetailWithoutSums(), on: '{part_1}' } } },
      help: 'The first of the two parts.',
    }),
    part_2: relatedPartField(table.part_2, 'Part 2', 'The other part.'),
    part_2_detail: f.nested(table.part_2, () => partDetail(), {
      api530: { value: { nested: { getShape: () => partDetailWithoutSums(), on: '{part_2}' } } },
      help: 'The second of the two parts.',
    }),
    note: f.column(table.note, { help: 'A short note on the relation; empty for none.' }),
  },
  searchMinApiVersion: 530,
  search: ['{part_1.name}', '{part_2.name}'],
  filters: {
    part: {
      kind: 'reference',
      table: () => part,
      unknown: 'ignore',
      sql: '({part_1} = {@value} or {part_2} = {@value})',
      help: 'Relations of the part with this key, on either side; an unknown key has no effect.',
    },
  },
  constraints: {
    part_related_parts_key: { non_field_errors: [partErrors.parts_related_already] },
    part_related_parts_check: { non_field_errors: [partErrors.part_related_to_itself] },
  },
})
