import * as f from '../../../../kit/definition/field.ts'
import { file } from '../../../../kit/definition/file.ts'
import { resource } from '../../../../kit/definition/resource.ts'
import { roles } from '../../../../kit/request/caller.ts'
import { userBrief } from '../../../user/user.resource.ts'
import { stocktakeReport as table } from './stocktake-report.table.ts'

/** The folder of the files of reports. */
export const REPORT_FOLDER = 'stocktake/report'

/** Reports are made by `generate.action.ts` and by the clock. */
export const stocktakeReport = resource({
  path: '/api/part/stocktake/report/',
  name: 'Part stocktake report',
  description:
    'What a stocktake of many parts found, as a table (CSV): how much there was of each part, and what it was worth. It is deleted with its file after STOCKTAKE_DELETE_REPORT_DAYS.',
  remarks: { list: 'The newest comes first.' },
  example: { pk: 1 },
  model: 'partstocktakereport',
  table,
  access: roles('stocktake'),
  without: ['detail', 'create', 'update', 'delete'],
  fields: {
    pk: f.pk(table.pk),
    date: f.readonly(table.date, { order: true, help: 'The day on which it was made, in UTC.' }),
    report: file(table.report, { folder: REPORT_FOLDER, help: 'The address of its file.' }),
    part_count: f.readonly(table.part_count, { help: 'How many parts are in it.' }),
    user: f.ref(table.user, {
      readonly: true,
      model: 'user',
      address: '/api/user/',
      help: 'The account that asked for it; null where nobody did, or the account is gone.',
    }),
    user_detail: f.nested(table.user, userBrief, { help: 'The account.' }),
  },
  defaultOrder: ['-pk'],
})
