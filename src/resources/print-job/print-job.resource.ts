import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { buildFileUrlSql } from '../../kit/definition/file.ts'
import { orNull } from '../../kit/definition/input.ts'
import { fieldErrors } from '../../kit/definition/problem-schema.ts'
import { resource } from '../../kit/definition/resource.ts'
import { signedIn } from '../../kit/request/caller.ts'
import type { Expression } from '../../kit/sql/sql.ts'
import {
  getTemplateModel,
  isLabel,
  LABEL_KINDS,
  REPORT_KINDS,
  TEMPLATE_MODEL_NAMES,
  TEMPLATE_MODELS,
  type TemplateKind,
  type TemplateModel,
} from '../../printing/kinds.ts'
import { parameterNames } from '../printing/item-keys.ts'
import { getSubject } from '../printing/subjects.ts'
import { printJob as table } from './print-job.table.ts'
import { PRINT_JOB_STATUSES, printWarnings, statusSql } from './print-job.ts'

const KINDS = TEMPLATE_MODEL_NAMES.flatMap((model): TemplateKind[] => Object.values(TEMPLATE_MODELS[model]))
/** The kinds with lists of their own, by whose keys their jobs name templates. */
const LISTED: ReadonlySet<TemplateKind> = new Set([...LABEL_KINDS, ...REPORT_KINDS])

/** SQL of an expression that depends on the kind of template; null if there is none for it. */
const byKind = (toSql: (kind: TemplateKind) => Expression): Expression =>
  `case {kind} ${KINDS.map((kind) => `when '${kind}' then ${toSql(kind)}`).join(' ')} end`

/** SQL: the keys of the printed objects, separated by commas; null for sample data. A repeated parameter has all its values under `name[]`. */
const KEYS = byKind((kind) => {
  const names = parameterNames(getSubject(kind)).toSorted(
    (one, other) => Number(other.endsWith('[]')) - Number(one.endsWith('[]')),
  )
  return `coalesce(${names.map((name) => `{query} ->> '${name}'`).join(', ')})`
})
/** SQL: the key of the first printed object. */
const FIRST_KEY = `substring(${KEYS} from '^\\s*(\\d{1,9})\\s*(?:,|$)')::integer`

const selectRowName = (source: string, column = 'pathstring'): Expression =>
  `(select subject.${column} {from ${source}} subject where subject.pk = ${FIRST_KEY})`
const STOCK_ITEM_NAME = `(select concat(p.name, ' #' || nullif(subject.serial, '')) {from stock_item} subject {join part} p on p.pk = subject.part
  where subject.pk = ${FIRST_KEY})`
const BUILD_LINE_NAME = `(select concat(b.reference, ' · ', p.name) {from build_line} subject {join build_order} b on b.pk = subject.build
  {join bom_item} item on item.pk = subject.bom_item {join part} p on p.pk = item.sub_part where subject.pk = ${FIRST_KEY})`

/** SQL of the name of the first printed object, by its type. */
const OBJECT_NAMES: Record<TemplateModel, Expression> = {
  part: selectRowName('part', 'name'),
  stockitem: STOCK_ITEM_NAME,
  stocklocation: selectRowName('stock_location'),
  build: selectRowName('build_order', 'reference'),
  buildline: BUILD_LINE_NAME,
  company: selectRowName('company', 'name'),
  purchaseorder: selectRowName('purchase_order', 'reference'),
  salesorder: selectRowName('sales_order', 'reference'),
  salesordershipment: selectRowName('sales_order_shipment', 'reference'),
  returnorder: selectRowName('return_order', 'reference'),
  transferorder: selectRowName('transfer_order', 'reference'),
}

/** SQL of the name of the template; null if it was deleted. */
export const TEMPLATE_NAME = byKind(
  (kind) =>
    `(select printed.name {from ${isLabel(kind) ? 'label' : 'report'}_template} printed
      where printed.model_type = '${getTemplateModel(kind)}' and printed.${LISTED.has(kind) ? 'kind_pk' : 'pk'} = {template})`,
)

/** SQL: the id of the requested machine; the body takes precedence over the query. */
const MACHINE = `lower(coalesce({body} ->> 'machine', {query} ->> 'machine'))`

/** The prints in the background. Each account sees its own, staff see all, as with the printed files. */
export const printJobs = resource({
  path: '/api/print-job/',
  name: 'Background print',
  description: 'A print that was requested with `Prefer: respond-async` or an Idempotency-Key, with its progress and its result.',
  remarks: { list: 'Prints of the caller; of all accounts for staff. The newest come first.' },
  model: 'printjob',
  table,
  access: signedIn,
  rows: () => ({ sql: '({user} = {@caller} or {@staff})', values: [] }),
  without: ['detail', 'create', 'update', 'delete'],
  fields: {
    pk: f.pk(table.pk),
    id: f.computed(Type.String({ format: 'uuid' }), '{id}::text', { help: 'Its id, as in `/api/print-job/{job}/`.' }),
    status: f.computed(Type.String({ enum: [...PRINT_JOB_STATUSES] }), statusSql('{status}', '{asked}'), {
      type: 'string',
      filter: true,
      help: 'Its status. `unknown`: a machine or a plugin received it, and the result is unknown.',
    }),
    user: f.ref(table.user, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that prints.',
    }),
    username: f.computed(Type.String(), '{user.username}', { type: 'string', help: 'The name of the account.' }),
    kind: f.readonly(table.kind, { filter: true, help: 'The type of the template, such as `label/part`.' }),
    template: f.readonly(table.template, { help: 'The key of the template.' }),
    template_name: f.computed(orNull(Type.String()), TEMPLATE_NAME, {
      type: 'string',
      help: 'The name of the template; null if it was deleted.',
    }),
    object: f.computed(orNull(Type.Integer()), FIRST_KEY, {
      type: 'integer',
      help: 'The key of the first printed object; null for sample data.',
    }),
    object_name: f.computed(
      orNull(Type.String()),
      byKind((kind) => OBJECT_NAMES[getTemplateModel(kind)]),
      { type: 'string', help: 'The name or the reference of this object; null if it was deleted.' },
    ),
    object_count: f.computed(Type.Integer(), `cardinality(string_to_array(coalesce(${KEYS}, ''), ','))`, {
      help: 'The number of printed objects; 0 for sample data.',
    }),
    plugin: f.computed(orNull(Type.String()), `nullif({query} ->> 'plugin', '')`, {
      type: 'string',
      filter: true,
      help: 'The key of the requested plugin; null for a file.',
    }),
    machine: f.computed(orNull(Type.String()), MACHINE, {
      type: 'string',
      filter: true,
      help: 'The id of the requested machine; null for none, or for the one that the account used last.',
    }),
    machine_name: f.computed(orNull(Type.String()), `(select m.name {from machine} m where m.id::text = ${MACHINE})`, {
      type: 'string',
      help: 'The name of this machine.',
    }),
    done: f.readonly(table.done, { help: 'The number of completed labels or documents.' }),
    total: f.readonly(table.total, { help: 'The total number; null until it is known.' }),
    file: f.computed(orNull(Type.String()), `{@site}::text || ${buildFileUrlSql('{file}')}`, {
      type: 'string',
      help: 'The URL of the printed file, if one was created.',
    }),
    message: f.readonly(table.message, { help: 'A description of what was printed.' }),
    warnings: f.computed(printWarnings, '{warnings}', { help: 'Warnings about the printed file.' }),
    field_errors: f.computed(fieldErrors, `coalesce({error} -> 'field_errors', '[]')`, { help: 'The errors of a failed print.' }),
    created: f.readonly(table.created, { order: true, help: 'When it was requested.' }),
    finished: f.readonly(table.finished, { order: true, help: 'When it completed, failed or was cancelled.' }),
  },
  filters: {
    created_after: { kind: 'date', sql: '{created} >= {@value}', help: 'Prints on or after this day, in UTC.' },
    created_before: { kind: 'date', sql: '{created} < {@value} + 1', help: 'Prints on or before this day, in UTC.' },
  },
  defaultOrder: ['-created'],
})
