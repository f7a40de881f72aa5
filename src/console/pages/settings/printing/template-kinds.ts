import labelMetadata from 'metadata:/api/label/part/'
import reportMetadata from 'metadata:/api/report/test/'
import type { Source } from '../../../kit/form/combobox.tsx'
import { getSource } from '../../../kit/form/reference.ts'
import { type PlainKey, t } from '../../../kit/language/language.ts'
import type { ResourceMetadata } from '../../../kit/service/field-metadata.ts'
import { hasPermission, type Right } from '../../../kit/service/session.ts'

/** Any object that a template prints. */
type Row = { pk: number } & Record<string, unknown>

/** A kind of template: what is printed, and who can see and change its templates. */
export type TemplateKind = {
  /** Its URL below `/api/`: `label/part`. */
  path: string
  title: PlainKey
  /** The name of one printed object. */
  object: PlainKey
  roles: readonly string[]
  /** The list that the object of the preview is selected from. */
  source: Source<Row>
}

const readText = (value: unknown, name: string): string => String((value as Record<string, unknown> | null)?.[name] ?? '')

/** Lines of build orders have no names of their own. */
const buildLines: Source<Row> = {
  url: '/api/build/line/',
  query: { build_detail: true, part_detail: true },
  getTitle: (row) => `${readText(row.build_detail, 'reference')} ${readText(row.part_detail, 'full_name')}`.trim(),
}

const returnOrders: Source<Row> = {
  url: '/api/order/ro/',
  query: { customer_detail: true },
  getTitle: (row) => readText(row, 'reference'),
  getDetail: (row) => readText(row.customer_detail, 'name'),
}

/** All kinds of templates, in the order of their list. */
export const templateKinds: readonly TemplateKind[] = [
  {
    path: 'label/part',
    title: 'templates.label-part',
    object: 'templates.part',
    roles: ['part'],
    source: getSource('part'),
  },
  {
    path: 'label/stock',
    title: 'templates.label-stock',
    object: 'templates.stock-item',
    roles: ['stock'],
    source: getSource('stockItem'),
  },
  {
    path: 'label/location',
    title: 'templates.label-location',
    object: 'templates.location',
    roles: ['stock_location'],
    source: getSource('location'),
  },
  {
    path: 'label/buildline',
    title: 'templates.label-buildline',
    object: 'templates.build-line',
    roles: ['build'],
    source: buildLines,
  },
  {
    path: 'report/bom',
    title: 'templates.report-bom',
    object: 'templates.part',
    roles: ['part'],
    source: getSource('assembly'),
  },
  {
    path: 'report/build',
    title: 'templates.report-build',
    object: 'templates.build',
    roles: ['build'],
    source: getSource('build'),
  },
  {
    path: 'report/po',
    title: 'templates.report-po',
    object: 'templates.purchase-order',
    roles: ['purchase_order', 'admin'],
    source: getSource('purchaseOrder'),
  },
  {
    path: 'report/so',
    title: 'templates.report-so',
    object: 'templates.sales-order',
    roles: ['sales_order', 'admin'],
    source: getSource('salesOrder'),
  },
  {
    path: 'report/ro',
    title: 'templates.report-ro',
    object: 'templates.return-order',
    roles: ['return_order'],
    source: returnOrders,
  },
  {
    path: 'report/slr',
    title: 'templates.report-slr',
    object: 'templates.location',
    roles: ['stock_location'],
    source: getSource('location'),
  },
  {
    path: 'report/test',
    title: 'templates.report-test',
    object: 'templates.stock-item',
    roles: ['stock'],
    source: getSource('stockItem'),
  },
]

export const isLabel = ({ path }: Pick<TemplateKind, 'path'>): boolean => path.startsWith('label/')

/** The kind as in URLs of the console: `label-part`. */
export const toSlug = ({ path }: Pick<TemplateKind, 'path'>): string => path.replace('/', '-')

export const findTemplateKind = (slug: string | undefined): TemplateKind | undefined =>
  templateKinds.find((kind) => toSlug(kind) === slug)

export const hasTemplatePermission = (right: Right, { roles }: Pick<TemplateKind, 'roles'>): boolean =>
  hasPermission(right, ...roles)

/** The field metadata of a kind: the fields of all labels are the same, and those of all reports but test reports. */
export const getMetadata = (kind: TemplateKind): ResourceMetadata => ({
  ...(isLabel(kind) ? labelMetadata : reportMetadata),
  path: `/api/${kind.path}/`,
})

/** A label or report template. */
export type Template = {
  pk: number
  etag?: string
  name: string
  description: string | null
  /** The URL of its file: of a label, of a report. */
  label?: string
  template?: string
  filters: string
  width?: number
  height?: number
  page_size?: string
  landscape?: boolean
  include_installed?: boolean
  filename_pattern: string
  enabled: boolean
  problems: string[]
  origin: 'shipped' | 'changed' | 'own'
}

/** The field with the file of a template. */
export const getFileField = (kind: TemplateKind): 'label' | 'template' => (isLabel(kind) ? 'label' : 'template')

/** The page of a template. */
export const getTemplatePage = (kind: TemplateKind, pk: number): string => `/settings/templates/${toSlug(kind)}/${pk}/`

/** The URL of the text of a template or a snippet. */
export const getTextUrl = (kind: string, pk: number): string => `/api/web/template/source/?kind=${kind}&template=${pk}`

/** The size of a template's pages. */
export const formatSize = ({ width, height, page_size, landscape }: Template): string =>
  page_size === undefined
    ? t('templates.millimeters', { width: width ?? 0, height: height ?? 0 })
    : landscape
      ? t('templates.landscape', { size: page_size })
      : page_size

/** A text as a file in a body. */
export function toFileValue(text: string, name: string): string {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return `data:text/html;name=${encodeURIComponent(name)};base64,${btoa(binary)}`
}

/** A file name for the text of a template. */
export const toFileName = (name: string): string =>
  `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 80) || 'template'}.html`
