import { Type } from 'typebox'
import * as f from '../../../../kit/definition/field.ts'
import { readBoolean, readKey } from '../../../../kit/definition/filter.ts'
import { resource } from '../../../../kit/definition/resource.ts'
import { roles } from '../../../../kit/request/caller.ts'
import { constraintErrors } from '../../../../kit/request/request-errors.ts'
import { lockReferred } from '../../../../kit/writing/lock-referred.ts'
import { setting } from '../../../../settings/live.ts'
import { findUnitError, type ValueFormat } from '../../../parameter/parameter-value.ts'
import { parameterTemplateDetail } from '../../../parameter/template/parameter-template.resource.ts'
import { getUnitRegistry } from '../../../units/unit-registry.ts'
import { partParameterTemplateDetail } from '../../parameter/template/part-parameter-template.resource.ts'
import { partCategoryBrief, partCategoryDetail } from '../part-category.resource.ts'
import { partCategory } from '../part-category.table.ts'
import { categoryParameter as table } from './category-parameter.table.ts'

const validationRules =
  'A category has each parameter only once. Its value must convert to the units of the template while PART_PARAMETER_ENFORCE_UNITS is on.'

export const categoryParameter = resource({
  path: '/api/part/category/parameters/',
  name: 'Part category parameter template',
  description: 'A parameter that new parts in a category, and in those below it, get with a default value.',
  remarks: { create: validationRules, update: `${validationRules} Existing parts do not change.` },
  example: {
    pk: 1,
    create: { category: 3, parameter_template: 3, default_value: '10 %' },
    replace: { category: 2, parameter_template: 3, default_value: '1 %' },
    change: { default_value: '5 %' },
    deletable: 2,
  },
  model: 'partcategoryparametertemplate',
  table,
  access: roles('part'),
  fields: {
    pk: f.pk(table.pk),
    category: f.ref(table.category, {
      required: true,
      model: 'partcategory',
      apiUrl: '/api/part/category/',
      help: 'The category whose new parts get the parameter.',
    }),
    category_detail: f.nested(table.category, () => partCategoryDetail(), {
      api530: { value: { nested: { getShape: () => partCategoryBrief(), on: '{category}' } } },
      help: 'The category.',
    }),
    parameter_template: f.ref(table.parameter_template, {
      required: true,
      model: 'partparametertemplate',
      apiUrl: '/api/part/parameter/template/',
      label: 'Parameter Template',
      help: 'The parameter template.',
    }),
    parameter_template_detail: f.nested(table.parameter_template, () => partParameterTemplateDetail(), {
      help: 'The parameter template.',
    }),
    template: f.extended(
      f.computed(Type.Integer(), '{parameter_template}', {
        type: 'related field',
        api530: { metadata: { read_only: false, model: 'parametertemplate', api_url: '/api/parameter/template/' } },
        help: 'The parameter template.',
      }),
    ),
    template_detail: f.extended(
      f.nested(table.parameter_template, () => parameterTemplateDetail(), { help: 'The parameter template.' }),
    ),
    default_value: f.column(table.default_value, {
      label: 'Default Value',
      help: 'The default value; empty to fill in later.',
    }),
  },
  aliases: { template: 'parameter_template' },
  filters: {
    category: {
      kind: 'custom',
      names: {
        category: 'Parameters of the category with this key; an unknown key has no effect.',
        fetch_parent: 'Whether to include parameters of the categories above; `true` by default.',
      },
      read(query) {
        const pk = readKey(query.category ?? '')
        if (pk === undefined) return undefined
        const sql =
          readBoolean(query.fetch_parent ?? '') === false
            ? '{category} = {@value}::integer'
            : '{category} = any(array(select unnest(requested.path) {from part_category} requested where requested.pk = {@value}::integer))'
        return {
          name: 'category',
          table: partCategory,
          pk,
          negative: false,
          ignore: true,
          condition: { sql, values: [pk] },
        }
      },
    },
  },
  constraints: {
    part_category_parameter_template_category_template_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['category', 'parameter_template'] })],
    },
  },
  locksFirst: lockReferred('part_category_parameter_template', 'parameter_template', 'parameter_template'),
  async rules(write) {
    const { tx, after, errors } = write
    const value = after('default_value') as string
    if (!value || !setting(write, 'PART_PARAMETER_ENFORCE_UNITS')) return
    const format = await tx.first<ValueFormat>(
      'select units, checkbox, choices from parameter_template where pk = $1 for share',
      [after('parameter_template')],
    )
    const unitError = findUnitError(value, format as ValueFormat, await getUnitRegistry(tx))
    if (unitError) errors.default_value = [unitError]
  },
})
