import type { Resource } from '../../kit/definition/resource.ts'
import { LABEL_KINDS, type LabelKind, type TemplateKind } from '../../printing/kinds.ts'
import type { Area } from '../area.ts'
import type { PrintRunner } from '../print-job/run-print-job.ts'
import { previewTemplates } from '../printing/preview.ts'
import type { TemplateClass } from '../printing/print-request.ts'
import { resetTemplates } from '../printing/reset.ts'
import {
  buildLineLabelTemplate,
  partLabelTemplate,
  stockItemLabelTemplate,
  stockLocationLabelTemplate,
} from './label-template.resource.ts'
import { type LabelRequest, printLabels, runLabelPrint } from './print.action.ts'
import { printLabelTemplate } from './print-template.action.ts'
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
  actions: [
    printLabelTemplate({ templates: labelTemplate, classOf: (kind) => getLabelClass(kind) }),
    ...LABEL_KINDS.flatMap((kind) => [
      ...printLabels(kind, labelTemplates[kind]),
      previewTemplates({ kind, templates: labelTemplates[kind], file: 'label' }),
      resetTemplates({ templates: labelTemplates[kind], file: 'label' }),
    ]),
  ],
}

/** The templates that print jobs of a kind name by their keys: those of the kind if it has a list of its own, else those of all kinds. */
function getLabelClass(kind: TemplateKind): TemplateClass {
  const templates = labelTemplates[kind as LabelKind]
  return templates ? { kind, templates, file: 'label' } : { kind, templates: labelTemplate, file: 'template' }
}

/** Prints labels of a type. */
export const labelPrinting: PrintRunner = (request, kind, steps) =>
  runLabelPrint(request as LabelRequest, getLabelClass(kind), steps)
