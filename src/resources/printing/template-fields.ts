import { getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import * as f from '../../kit/definition/field.ts'
import type { Filter } from '../../kit/definition/filter.ts'
import type { Write } from '../../kit/definition/resource.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import { quote } from '../../kit/sql/sql.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { queryErrors } from '../../kit/values/value-errors.ts'
import { isLabel, type TemplateKind } from '../../printing/kinds.ts'
import { findReadableKeys } from '../../printing/objects.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { originField } from './built-in-template.ts'
import { findMatchingObjects, readFilters } from './filters.ts'
import { itemParameters, readItemKeys } from './item-keys.ts'
import { getSubject, type Subject } from './subjects.ts'
import { problemsField } from './template-file.ts'

type FoundFilter = Extract<Filter, { kind: 'found' }>

/** Columns that label and report templates share, under the same names. */
type TemplateTable = PgTable & Record<'pk' | 'name' | 'filters' | 'filename_pattern' | 'enabled' | 'problems', PgColumn>

/** Fields at the beginning and at the end of every template. */
export const templateFields = (kind: TemplateKind, table: TemplateTable, filtersLabel = 'Filters') => {
  const subject = getSubject(kind)
  return {
    pk: f.pk(table.pk),
    name: f.column(table.name, { required: true, search: true, help: 'The name of the template.' }),
    filters: f.column(table.filters, {
      label: filtersLabel,
      help: `The objects it applies to: conditions such as name=Rack 1, separated by commas; empty for every ${subject.object}.`,
      check: (text) => findFilterError(text, subject),
    }),
    enabled: f.column(table.enabled, { filter: true, help: 'Whether it can be printed.' }),
    filename_pattern: f.column(table.filename_pattern, {
      label: 'Filename Pattern',
      help: 'The name of the printed file; it may contain variables of the template.',
    }),
    problems: problemsField(table.problems),
    origin: originField(isLabel(kind) ? 'label' : 'template'),
  }
}

/** Returns the error of a filter string, or undefined. */
export function findFilterError(text: string, { objects }: Subject): ErrorMessage | undefined {
  try {
    readFilters(text, objects)
    return undefined
  } catch (error) {
    if (error instanceof FieldError) return (error.entry as readonly ErrorMessage[])[0]
    throw error
  }
}

/** Prevents filters from revealing objects that the caller cannot view. */
export function checkFilterRights({ objects }: Subject, { values, caller, errors }: Write): void {
  if (typeof values.filters !== 'string') return
  for (const { name, access } of readFilters(values.filters, objects).traversed)
    if (!access(caller, 'view')) errors.filters = [printErrors.filter_access({ kind: name.toLowerCase() })]
}

/** Counts saves, and records who saves: a template that was saved once is at its second revision, as existing clients expect. */
export function recordSave({ before, hidden, caller }: Write): void {
  hidden.revision = ((before?.revision as number | undefined) ?? 1) + 1
  Object.assign(hidden, { updated: new Date().toISOString(), updated_by: caller.pk })
}

/**
 * Selects the templates that match every object that the query names.
 * @param condition of the templates of this kind, if the table has others
 */
export const itemFilter = (subject: Subject, table: PgTable, condition = ''): FoundFilter => ({
  kind: 'found',
  names: itemParameters(
    subject,
    `Templates that apply to the ${subject.object} with this key. Several keys, separated by commas or repeated: templates that apply to all of them.`,
  ),
  async find(query, { config, database }) {
    const isLenient = config.wire.lenientItemKeys
    const itemKeys = readItemKeys(subject, query, isLenient)
    if (!itemKeys) return undefined
    const existingKeys = await findReadableKeys(database, subject.objects, itemKeys.pks, undefined)
    if (!isLenient && existingKeys.size < itemKeys.pks.length)
      throw invalid({ [itemKeys.name]: [queryErrors.unavailable_choice] })
    if (existingKeys.size === 0) return undefined
    const text = `select distinct filters from ${quote(getTableName(table))} where filters <> '' ${condition}`
    const rows = await database.read<{ filters: string }>({ text, values: [] })
    const filterTexts = rows.map(({ filters }) => filters)
    const matches = await findMatchingObjects(database, subject.objects, filterTexts, [...existingKeys])
    const values = [filterTexts.filter((filters) => matches.get(filters)?.size === existingKeys.size)]
    return { sql: `({filters} = '' or {filters} = any({@value}::text[]))`, values }
  },
})
