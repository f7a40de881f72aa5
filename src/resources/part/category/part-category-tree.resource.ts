import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { treeSearch } from '../../../kit/definition/tree.ts'
import { roles } from '../../../kit/request/caller.ts'
import { SUBCATEGORIES_HELP, SUBCATEGORY_COUNT } from './part-category.resource.ts'
import { partCategory as table } from './part-category.table.ts'

/** The position of its tree among all trees, by the names of their roots. */
const TREE_ID = `(select count(*) {from part_category} root where root.parent is null and root.name <= {name_path}[1])`

export const partCategoryTree = resource({
  path: '/api/part/category/tree/',
  name: 'Part category tree',
  description: 'All part categories with the fields that are needed to draw their tree, level by level.',
  model: 'partcategory',
  table,
  access: roles('part_category'),
  without: ['detail', 'create', 'update', 'delete', 'metadata'],
  fields: {
    pk: f.pk(table.pk),
    name: f.readonly(table.name, { order: true, api530: { metadata: { read_only: false } } }),
    description: f.extended(f.readonly(table.description, { api530: { metadata: { read_only: false, required: false } } })),
    pathstring: f.extended(
      f.readonly(table.pathstring, { api530: { metadata: { read_only: false, required: false, label: 'Path' } } }),
    ),
    level: f.extended(
      f.readonly(table.level, { filter: true, order: true, help: 'The number of categories above it; 0 at the top.' }),
    ),
    tree_id: f.extended(
      f.computed(Type.Integer(), TREE_ID, {
        help: 'The position of its tree among all trees, by the names of their roots.',
        filter: { kind: 'number', sql: `${TREE_ID} = {@value}` },
      }),
    ),
    parent: f.ref(table.parent, {
      api530: { metadata: { read_only: false, required: false } },
      help: 'The parent category; null at the top.',
      readonly: true,
      filter: true,
      model: 'partcategory',
      apiUrl: '/api/part/category/',
    }),
    icon: f.readonly(table.icon),
    structural: f.readonly(table.structural, { api530: { metadata: { read_only: false, required: false } } }),
    subcategories: f.computed(Type.Integer(), SUBCATEGORY_COUNT, { order: true, help: SUBCATEGORIES_HELP }),
  },
  filters: {
    max_level: { kind: 'number', sql: '{level} <= {@value}', help: 'Those with at most this many categories above them.' },
  },
  searchMinApiVersion: 530,
  search: [treeSearch('part_category')],
  defaultOrder: ['level', 'name'],
})
