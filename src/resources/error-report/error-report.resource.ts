import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { staff } from '../../kit/request/caller.ts'
import { errorReport as table } from './error-report.table.ts'

export const errorReport = resource({
  path: '/api/error-report/',
  name: 'Error report',
  description:
    'Something that went wrong in the service itself: a request that was answered with 500, or background work that was given up. It holds no value that a request brought. The newest 1,000 are kept, for the days of the setting `INVENTREE_DELETE_ERRORS_DAYS`.',
  remarks: { update: 'A report has nothing that could be written, so that it stays as it is.' },
  example: { pk: 1, replace: {}, change: {}, absent: true },
  model: 'error',
  table,
  access: staff,
  without: ['create'],
  bulkDelete: true,
  fields: {
    when: f.readonly(table.when, { order: true, help: 'When it happened.' }),
    info: f.readonly(table.info, { order: true, search: true, help: 'What went wrong, in a line.' }),
    data: f.readonly(table.data, { search: true, help: 'Where in the program it did, and what it was caused by.' }),
    path: f.readonly(table.path, { help: 'The address that was asked for, without its query; null for background work.' }),
    request: f.readonly(table.request, {
      filter: true,
      help: 'The id of the request, as its answer and the log have it; or that of the background task.',
    }),
    pk: f.pk(table.pk),
  },
  defaultOrder: ['-when'],
})
