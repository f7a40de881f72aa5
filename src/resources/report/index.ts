import type { Resource } from '../../kit/definition/resource.ts'
import { REPORT_KINDS, type ReportKind, type TemplateKind } from '../../printing/kinds.ts'
import type { Area } from '../area.ts'
import type { PrintRunner } from '../print-job/run-print-job.ts'
import { previewTemplates } from '../printing/preview.ts'
import type { TemplateClass } from '../printing/print-request.ts'
import { resetTemplates } from '../printing/reset.ts'
import { reportAsset } from './asset/report-asset.resource.ts'
import { printReports, runReportPrint } from './print.action.ts'
import { printReportTemplate } from './print-template.action.ts'
import {
  bomReportTemplate,
  buildReportTemplate,
  purchaseOrderReportTemplate,
  returnOrderReportTemplate,
  salesOrderReportTemplate,
  stockLocationReportTemplate,
  testReportTemplate,
} from './report-template.resource.ts'
import { reportSnippet } from './snippet/report-snippet.resource.ts'
import { reportTemplate } from './template/report-template.resource.ts'

/** The templates of each kind of report. */
export const reportTemplates: Record<ReportKind, Resource> = {
  'report/bom': bomReportTemplate,
  'report/build': buildReportTemplate,
  'report/po': purchaseOrderReportTemplate,
  'report/ro': returnOrderReportTemplate,
  'report/slr': stockLocationReportTemplate,
  'report/so': salesOrderReportTemplate,
  'report/test': testReportTemplate,
}

export const report: Area = {
  resources: [...Object.values(reportTemplates), reportTemplate, reportAsset, reportSnippet],
  actions: [
    printReportTemplate({ templates: reportTemplate, classOf: (kind) => getReportClass(kind) }),
    ...REPORT_KINDS.flatMap((kind) => [
      printReports(kind, reportTemplates[kind]),
      previewTemplates({ kind, templates: reportTemplates[kind], file: 'template' }),
      resetTemplates({ templates: reportTemplates[kind], file: 'template' }),
    ]),
  ],
}

/** The templates that print jobs of a kind name by their keys: those of the kind if it has a list of its own, else those of all kinds. */
const getReportClass = (kind: TemplateKind): TemplateClass => ({
  kind,
  templates: reportTemplates[kind as ReportKind] ?? reportTemplate,
  file: 'template',
})

/** Prints reports of a type. */
export const printReport: PrintRunner = (request, kind, steps) => runReportPrint(request, getReportClass(kind), steps)
