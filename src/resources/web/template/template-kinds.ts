import * as input from '../../../kit/definition/input.ts'
import { LABEL_KINDS, type LabelKind, type ListedKind, REPORT_KINDS, type ReportKind } from '../../../printing/kinds.ts'
import { labelTemplates } from '../../label/index.ts'
import type { TemplateClass } from '../../printing/print-request.ts'
import { reportTemplates } from '../../report/index.ts'

export const TEMPLATE_KINDS: readonly ListedKind[] = [...LABEL_KINDS, ...REPORT_KINDS]

/** A kind of template in a body. */
export const kindInput = input.choice<ListedKind>(() => TEMPLATE_KINDS.map((value) => ({ value, label: value })), {
  required: true,
  help: 'What the template prints, such as label/part or report/po.',
})

/** The resource of a kind of template, and the field with its file. */
export const getTemplateClass = (kind: ListedKind): TemplateClass =>
  kind.startsWith('label/')
    ? { kind, templates: labelTemplates[kind as LabelKind], file: 'label' }
    : { kind, templates: reportTemplates[kind as ReportKind], file: 'template' }
