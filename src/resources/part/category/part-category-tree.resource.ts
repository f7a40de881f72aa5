import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { SUBCATEGORIES_HELP, SUBCATEGORY_COUNT } from './part-category.resource.ts'
import { partCategory as table } from './part-category.table.ts'

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
    name: f.readonly(table.name, { order: true }),
    parent: f.ref(table.parent, { readonly: true, model: 'partcategory', address: '/api/part/category/' }),
    icon: f.readonly(table.icon),
    structural: f.readonly(table.structural),
    subcategories: f.computed(Type.Integer(), SUBCATEGORY_COUNT, { order: true, help: SUBCATEGORIES_HELP }),
  },
  order: { level: ['{level}'] },
  defaultOrder: ['level', 'name'],
})
