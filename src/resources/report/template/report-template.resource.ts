import * as f from '../../../kit/definition/field.ts'
import type { Services } from '../../../kit/services/services.ts'
import { setting } from '../../../settings/live.ts'
import { allTemplates } from '../../printing/all-templates.ts'
import { PAGE_SIZE_CHOICES } from '../report-template.resource.ts'
import { reportTemplate as table } from './report-template.table.ts'

const template = `data:text/html;name=report.html,${encodeURIComponent('<h1>{{ part.name }}</h1>')}`

export const reportTemplate = allTemplates(table, {
  area: 'report',
  name: 'Report template',
  description:
    'A template for reports of one kind of object: HTML and CSS with Liquid, which inserts the values of the object, or of all objects.',
  model: 'reporttemplate',
  example: {
    pk: 1,
    create: { name: 'Short report', description: 'The least that is needed', model_type: 'part', template },
    change: { landscape: true },
    deletable: 3,
  },
  fields: {
    page_size: f.column(table.page_size, {
      label: 'Page Size',
      choices: () => PAGE_SIZE_CHOICES,
      default: (services: Services) => setting(services, 'REPORT_DEFAULT_PAGE_SIZE'),
      help: 'The page size; by default the one in the settings.',
    }),
    landscape: f.column(table.landscape, { filter: true, help: 'Whether its pages have landscape orientation.' }),
    merge: f.column(table.merge, {
      filter: true,
      help: 'Whether all objects are printed in one document, instead of one document each.',
    }),
    include_installed: f.column(table.include_installed, {
      help: 'For stock items: whether it includes the tests of the items installed in the item.',
    }),
  },
})
