import { type Filter, readKey, unknownReference } from '../../kit/definition/filter.ts'
import { partCategory } from '../part/category/part-category.table.ts'
import { part } from '../part/part.table.ts'
import { selectLinesUsing } from './bom-lines.ts'

/** Whether the line is unchanged since it was last validated. */
export const IS_VALIDATED = '{checksum} = {digest}'

const flag = (sql: string, help: string): Filter => ({ kind: 'boolean', sql, help })

/** Filters of BOM lines that do not belong to a plain field. */
export const bomFilters: Record<string, Filter> = {
  part: {
    kind: 'custom',
    names: { part: 'BOM lines of the part with this key, inherited lines included.' },
    read(query) {
      if (!query.part) return undefined
      const pk = readKey(query.part)
      if (pk === undefined) throw unknownReference('part')
      const sql = `{part} = any (array(select unnest(assembly.path) {from part} assembly where assembly.pk = {@value}::integer))
        and ({part} = {@value}::integer or {inherited})`
      return { name: 'part', table: part, pk, negative: false, ignore: false, condition: { sql, values: [pk] } }
    },
  },
  uses: {
    kind: 'reference',
    table: () => part,
    sql: `{pk} in ${selectLinesUsing('{@value}')}`,
    help: 'BOM lines that the part with this key can be used for: as component, variant or substitute.',
  },
  part_locked: flag('{part.locked}', 'Whether the assembly is locked.'),
  part_testable: flag('{part.testable}', 'Whether the assembly is testable.'),
  sub_part_testable: flag('{sub_part.testable}', 'Whether the component is testable.'),
  sub_part_active: flag('{sub_part.active}', 'Whether the component is active.'),
  sub_part_virtual: flag('{sub_part.virtual}', 'Whether the component is virtual.'),
  category: {
    kind: 'reference',
    table: () => partCategory,
    sql: '{sub_part.category} in (select below.pk {from part_category} below where below.path @> array[{@value}])',
    help: 'BOM lines whose component is in the category with this key, or below it.',
  },
  part_active: flag('{part.active}', 'Whether the assembly is active.'),
  part_trackable: flag('{part.trackable}', 'Whether the assembly is trackable.'),
  sub_part_trackable: flag('{sub_part.trackable}', 'Whether the component is trackable.'),
  sub_part_assembly: flag('{sub_part.assembly}', 'Whether the component is an assembly.'),
  has_pricing: flag(
    '{sub_part.part_pricing.overall_min} is not null or {sub_part.part_pricing.overall_max} is not null',
    'Whether the component has a known price.',
  ),
}
