import type { Resource } from '../../kit/definition/resource.ts'
import { LABEL_KINDS, type LabelKind } from '../../printing/kinds.ts'
import type { Area } from '../area.ts'
import type { PrintRunner } from '../print-job/run-print-job.ts'
import { previewTemplates } from '../printing/preview.ts'
import { resetTemplates } from '../printing/reset.ts'
import {
  buildLineLabelTemplate,
  partLabelTemplate,
  stockItemLabelTemplate,
  stockLocationLabelTemplate,
} from './label-template.resource.ts'
import { type LabelRequest, printLabels, runLabelPrint } from './print.action.ts'
import { labelTemplate } from './template/label-template.resource.ts'

/** The templates of each kind of label. */
export const labelTemplates: Record<LabelKind, Resource> = {
  'label/buildline': buildLineLabelTemplate,
  'label/location': stockLocationLabelTemplate,
  'label/part': partLabelTemplate,
  'label/stock': stockItemLabelTemplate,
}

export const label: Area = {
  resources: [...Object.values(labelTemplates), labelTemplate],
  actions: LABEL_KINDS.flatMap((kind) => [
    ...printLabels(kind, labelTemplates[kind]),
    previewTemplates({ kind, templates: labelTemplates[kind], file: 'label' }),
    resetTemplates({ templates: labelTemplates[kind], file: 'label' }),
  ]),
}

/** Prints labels of a type. */
export const labelPrinting: PrintRunner = (request, kind, steps) =>
  runLabelPrint(request as LabelRequest, kind as LabelKind, labelTemplates[kind as LabelKind], steps)
