import * as f from '../../../kit/definition/field.ts'
import { partBrief } from '../../part/part.resource.ts'
import { ONLY_PARTS } from '../../part/part-flags.ts'
import { bomSubstitute as table } from './bom-substitute.table.ts'

/** The fields of a substitute, on its own and inside its line. */
export const substituteFields: f.Fields = {
  pk: f.pk(table.pk),
  bom_item: f.ref(table.bom_item, {
    required: true,
    filter: true,
    model: 'bomitem',
    apiUrl: '/api/bom/',
    label: 'BOM Item',
    help: 'The line.',
  }),
  part: f.ref(table.part, {
    required: true,
    filter: true,
    only: ONLY_PARTS.component,
    filters: { component: true },
    model: 'part',
    apiUrl: '/api/part/',
    help: 'The substitute for the component of the line: another part, which must be a component.',
  }),
  part_detail: f.nested(table.part, () => partBrief(), { help: 'The substitute.' }),
}
