import { getTableName } from 'drizzle-orm'
import type * as f from '../../kit/definition/field.ts'
import { readKey } from '../../kit/definition/filter.ts'
import * as input from '../../kit/definition/input.ts'
import { resource, type Write } from '../../kit/definition/resource.ts'
import { requireAccess } from '../../kit/request/caller.ts'
import { FieldError, invalidChoice, unknownReference } from '../../kit/request/errors.ts'
import { invalidQuery } from '../../kit/request/problem.ts'
import { constraintErrors } from '../../kit/request/request-errors.ts'
import { quote } from '../../kit/sql/sql.ts'
import { queryErrors, valueErrors } from '../../kit/values/value-errors.ts'
import { parameter as table } from './parameter.table.ts'
import { parameterAccess, visibleParameters } from './parameter-access.ts'
import { parameterFields } from './parameter-fields.ts'
import { findParameterOwner, PARAMETER_MODELS, PARAMETER_OWNERS } from './parameter-models.ts'
import { checkParameter, getSubject, lockParameters, type ParameterSubject, requireUnlockedPart } from './parameter-rules.ts'
import { parameterTemplate } from './template/parameter-template.table.ts'
import { MODEL_CHOICES } from './template/template-fields.ts'

const rule =
  'An object has one value for each template. It must be one of the choices of the template, if it has any, and convert to its units while PART_PARAMETER_ENFORCE_UNITS is on. Requires the permission in the role of the object. Rejected while the part is locked.'

/** One of the kinds of objects, with or without its area. */
const modelInput: input.Input<string> = {
  ...input.choice<string>(() => MODEL_CHOICES, {}),
  read(value) {
    const owner = typeof value === 'string' ? findParameterOwner(value) : undefined
    if (!owner) throw new FieldError(invalidChoice(value))
    return PARAMETER_MODELS[owner].model
  },
}

export const parameter = resource({
  path: '/api/parameter/',
  name: 'Parameter',
  description: 'The value of a parameter of an object, such as 4.7 kΩ for the resistance of a part.',
  remarks: {
    create: rule,
    update: rule,
    delete: 'Rejected while the part is locked.',
    'bulk-delete': 'Rejected while a part is locked.',
  },
  example: {
    pk: 1,
    create: { model_type: 'company.company', model_id: 1, template: 6, data: 'blue', note: 'As its logo' },
    replace: { model_type: 'part.part', model_id: 1, template: 1, data: '470 ohm', note: 'Measured' },
    change: { data: '0.47 kohm' },
    deletable: 4,
  },
  model: 'parameter',
  table,
  access: parameterAccess,
  without: ['metadata'],
  bulkDelete: true,
  rows: visibleParameters,
  fields: {
    ...parameterFields,
    model_type: { ...(parameterFields.model_type as f.Field), input: modelInput },
    model_id: {
      ...(parameterFields.model_id as f.Field),
      input: input.integer({ required: true, min: 0 }),
    },
  },
  filters: {
    model_type: {
      kind: 'custom',
      names: {
        model_type: 'Parameters of this kind of object, with or without its area: `part.part` or `part`.',
        model_id: 'Parameters of the object with this key, of the given kind or of any.',
      },
      read({ model_type, model_id }) {
        const owner = model_type ? findParameterOwner(model_type) : undefined
        if (model_type && !owner) throw invalidQuery({ model_type: [queryErrors.unavailable_choice] })
        const pk = model_id ? readKey(model_id) : null
        if (pk === undefined) throw invalidQuery({ model_id: [queryErrors.filter_number_expected] })
        if (pk === null) return owner && { sql: `{${owner}} is not null`, values: [] }
        const owners = owner ? [owner] : PARAMETER_OWNERS
        return { sql: `(${owners.map((name) => `{${name}} = {@value}::integer`).join(' or ')})`, values: [pk] }
      },
    },
    template: {
      kind: 'reference',
      table: () => parameterTemplate,
      sql: '{template} = {@value}',
      help: 'Parameters of the template with this key.',
    },
    enabled: { kind: 'boolean', sql: '{template.enabled}', help: 'Whether the template is enabled.' },
  },
  search: ['{template.name}', '{template.description}', '{template.units}'],
  order: { name: ['{template.name}'], data: ['{data_numeric}', '{data}'], units: ['{template.units}'] },
  constraints: Object.fromEntries(
    PARAMETER_OWNERS.map((owner) => [
      `parameter_${owner}_template_key`,
      { non_field_errors: [constraintErrors.not_unique_together({ fields: ['model_type', 'model_id', 'template'] })] },
    ]),
  ),
  locksFirst: lockParameters,
  rules: checkObject,
  async beforeDelete(deletion) {
    const { caller, row } = deletion
    requireAccess(PARAMETER_MODELS[getSubject(row).owner].access, caller, 'delete')
    await requireUnlockedPart(deletion, row.part)
  },
})

/** Finds the object, requires the permission for it, and checks the value. */
async function checkObject(write: Write): Promise<void> {
  const { tx, before, caller, values, hidden, errors } = write
  const former = before && getSubject(before)
  if (former) requireAccess(PARAMETER_MODELS[former.owner].access, caller, 'change')
  const owner = values.model_type === undefined ? former?.owner : findParameterOwner(values.model_type as string)
  if (!owner) {
    errors.model_type = [valueErrors.required]
    return
  }
  const { access, table: getTable } = PARAMETER_MODELS[owner]
  const subject: ParameterSubject = { owner, pk: (values.model_id as number | undefined) ?? (former?.pk as number) }
  const isMoved = subject.owner !== former?.owner || subject.pk !== former.pk
  if (isMoved) {
    requireAccess(access, caller, former ? 'change' : 'add')
    const found = await tx.first(`select from ${quote(getTableName(getTable()))} where pk = $1 for key share`, [subject.pk])
    if (!found) {
      errors.model_id = [unknownReference(subject.pk)]
      return
    }
    for (const name of PARAMETER_OWNERS) hidden[name] = name === owner ? subject.pk : null
  }
  await checkParameter(write, subject)
}
