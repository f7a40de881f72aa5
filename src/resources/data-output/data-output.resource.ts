import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { buildFileUrlSql } from '../../kit/definition/file.ts'
import { orNull } from '../../kit/definition/input.ts'
import { resource } from '../../kit/definition/resource.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { PDF_PLUGIN } from '../label/pdf-plugin.ts'
import { TEMPLATE_NAME } from '../print-job/print-job.resource.ts'
import { printJob as table } from '../print-job/print-job.table.ts'
import { UNFINISHED } from '../print-job/print-job.ts'
import { userBrief } from '../user/user.resource.ts'

/** A print job as clients of API 326 know it. */
export const dataOutput = resource({
  path: '/api/data-output/',
  name: 'Data output',
  description:
    'A print of labels or of a report: its progress, and the file that it made. Each account sees its own, staff see all. They are stored as long as printed files.',
  remarks: {
    list: 'The oldest come first.',
    delete: 'Deletes its file, too. Rejected while it is in progress.',
  },
  errors: { delete: { wrong_state: 'It is in progress.' } },
  example: { pk: 1, hasNoObject: true },
  model: 'dataoutput',
  table,
  access: signedIn,
  rows: () => ({ sql: '({user} = {@caller} or {@staff})', values: [] }),
  without: ['create', 'update'],
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    created: f.computed(Type.String({ format: 'date' }), `to_char({created} at time zone 'utc', 'YYYY-MM-DD')`, {
      type: 'date',
      help: 'The day on which it was requested, in UTC.',
    }),
    user: f.ref(table.user, {
      readonly: true,
      filter: true,
      order: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that printed.',
    }),
    user_detail: f.nested(table.user, () => userBrief(), { help: 'The account.' }),
    total: f.computed(Type.Integer(), 'coalesce({total}, 0)', {
      type: 'integer',
      help: 'The number of labels or documents; 0 until it is known.',
    }),
    progress: f.computed(Type.Integer(), '{done}', { type: 'integer', help: 'How many of them are done.' }),
    complete: f.computed(Type.Boolean(), `{status} not in (${UNFINISHED.map((status) => `'${status}'`).join(', ')})`, {
      type: 'boolean',
      help: 'Whether it has ended, with or without an error.',
    }),
    output_type: f.computed(Type.String(), `split_part({kind}, '/', 1)`, { type: 'string', help: '`label` or `report`.' }),
    template_name: f.computed(orNull(Type.String()), TEMPLATE_NAME, {
      type: 'string',
      help: 'The name of the template; null if it was deleted.',
    }),
    plugin: f.computed(
      orNull(Type.String()),
      `case when {kind} like 'label/%' then coalesce(nullif({query} ->> 'plugin', ''), '${PDF_PLUGIN}') end`,
      { type: 'string', help: 'The key of the plugin that printed; null for a report.' },
    ),
    output: f.computed(orNull(Type.String()), `{@site}::text || ${buildFileUrlSql('{file}')}`, {
      type: 'string',
      help: 'The URL of the printed file; null if there is none, or not yet.',
    }),
    errors: f.computed(Type.Any(), `{error} -> 'body'`, {
      type: 'field',
      help: 'The errors of a failed print; null for none.',
    }),
  },
  search: [TEMPLATE_NAME],
  order: {
    pk: ['{pk}'],
    created: ['{created}'],
    plugin: [`case when {kind} like 'label/%' then coalesce(nullif({query} ->> 'plugin', ''), '${PDF_PLUGIN}') end`],
    output_type: [`split_part({kind}, '/', 1)`],
  },
  beforeDelete({ row }) {
    if (UNFINISHED.includes(row.status as string)) throw new Problem('wrong_state', printErrors.print_not_ended)
  },
  async afterDelete({ tx }, rows) {
    const files = rows.flatMap(({ file }) => file ?? [])
    if (files.length > 0) await tx.query('delete from printed_file where file = any($1::text[])', [files])
  },
})
