import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { staff } from '../../kit/request/caller.ts'
import { errorReport as table } from './error-report.table.ts'

export const errorReport = resource({
  path: '/api/error-report/',
  name: 'Error report',
  description:
    'An error of the service itself: a request with a 500 response, or a failed background task. It contains no values of requests. The newest 1,000 are stored, for the days of the setting `INVENTREE_DELETE_ERRORS_DAYS`.',
  remarks: { update: 'A report has no writable fields and does not change.' },
  example: { pk: 1, replace: {}, change: {}, hasNoObject: true },
  model: 'error',
  table,
  access: staff,
  without: ['create'],
  bulkDelete: true,
  fields: {
    when: f.readonly(table.when, { order: true, help: 'When it happened.' }),
    info: f.readonly(table.info, { order: true, search: true, help: 'The error in one line.' }),
    data: f.readonly(table.data, { search: true, help: 'The stack trace and the causes.' }),
    path: f.readonly(table.path, {
      api530: { metadata: { type: 'url' } },
      help: 'The path of the request, without its query; null for a background task.',
    }),
    request: f.readonly(table.request, {
      filter: true,
      help: 'The id of the request, as in its response and the log; or that of the background task.',
    }),
    pk: f.pk(table.pk),
  },
  defaultOrder: ['-when'],
})
