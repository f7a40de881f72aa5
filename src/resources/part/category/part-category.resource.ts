import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { pathDetail, pathString, subtreeCount, treeFilters } from '../../../kit/definition/tree.ts'
import { roles } from '../../../kit/request/caller.ts'
import { webPageSql } from '../../../web-pages.ts'
import { FORMER_FILES } from '../../former-files.ts'
import { importedFilter } from '../../imported-filter.ts'
import { parameterFilters, parameterOrders, parametersField } from '../../parameter/parameter-list.ts'
import { partErrors } from '../part-errors.ts'
import { starredField, subscribeToCategory } from '../subscribe.ts'
import { clearCategory } from './clear-category.ts'
import { partCategory as table } from './part-category.table.ts'

const PATH = '/api/part/category/'

/** SQL for the number of categories below a category, at any depth. */
export const SUBCATEGORY_COUNT =
  '(select count(*) {from part_category} below where below.path @> array[{pk}] and below.pk <> {pk})'

export const SUBCATEGORIES_HELP = 'The number of categories below it, at any depth.'

/** SQL for the default location of the nearest category on a path, from the bottom up, that has one. */
export const defaultLocationSql = (path: string): string =>
  `(select above.default_location {from part_category} above where above.pk = any(${path}) and above.default_location is not null order by above.level desc limit 1)`

const isSubscribed = 'exists (select {from part_category_star} star where star.category = {pk} and star."user" = {@caller})'

export const partCategory = resource({
  path: PATH,
  name: 'Part category',
  description: 'A node in the tree of part categories. A part of a category also belongs to every category above it.',
  remarks: {
    create: 'Rejects a name that another category with the same parent has.',
    update:
      'A new `parent` moves it with everything below it. Rejects a parent below itself, and a name that the new parent already has.',
    delete:
      'Moves its parts, and the categories directly below it, to its parent, or to none. Rejected if the parent is structural and there are parts, or has a category with the same name. The body can request more: `delete_parts: true` deletes its parts, even active ones, and `delete_child_categories: true` all categories below it, whose parts follow the same rule.',
  },
  example: {
    pk: 14,
    create: {
      name: 'Crystals',
      description: 'Quartz and oscillators',
      parent: 1,
      default_location: 9,
      default_keywords: 'quartz',
    },
    replace: { name: 'Knobs', description: 'For 6 mm D shafts, in two colours', parent: 12, default_location: 10 },
    change: { default_keywords: 'dial', starred: true },
    deletable: 16,
  },
  model: 'partcategory',
  table,
  formerFile: FORMER_FILES.categories,
  access: roles('part_category'),
  bulkUpdate: true,
  deletesExclusively: true,
  fields: {
    pk: f.pk(table.pk),
    name: f.column(table.name, {
      required: true,
      filter: true,
      search: true,
      order: true,
      help: 'The name of the category, unique within its parent category.',
    }),
    description: f.column(table.description, { search: true, help: 'A short description; empty for none.' }),
    default_location: f.ref(table.default_location, {
      model: 'stocklocation',
      apiUrl: '/api/stock/location/',
      label: 'Default Location',
      help: 'The default location for new stock of its parts; empty for that of the parent category.',
    }),
    default_keywords: f.column(table.default_keywords, {
      help: 'Keywords that forms suggest for new parts in it; empty for none.',
    }),
    level: f.readonly(table.level, { order: true, help: 'The number of categories above it; 0 at the top.' }),
    parent: f.ref(table.parent, {
      model: 'partcategory',
      apiUrl: PATH,
      api530: { metadata: { label: 'Parent Category' } },
      help: 'The parent category; empty at the top.',
    }),
    part_count: f.computed(Type.Integer(), subtreeCount('part_category', 'part'), {
      order: true,
      label: 'Parts',
      help: 'The number of parts in it and in the categories below it at any depth.',
    }),
    subcategories: f.computed(Type.Integer(), SUBCATEGORY_COUNT, { help: SUBCATEGORIES_HELP }),
    pathstring: pathString(),
    path: f.computed(
      Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() })),
      pathDetail('part_category', '{path}'),
      { flag: { name: 'path_detail' }, help: 'Keys and names from the top down to it.' },
    ),
    starred: starredField(isSubscribed, 'Whether the caller is subscribed to the category itself, not to one above it.'),
    url: f.computed(Type.String(), webPageSql('/api/part/category/'), {
      help: 'The path of its page in the interface of existing clients.',
    }),
    structural: f.column(table.structural, {
      filter: true,
      help: 'Whether it only groups other categories. A structural category cannot hold parts, and a category with parts cannot become structural.',
    }),
    icon: f.column(table.icon, { help: 'The name of its icon; empty for none.' }),
    parent_default_location: f.computed(Type.Union([Type.Integer(), Type.Null()]), defaultLocationSql('{parent.path}'), {
      type: 'integer',
      help: 'The default location of the nearest category above that has one; null if none has.',
    }),
    parameters: parametersField('part_category'),
  },
  orderFamily: parameterOrders('part_category'),
  filters: {
    ...importedFilter('partcategory'),
    ...parameterFilters('part_category'),
    ...treeFilters(() => table),
    starred: {
      kind: 'boolean',
      sql: isSubscribed,
      help: 'Whether the caller is subscribed to them directly, not to a category above.',
    },
  },
  order: { tree_id: ['{name_path}[1]'], lft: ['{name_path}'] },
  defaultOrder: ['lft'],
  constraints: {
    part_category_parent_name_key: { name: [partErrors.category_name_taken] },
    part_category_root_name_key: { name: [partErrors.category_name_taken] },
    part_category_parent_cycle: { parent: [partErrors.category_below_itself] },
  },
  async rules({ tx, before, values, errors }) {
    const changes = (name: string) => values[name] !== undefined && values[name] !== before?.[name]
    // all categories below it are rewritten with it
    if (before && (changes('parent') || changes('name'))) tx.lockExclusive()
    if (!before || before.structural || !values.structural) return
    // no part can be added here concurrently: adding one locks the category's row
    const part = await tx.first('select 1 from part where category = $1 limit 1', [before.pk])
    if (part) errors.non_field_errors = [partErrors.category_holds_parts]
  },
  // a statement that creates a row and reads it does not find the row in its own path
  afterCreate: () => undefined,
  async afterUpdate({ tx, caller, values }, pk) {
    if (values.starred !== undefined) await subscribeToCategory(tx, caller.pk, pk, values.starred === true)
  },
  beforeDelete: clearCategory,
})

/** A category inside another object, with the fields that a list of categories shows by default. */
export const partCategoryDetail = f.brief(
  () => partCategory,
  Object.keys(partCategory.fields).filter((name) => !partCategory.fields[name]?.flag),
)

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
  { part_count: f.uncomputed(), subcategories: f.uncomputed() },
  ['parent_default_location'],
)
