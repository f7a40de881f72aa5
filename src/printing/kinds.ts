/** The kinds of templates with lists of their own, by their URL below `/api/`. */
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
export type ListedKind = LabelKind | ReportKind

/** The kinds of objects that templates print, by their names on the wire: each with its templates for labels and for reports. */
export const TEMPLATE_MODELS = {
  part: { label: 'label/part', report: 'report/bom' },
  stockitem: { label: 'label/stock', report: 'report/test' },
  stocklocation: { label: 'label/location', report: 'report/slr' },
  build: { label: 'label/build', report: 'report/build' },
  buildline: { label: 'label/buildline', report: 'report/buildline' },
  company: { label: 'label/company', report: 'report/company' },
  purchaseorder: { label: 'label/po', report: 'report/po' },
  salesorder: { label: 'label/so', report: 'report/so' },
  salesordershipment: { label: 'label/shipment', report: 'report/shipment' },
  returnorder: { label: 'label/ro', report: 'report/ro' },
  transferorder: { label: 'label/transfer-order', report: 'report/transfer-order' },
} as const

export type TemplateModel = keyof typeof TEMPLATE_MODELS
export type TemplateArea = 'label' | 'report'

/** A kind of template: those with lists of their own, and those that only the lists of all kinds have. */
export type TemplateKind = (typeof TEMPLATE_MODELS)[TemplateModel][TemplateArea]

export const TEMPLATE_MODEL_NAMES = Object.keys(TEMPLATE_MODELS) as readonly TemplateModel[]

/** Whether a text names a kind of object that templates print. */
export const isTemplateModel = (text: unknown): text is TemplateModel =>
  typeof text === 'string' && Object.hasOwn(TEMPLATE_MODELS, text)

const modelsByKind = new Map<TemplateKind, TemplateModel>(
  TEMPLATE_MODEL_NAMES.flatMap((model) => Object.values(TEMPLATE_MODELS[model]).map((kind) => [kind, model] as const)),
)

/** The kind of object that a kind of template prints. */
export const getTemplateModel = (kind: TemplateKind): TemplateModel => modelsByKind.get(kind) as TemplateModel

/** Whether a kind has a list of its own. */
export const isListed = (kind: TemplateKind): kind is ListedKind =>
  ([...LABEL_KINDS, ...REPORT_KINDS] as readonly TemplateKind[]).includes(kind)

/** Whether a template prints labels; all others print reports. */
export const isLabel = (kind: TemplateKind): boolean => kind.startsWith('label/')

/** Returns the URL of the templates of a kind. */
export const getKindUrl = (kind: ListedKind): string => `/api/${kind}/`
