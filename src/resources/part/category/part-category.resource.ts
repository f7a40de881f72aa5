import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { pathDetail, pathString, treeFilters } from '../../../kit/definition/tree.ts'
import { roles } from '../../../kit/request/caller.ts'
import { followCategory, starred } from '../follow.ts'
import { clearCategory, lockCategories } from './clear-category.ts'
import { partCategory as table } from './part-category.table.ts'

const ADDRESS = '/api/part/category/'

/** How many categories lie below one, at any depth. */
export const subcategories = '(select count(*) from part_category below where below.path @> array[{pk}] and below.pk <> {pk})'

/** The default location that is nearest on the way up, by the path of a category. */
export const defaultLocation = (path: string): string =>
  `(select above.default_location from part_category above where above.pk = any(${path}) and above.default_location is not null order by above.level desc limit 1)`

const followed = 'exists (select from part_category_star star where star.category = {pk} and star."user" = {@caller})'

/** Parts by what they are, in a tree. A part of a category counts as a part of every category above it. */
export const partCategory = resource({
  path: ADDRESS,
  name: 'Part category',
  model: 'partcategory',
  table,
  access: roles('part_category'),
  fields: {
    pk: f.pk(table.pk),
    name: f.column(table.name, { required: true, filter: true, search: true, order: true }),
    description: f.column(table.description, { search: true }),
    default_location: f.ref(table.default_location, { model: 'stocklocation', address: '/api/stock/location/' }),
    default_keywords: f.column(table.default_keywords),
    level: f.readonly(table.level, { order: true }),
    parent: f.ref(table.parent, { model: 'partcategory', address: ADDRESS }),
    part_count: f.computed(
      Type.Integer(),
      '(select count(*) from part where part.category in (select below.pk from part_category below where below.path @> array[{pk}]))',
      { order: true, label: 'Parts' },
    ),
    subcategories: f.computed(Type.Integer(), subcategories),
    pathstring: pathString(),
    path: f.computed(
      Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })),
      pathDetail('part_category', '{path}'),
      {
        flag: { name: 'path_detail' },
      },
    ),
    starred: starred(followed, 'Whether the caller follows the category itself, not by way of one above it.'),
    url: f.computed(Type.String(), `'/part/category/' || {pk} || '/'`),
    structural: f.column(table.structural, { filter: true }),
    icon: f.column(table.icon),
    parent_default_location: f.computed(Type.Union([Type.Integer(), Type.Null()]), defaultLocation('{parent.path}'), {
      type: 'integer',
    }),
  },
  filters: { ...treeFilters(() => table), starred: { kind: 'boolean', sql: followed } },
  order: { tree_id: ['{name_path}[1]'], lft: ['{name_path}'] },
  defaultOrder: ['lft'],
  constraints: {
    part_category_parent_name_key: { name: ['There is another category of this name in the same place.'] },
    part_category_root_name_key: { name: ['There is another category of this name in the same place.'] },
    part_category_parent_cycle: { parent: ['A category cannot lie below itself.'] },
  },
  locksFirst: (tx, _, body) => lockCategories(tx, body),
  async rules({ tx, before, values, errors }) {
    if (!before || before.structural || !values.structural) return
    // nobody can put a part here meanwhile: whoever does locks the row of the category
    const part = await tx.first('select 1 from part where category = $1 limit 1', [before.pk])
    if (part) errors.non_field_errors = ['Parts lie in this category: it cannot become structural.']
  },
  async updated({ tx, caller, values }, pk) {
    if (values.starred !== undefined) await followCategory(tx, caller.pk, pk, values.starred === true)
  },
  deleting: clearCategory,
})

/** A category inside a part. */
export const partCategoryBrief = f.brief(
  () => partCategory,
  [
    'pk',
    'name',
    'description',
    'default_location',
    'default_keywords',
    'level',
    'parent',
    'pathstring',
    'starred',
    'url',
    'structural',
    'icon',
  ],
)
