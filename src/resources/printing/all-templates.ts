import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import * as f from '../../kit/definition/field.ts'
import type { Condition, Filter } from '../../kit/definition/filter.ts'
import { type Resource, type ResourceExample, type Row, resource, type Write } from '../../kit/definition/resource.ts'
import { type Caller, requireAccess, roles } from '../../kit/request/caller.ts'
import { invalidQuery } from '../../kit/request/problem.ts'
import { queryErrors } from '../../kit/values/value-errors.ts'
import {
  isTemplateModel,
  TEMPLATE_MODEL_NAMES,
  TEMPLATE_MODELS,
  type TemplateArea,
  type TemplateModel,
} from '../../printing/kinds.ts'
import { userBrief } from '../user/user.resource.ts'
import { originField, recordBuiltIn } from './built-in-template.ts'
import { getSubject, type Subject } from './subjects.ts'
import type { templateColumns } from './template.columns.ts'
import { recordTemplateEvents } from './template-events.ts'
import { checkFilterRights, findFilterError, itemFilter, recordSave } from './template-fields.ts'
import { problemsField, storeProblems, templateFile } from './template-file.ts'

/** The table of the templates of labels, or of reports. */
type TemplatesTable = PgTable & Record<keyof ReturnType<typeof templateColumns> | 'description' | 'filename_pattern', PgColumn>

type Description = {
  area: TemplateArea
  name: string
  description: string
  model: string
  example: ResourceExample
  /** Its own fields, before those for errors. */
  fields: f.Fields
  filters?: Record<string, Filter>
}

const MODEL_LABELS: Record<TemplateModel, string> = {
  build: 'Build Order',
  buildline: 'Build Order Line Item',
  company: 'Company',
  purchaseorder: 'Purchase Order',
  returnorder: 'Return Order',
  salesorder: 'Sales Order',
  salesordershipment: 'Sales Order Shipment',
  transferorder: 'Transfer Order',
  part: 'Part',
  stockitem: 'Stock Item',
  stocklocation: 'Stock Location',
}
const MODEL_CHOICES = Object.entries(MODEL_LABELS).map(([value, label]) => ({ value, label }))

/** The roles with permissions on the templates of any kind; the rules require those of the kind itself. */
const anyTemplates = roles(
  'part',
  'stock',
  'stock_location',
  'build',
  'purchase_order',
  'sales_order',
  'return_order',
  'transfer_order',
  'admin',
)

/** Defines the templates of labels, or of reports, for all kinds of objects. Those of one kind are views of the same table (ADR 0058). */
export function allTemplates(table: TemplatesTable, definition: Description): Resource {
  const { area, name, description, model, example, fields, filters } = definition
  const subjectOf = (modelType: unknown): Subject => getSubject(TEMPLATE_MODELS[modelType as TemplateModel][area])
  return recordTemplateEvents(
    resource({
      path: `/api/${area}/template/`,
      name,
      description,
      remarks: {
        create: 'Requires the permission in the role of the kind of object.',
        update: 'Requires the permission in the role of the kind of object.',
      },
      example,
      model,
      table,
      access: anyTemplates,
      rows: (caller) => buildVisibleCondition(caller, subjectOf),
      fields: {
        pk: f.pk(table.pk),
        name: f.column(table.name, { required: true, search: true, order: true, help: 'The name of the template.' }),
        description: f.column(table.description, {
          required: true,
          nullable: false,
          search: true,
          help: 'A description of the template.',
        }),
        model_type: f.column(table.model_type, {
          required: true,
          choices: () => MODEL_CHOICES,
          filter: modelFilter,
          order: true,
          api530: { metadata: { max_length: 100 } },
          label: 'Model Type',
          help: 'The kind of object that it prints.',
        }),
        template: templateFile(table.template, {
          folder: `report/${area}`,
          extensions: ['html', 'htm'],
          help: 'The file of the template, or its URL.',
        }),
        filters: f.column(table.filters, {
          help: 'The objects it applies to: conditions such as name=Rack 1, separated by commas; empty for every object of its kind.',
        }),
        filename_pattern: f.column(table.filename_pattern, {
          api530: { metadata: { default: 'output.pdf' } },
          label: 'Filename Pattern',
          help: 'The name of the printed file; it may contain variables of the template.',
        }),
        enabled: f.column(table.enabled, { filter: true, order: true, help: 'Whether it can be printed.' }),
        revision: f.readonly(table.revision, { help: 'The number of times it was saved, beginning with 1.' }),
        attach_to_model: f.column(table.attach_to_model, {
          filter: true,
          label: 'Attach to Model on Print',
          help: 'Whether what it prints is attached to the printed objects.',
        }),
        updated: f.readonly(table.updated, {
          order: true,
          help: 'When it was last saved; null if unknown.',
        }),
        updated_by: f.ref(table.updated_by, {
          readonly: true,
          model: 'user',
          apiUrl: '/api/user/',
          api530: { metadata: { label: 'Update By' } },
          help: 'The account that last saved it.',
        }),
        updated_by_detail: f.nested(table.updated_by, userBrief, { help: 'The account.' }),
        ...fields,
        problems: problemsField(table.problems),
        origin: originField('template'),
      },
      filters: { ...filters, items: buildItemsFilter(table, subjectOf) },
      rules: (write) => checkTemplate(write, subjectOf),
      beforeDelete({ caller, row }) {
        requireAccess(subjectOf(row.model_type).access, caller, 'delete')
      },
    }),
  )
}

/** The templates of those kinds of objects whose templates the caller can view. */
function buildVisibleCondition(caller: Caller | undefined, subjectOf: (model: unknown) => Subject): Condition | undefined {
  const visible = TEMPLATE_MODEL_NAMES.filter((model) => subjectOf(model).access(caller, 'view'))
  if (visible.length === TEMPLATE_MODEL_NAMES.length) return undefined
  return { sql: visible.length ? `{model_type} in (${visible.map((model) => `'${model}'`).join(', ')})` : 'false', values: [] }
}

/** The templates of one kind of object; an unknown kind has none, or is rejected where clients of API 530 expect that. */
const modelFilter: Filter = {
  kind: 'custom',
  names: { model_type: 'Templates of this kind of object.' },
  read({ model_type = '' }, { config }) {
    if (!isTemplateModel(model_type) && config.wire.rejectsUnknownKeys)
      throw invalidQuery({ model_type: [queryErrors.unavailable_choice] })
    return { sql: '{model_type} = {@value}', values: [model_type] }
  },
}

/** Selects the templates that apply to the objects with these keys, of the kind in `model_type`. */
function buildItemsFilter(table: PgTable, subjectOf: (model: unknown) => Subject): Filter {
  const names = {
    items: 'Templates that apply to the objects with these keys, separated by commas or repeated; requires `model_type`.',
    'items[]': 'The same.',
  }
  return {
    kind: 'found',
    names,
    async find(query, services) {
      const { model_type } = query
      if (!model_type && services.config.wire.lenientItemKeys) return undefined
      if (!isTemplateModel(model_type)) throw invalidQuery({ items: [queryErrors.unavailable_choice] })
      const subject = { ...subjectOf(model_type), item: 'items', items: 'items' }
      return itemFilter(subject, table, `and model_type = '${model_type}'`).find(query, services)
    },
  }
}

async function checkTemplate(write: Write, subjectOf: (model: unknown) => Subject): Promise<void> {
  const { before, caller, values, after, errors } = write
  if (before) requireAccess(subjectOf((before as Row).model_type).access, caller, 'change')
  const subject = subjectOf(after('model_type'))
  if (values.model_type !== undefined && values.model_type !== before?.model_type)
    requireAccess(subject.access, caller, before ? 'change' : 'add')
  const filters = String(after('filters') ?? '')
  const error = findFilterError(filters, subject)
  if (error) {
    errors.filters = [error]
    return
  }
  checkFilterRights(subject, write)
  recordSave(write)
  recordBuiltIn('template', write)
  await storeProblems('template', write)
}
