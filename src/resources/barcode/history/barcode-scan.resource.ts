import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { type Caller, readWriteAccess, signedIn, staff } from '../../../kit/request/caller.ts'
import { user } from '../../user/user.resource.ts'
import { barcodeScan as table } from './barcode-scan.table.ts'

/** Staff see all scans, others their own. */
const rows = (caller: Caller | undefined) =>
  caller?.isStaff || caller?.isSuperuser ? undefined : { sql: '{user} = {@caller}', values: [] }

export const barcodeScan = resource({
  path: '/api/barcode/history/',
  name: 'Barcode scan',
  description:
    'A scanned barcode: the account, the operation, its result and its objects. Rejected scans are included. Staff see all scans, other accounts see their own. Scans are deleted after the number of days in the setting `BARCODE_RESULTS_DAYS`.',
  remarks: { delete: 'For staff. The changes it made stay, and can no longer be undone.' },
  example: { pk: 1, deletable: 1 },
  model: 'barcodescanresult',
  table,
  access: readWriteAccess(signedIn, staff),
  rows,
  // so that the user finds a scan here immediately
  flush: ({ journal }) => journal.flush(),
  without: ['create', 'update'],
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    timestamp: f.readonly(table.timestamp, { order: true, help: 'When the scan was received.' }),
    user: f.ref(table.user, {
      readonly: true,
      filter: true,
      order: true,
      model: 'user',
      apiUrl: '/api/user/',
      api530: { metadata: { type: 'field' } },
      help: 'The account that scanned; null if it is deleted.',
    }),
    user_detail: f.nested(table.user, () => user, { flag: { name: 'user_detail', api530: true }, help: 'The account.' }),
    action: f.readonly(table.action, {
      filter: true,
      order: true,
      help: 'The operation: `scan`, `link`, `unlink`, `order`, `receive` or `allocate`, in a batch also `move`, `count` or `remove`.',
    }),
    endpoint: f.readonly(table.endpoint, {
      filter: true,
      order: true,
      api530: { metadata: { label: 'Path', max_length: 250 } },
      help: 'The path of the request.',
    }),
    data: f.readonly(table.data, {
      search: true,
      filter: true,
      api530: { metadata: { max_length: 250 } },
      help: 'The barcode, without spaces at its ends.',
    }),
    context: f.readonly(table.context, { api530: { metadata: { max_length: 1000 } }, help: 'The other fields of the request.' }),
    result: f.readonly(table.result, {
      filter: true,
      order: true,
      api530: { metadata: { default: false } },
      help: 'Whether the scan succeeded.',
    }),
    status: f.readonly(table.status, { filter: true, order: true, help: 'The HTTP status of the response.' }),
    response: f.readonly(table.response, {
      api530: { metadata: { max_length: 1000 } },
      help: 'The message of the response: `success`, `error`, or the errors of fields.',
    }),
    objects: f.computed(Type.Array(Type.Object({ kind: Type.String(), pk: Type.Integer() })), '{objects}', {
      help: 'The objects that the scan found, created or changed: the type of each and its primary key.',
    }),
    batch_id: f.readonly(table.batch_id, { filter: true, help: 'The id of the batch entry; null for a single scan.' }),
    scanned: f.readonly(table.scanned, {
      order: true,
      help: 'When the client scanned the batch entry; null for a single scan.',
    }),
    undone: f.readonly(table.undone, { help: 'When the scan was undone; null if it was not.' }),
    undone_by: f.ref(table.undone_by, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that undid the scan; null for none, or if it is deleted.',
    }),
    can_undo: f.computed(Type.Boolean(), '({undo} is not null and {undone} is null)', {
      type: 'boolean',
      help: 'Whether the scan changed something that is not undone. Later changes can still prevent an undo.',
    }),
  },
  filters: {
    can_undo: {
      kind: 'boolean',
      sql: '({undo} is not null and {undone} is null)',
      help: 'Whether the scan changed something that is not undone.',
    },
    min_date: { kind: 'date', sql: '{timestamp} >= {@value}', help: 'Scans received on this day (UTC) or later.' },
    max_date: { kind: 'date', sql: '{timestamp} < {@value} + 1', help: 'Scans received on this day (UTC) or earlier.' },
  },
  defaultOrder: ['-timestamp'],
})
