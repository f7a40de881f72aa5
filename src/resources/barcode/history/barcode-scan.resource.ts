import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { type Caller, reading, signedIn, staff } from '../../../kit/request/caller.ts'
import { user } from '../../user/user.resource.ts'
import { barcodeScan as table } from './barcode-scan.table.ts'

/** Staff see all scans, others their own. */
const rows = (caller: Caller | undefined) =>
  caller?.isStaff || caller?.isSuperuser ? undefined : { sql: '{user} = {@caller}', values: [] }

export const barcodeScan = resource({
  path: '/api/barcode/history/',
  name: 'Barcode scan',
  description:
    'A code that was scanned: by whom, for what, what came of it and which objects it was about. Refused scans are there too. Staff see all of them, others their own. They are kept for the days that the setting `BARCODE_RESULTS_DAYS` names.',
  remarks: { delete: 'For staff. What the scan did stays, and cannot be taken back any more.' },
  example: { pk: 1, deletable: 1 },
  model: 'barcodescanresult',
  table,
  access: reading(signedIn, staff),
  rows,
  // whoever scanned finds it here at once
  flush: ({ journal }) => journal.written(),
  without: ['create', 'update'],
  fields: {
    pk: f.pk(table.pk),
    timestamp: f.readonly(table.timestamp, { order: true, help: 'When it came in.' }),
    user: f.ref(table.user, {
      readonly: true,
      filter: true,
      order: true,
      model: 'user',
      address: '/api/user/',
      help: 'The account that scanned; null if that is gone.',
    }),
    user_detail: f.nested(table.user, () => user, { flag: { name: 'user_detail' }, help: 'The account.' }),
    action: f.readonly(table.action, {
      filter: true,
      order: true,
      help: 'What was to be done with the code: `scan`, `link`, `unlink`, `order`, `receive` or `allocate`, in a batch also `move`, `count` or `remove`.',
    }),
    endpoint: f.readonly(table.endpoint, { filter: true, order: true, help: 'The address that was asked.' }),
    data: f.readonly(table.data, { search: true, filter: true, help: 'The code, without blanks at its ends.' }),
    context: f.readonly(table.context, { help: 'What else was asked for, by field.' }),
    result: f.readonly(table.result, { filter: true, order: true, help: 'Whether it was done.' }),
    status: f.readonly(table.status, { filter: true, order: true, help: 'The HTTP status that it was answered with.' }),
    response: f.readonly(table.response, { help: 'What was said of it in words: `success`, `error`, or the errors of fields.' }),
    objects: f.computed(Type.Array(Type.Object({ kind: Type.String(), pk: Type.Integer() })), '{objects}', {
      help: 'The objects that it found, made or changed: the kind of each as in a scan, and its key.',
    }),
    batch_id: f.readonly(table.batch_id, { filter: true, help: 'The id of the entry of a batch; null for a scan on its own.' }),
    scanned: f.readonly(table.scanned, {
      order: true,
      help: 'When the client scanned an entry of a batch; null for a scan on its own.',
    }),
    undone: f.readonly(table.undone, { help: 'When it was taken back; null for a scan that was not.' }),
    undone_by: f.ref(table.undone_by, {
      readonly: true,
      filter: true,
      model: 'user',
      address: '/api/user/',
      help: 'The account that took it back; null for none, or one that is gone.',
    }),
    can_undo: f.computed(Type.Boolean(), '({undo} is not null and {undone} is null)', {
      type: 'boolean',
      help: 'Whether it did something that was not taken back. What happened since may still be in the way.',
    }),
  },
  filters: {
    can_undo: {
      kind: 'boolean',
      sql: '({undo} is not null and {undone} is null)',
      help: 'Whether it did something that was not taken back.',
    },
    min_date: { kind: 'date', sql: '{timestamp} >= {@value}', help: 'Those that came in on this day (UTC) or later.' },
    max_date: { kind: 'date', sql: '{timestamp} < {@value} + 1', help: 'Those that came in on this day (UTC) or earlier.' },
  },
  defaultOrder: ['-timestamp'],
})
