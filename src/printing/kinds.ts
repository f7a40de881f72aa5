/** The kinds of templates, by their address below `/api/`. */
export const LABEL_KINDS = ['label/part', 'label/stock', 'label/location', 'label/buildline'] as const
export const REPORT_KINDS = [
  'report/bom',
  'report/build',
  'report/po',
  'report/so',
  'report/ro',
  'report/slr',
  'report/test',
] as const

export type LabelKind = (typeof LABEL_KINDS)[number]
export type ReportKind = (typeof REPORT_KINDS)[number]
export type TemplateKind = LabelKind | ReportKind

/** Whether a template prints labels; all others print reports. */
export const isLabel = (kind: TemplateKind): kind is LabelKind => LABEL_KINDS.some((label) => label === kind)

/** Returns the address of the templates of a kind. */
export const getKindUrl = (kind: TemplateKind): string => `/api/${kind}/`
