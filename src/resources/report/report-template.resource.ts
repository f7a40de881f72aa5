import type { PgColumn } from 'drizzle-orm/pg-core'
import * as f from '../../kit/definition/field.ts'
import { type Resource, type ResourceExample, resource } from '../../kit/definition/resource.ts'
import type { Services } from '../../kit/services/services.ts'
import { getKindUrl, type ReportKind } from '../../printing/kinds.ts'
import { PAGE_SIZES } from '../../printing/page-sizes.ts'
import { setting } from '../../settings/live.ts'
import { recordBuiltIn } from '../printing/built-in-template.ts'
import { getSubject } from '../printing/subjects.ts'
import { recordTemplateEvents } from '../printing/template-events.ts'
import { checkFilterRights, itemFilter, recordSave, templateFields } from '../printing/template-fields.ts'
import { storeProblems, templateFile } from '../printing/template-file.ts'
import {
  bomReports,
  buildReports,
  purchaseOrderReports,
  type ReportView,
  returnOrderReports,
  salesOrderReports,
  stockLocationReports,
  testReports,
} from './report-views.ts'

export const PAGE_SIZE_CHOICES = Object.keys(PAGE_SIZES).map((value) => ({ value, label: value }))

type TemplateDescription = { name: string; model: string; exampleHtml: string; filters?: string }

/** Requests for the first template of a type, which exists from the start. */
function createExample(exampleHtml: string): ResourceExample {
  const template = `data:text/html;name=report.html,${encodeURIComponent(exampleHtml)}`
  return {
    pk: 1,
    create: { name: 'Short report', description: 'The least that is needed', template, page_size: 'A4' },
    change: { landscape: true },
    deletable: 2,
  }
}

/** The template resource of one type of report. */
function createReportTemplate(
  kind: ReportKind,
  table: ReportView,
  { name, model, exampleHtml, filters: filtersLabel }: TemplateDescription,
): Resource {
  const subject = getSubject(kind)
  const { pk, name: ownName, ...fields } = templateFields(kind, table, filtersLabel)
  const definition = resource({
    path: getKindUrl(kind),
    name,
    description: `A template for reports of a ${subject.object} each: HTML and CSS with Liquid, which inserts the values of the object.`,
    example: createExample(exampleHtml),
    model,
    table,
    access: subject.access,
    fields: {
      pk,
      name: ownName,
      description: f.column(table.description, { required: true, search: true, help: 'A description of the report.' }),
      template: templateFile(table.template, {
        folder: `report/report_template/${subject.folder}`,
        extensions: ['html', 'htm'],
        help: 'The file of the template, or its URL.',
      }),
      filters: fields.filters,
      page_size: f.column(table.page_size, {
        label: 'Page Size',
        choices: () => PAGE_SIZE_CHOICES,
        default: (services: Services) => setting(services, 'REPORT_DEFAULT_PAGE_SIZE'),
        help: 'The page size; by default the one in the settings.',
      }),
      landscape: f.column(table.landscape, { help: 'Whether its pages have landscape orientation.' }),
      ...('include_installed' in table
        ? {
            include_installed: f.column(table.include_installed as PgColumn, {
              help: 'Whether it includes the tests of the items installed in the item.',
            }),
          }
        : {}),
      filename_pattern: fields.filename_pattern,
      enabled: fields.enabled,
      problems: fields.problems,
      origin: fields.origin,
    },
    filters: { [subject.item]: itemFilter(subject, table) },
    async rules(write) {
      checkFilterRights(subject, write)
      recordSave(write)
      recordBuiltIn('template', write)
      await storeProblems('template', write)
    },
  })
  return recordTemplateEvents(definition)
}

export const bomReportTemplate = createReportTemplate('report/bom', bomReports, {
  name: 'Bill of materials report',
  model: 'billofmaterialsreport',
  exampleHtml: '<h1>{{ part.name }}</h1>',
  filters: 'Part Filters',
})
export const buildReportTemplate = createReportTemplate('report/build', buildReports, {
  name: 'Build report',
  model: 'buildreport',
  exampleHtml: '<h1>{{ reference }}</h1>',
  filters: 'Build Filters',
})
export const purchaseOrderReportTemplate = createReportTemplate('report/po', purchaseOrderReports, {
  name: 'Purchase order report',
  model: 'purchaseorderreport',
  exampleHtml: '<h1>{{ title }}</h1>',
})
export const returnOrderReportTemplate = createReportTemplate('report/ro', returnOrderReports, {
  name: 'Return order report',
  model: 'returnorderreport',
  exampleHtml: '<h1>{{ title }}</h1>',
})
export const salesOrderReportTemplate = createReportTemplate('report/so', salesOrderReports, {
  name: 'Sales order report',
  model: 'salesorderreport',
  exampleHtml: '<h1>{{ title }}</h1>',
})
export const stockLocationReportTemplate = createReportTemplate('report/slr', stockLocationReports, {
  name: 'Stock location report',
  model: 'stocklocationreport',
  exampleHtml: '<h1>{{ stock_location.name }}</h1>',
})
export const testReportTemplate = createReportTemplate('report/test', testReports, {
  name: 'Test report',
  model: 'testreport',
  exampleHtml: '<h1>{{ serial }}</h1>',
})
