import * as f from '../../../../kit/definition/field.ts'
import { file } from '../../../../kit/definition/file.ts'
import { resource } from '../../../../kit/definition/resource.ts'
import { roles } from '../../../../kit/request/caller.ts'
import { userBrief } from '../../../user/user.resource.ts'
import { stocktakeReport as table } from './stocktake-report.table.ts'

/** Folder of report files. */
export const REPORT_FOLDER = 'stocktake/report'

/** `generate.action.ts` and the schedule create reports. */
export const stocktakeReport = resource({
  path: '/api/part/stocktake/report/',
  name: 'Part stocktake report',
  description:
    'The result of a stocktake of many parts, as a table (CSV): the quantity of each part, and its value. It is deleted with its file after STOCKTAKE_DELETE_REPORT_DAYS.',
  remarks: { list: 'Sorted by date, newest first.' },
  example: { pk: 1 },
  model: 'partstocktakereport',
  table,
  access: roles('stocktake'),
  without: ['detail', 'create', 'update', 'delete'],
  fields: {
    pk: f.pk(table.pk),
    date: f.readonly(table.date, { order: true, help: 'The creation date, in UTC.' }),
    report: file(table.report, { folder: REPORT_FOLDER, help: 'The URL of its file.' }),
    part_count: f.readonly(table.part_count, { help: 'The number of parts in it.' }),
    user: f.ref(table.user, {
      readonly: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that requested it; null for none, or a deleted one.',
    }),
    user_detail: f.nested(table.user, userBrief, { help: 'The account.' }),
  },
  defaultOrder: ['-pk'],
})
