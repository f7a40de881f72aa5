import type { Body, Write } from '../../kit/definition/resource.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { parseReferencedKey } from '../../kit/values/json.ts'
import { setting } from '../../settings/live.ts'
import type { LockContext } from '../part/delete-part.ts'
import { partErrors } from '../part/part-errors.ts'
import { getUnitRegistry } from '../units/unit-registry.ts'
import { parameterErrors } from './parameter-errors.ts'
import { findParameterOwner, PARAMETER_MODELS, PARAMETER_OWNERS, type ParameterOwner } from './parameter-models.ts'
import { findUnitError, splitChoices, toNumericValue, toStoredValue, type ValueFormat } from './parameter-value.ts'

/** The object of a parameter. */
export type ParameterSubject = { owner: ParameterOwner; pk: number }

/** The rules of a template that its values follow. */
type Template = ValueFormat & {
  name: string
  enabled: boolean
  model_type: string | null
  unique: number
  /** The values of its selection list; null without one. */
  entries: string[] | null
}

/** Locks the parts of parameters, then their templates: the values depend on both. */
export async function lockParameters(tx: Tx, pks: readonly number[], body: Body): Promise<void> {
  const isOfPart = typeof body.model_type === 'string' && findParameterOwner(body.model_type) === 'part'
  await tx.pipeline(
    {
      text: `select from part where pk in (
          select part from parameter where pk = any($1::integer[]) union all select $2::integer
        ) order by pk for share`,
      values: [pks, parseReferencedKey(isOfPart ? body.model_id : body.part)],
    },
    {
      text: `select from parameter_template where pk in (
          select template from parameter where pk = any($1::integer[]) union all select $2::integer
        ) order by pk for share`,
      values: [pks, parseReferencedKey(body.template)],
    },
  )
}

/** The object of a stored parameter. */
export function getSubject(row: Readonly<Record<string, unknown>>): ParameterSubject {
  const owner = PARAMETER_OWNERS.find((name) => row[name] !== null)
  if (!owner) throw new Error('a parameter without an object')
  return { owner, pk: row[owner] as number }
}

/** Rejects a change of a parameter whose part is locked. */
export async function requireUnlockedPart(context: LockContext, part: unknown): Promise<void> {
  if (part === null || part === undefined || !setting(context, 'PART_ENABLE_LOCKING')) return
  if (await context.tx.first('select from part where pk = $1 and locked', [part])) throw invalidObject(partErrors.part_locked)
}

/** Checks a value of an object against its template, which is locked, and computes its number. */
export async function checkParameter(write: Write, subject: ParameterSubject): Promise<void> {
  const { tx, before, caller, values, hidden, after, errors } = write
  values.data_numeric = undefined
  await requireUnlockedPart(write, before?.part)
  if (subject.owner === 'part' && subject.pk !== before?.part) await requireUnlockedPart(write, subject.pk)
  Object.assign(hidden, { updated: new Date().toISOString(), updated_by: caller.pk })
  const [template, data] = [after('template'), after('data') as string]
  const isMoved = !before || before[subject.owner] !== subject.pk
  if (!isMoved && template === before?.template && data === before?.data) return
  const format = (await tx.first<Template>(
    `select name, units, checkbox, choices, enabled, model_type, "unique", case when selectionlist is not null then array(
       select entry.value from selection_list_entry entry where entry.list = template.selectionlist and entry.active
     ) end as entries
     from parameter_template template where pk = $1 for share`,
    [template],
  )) as Template
  const { model } = PARAMETER_MODELS[subject.owner]
  if (isMoved || template !== before?.template) {
    if (!format.enabled) errors.template = [parameterErrors.parameter_template_disabled]
    else if (format.model_type !== null && format.model_type !== model)
      errors.template = [parameterErrors.parameter_template_of_other_kind({ model_type: format.model_type })]
  }
  const registry = await getUnitRegistry(tx)
  const choices = format.entries ?? splitChoices(format.choices)
  const unitError = setting(write, 'PART_PARAMETER_ENFORCE_UNITS') ? findUnitError(data, format, registry) : undefined
  if (unitError) errors.data = [unitError]
  else if ((format.entries || choices.length > 0) && !choices.includes(data)) errors.data = [partErrors.not_a_template_choice]
  values.data = toStoredValue(data, format)
  values.data_numeric = toNumericValue(data, format, registry)
  if (format.unique !== 0 && !errors.data) await checkUnique(write, subject, format)
}

/** Checks that no other object has the value. The advisory lock keeps concurrent requests from storing it twice. */
async function checkUnique({ tx, before, values, after, errors }: Write, { owner }: ParameterSubject, template: Template) {
  await tx.query(`select pg_advisory_xact_lock(hashtext('parameter_value'), $1::integer)`, [after('template')])
  const number = template.units === '' ? null : values.data_numeric
  const other = await tx.first(
    `select from parameter where template = $1 and pk <> $2 and (lower(data) = lower($3) or data_numeric = $4::numeric)
       ${template.unique === 1 ? `and ${owner} is not null` : ''} limit 1`,
    [after('template'), before?.pk ?? 0, values.data, number],
  )
  if (other) errors.data = [parameterErrors.parameter_value_taken({ name: template.name })]
}
