import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEMPLATES } from '../../paths.ts'
import { isLabel, type TemplateKind } from '../kinds.ts'

/** A default template. */
export type BuiltInTemplate = {
  kind: TemplateKind
  /** Its path in InvenTree, below the media folder: a row with this path is this template. */
  path: string
  name: string
  description: string
  /** The pattern of the names of its files: reports of orders are named by the reference. */
  filename: string
  /** The size of labels, in millimeters. */
  size?: { width: number; height: number }
  /** The source of the template. */
  text: string
}

/** @param file below `label/` or `report/` in this folder */
function loadTemplate(
  kind: TemplateKind,
  file: string,
  name: string,
  description: string,
  size?: BuiltInTemplate['size'],
): BuiltInTemplate {
  const [area] = kind.split('/') as ['label' | 'report']
  const text = readFileSync(join(TEMPLATES, area, file), 'utf8')
  const filename = isLabel(kind) ? 'label.pdf' : (FILENAMES[kind] ?? 'report.pdf')
  return { kind, path: `${area}/inventree/${file}`, name, description, filename, size, text }
}

/** The names of the files of reports, by their kind. */
const FILENAMES: Partial<Record<TemplateKind, string>> = {
  'report/bom': 'BOM-{{ part.name }}.pdf',
  'report/build': '{{ reference }}.pdf',
  'report/po': '{{ reference }}.pdf',
  'report/so': '{{ reference }}.pdf',
  'report/ro': '{{ reference }}.pdf',
  'report/slr': '{{ stock_location.name }}.pdf',
  'report/shipment': '{{ order.reference }}-{{ reference }}.pdf',
  'report/transfer-order': '{{ reference }}.pdf',
}

/** The default templates of every kind. */
export const builtInTemplates: readonly BuiltInTemplate[] = [
  loadTemplate('label/part', 'part/part_label.html', 'Part Label', 'QR code, name, number and description', {
    width: 70,
    height: 24,
  }),
  loadTemplate('label/part', 'part/part_label_code128.html', 'Barcode Part Label', 'Name and Code 128 barcode', {
    width: 70,
    height: 24,
  }),
  loadTemplate('label/stock', 'stockitem/qr.html', 'QR Code', 'QR code alone', { width: 24, height: 24 }),
  loadTemplate('label/location', 'stocklocation/qr.html', 'QR Code', 'QR code alone', { width: 24, height: 24 }),
  loadTemplate('label/location', 'stocklocation/qr_and_text.html', 'QR and text', 'QR code and name', { width: 50, height: 24 }),
  loadTemplate('label/buildline', 'buildline/buildline_label.html', 'Build Line Label', 'What a build order needs of a part', {
    width: 125,
    height: 48,
  }),
  loadTemplate('report/test', 'test/inventree_test_report.html', 'InvenTree Test Report', 'Test report'),
  loadTemplate('report/build', 'build/inventree_build_order.html', 'InvenTree Build Order', 'Build order report'),
  loadTemplate('report/bom', 'bom/inventree_bill_of_materials_report.html', 'Bill of Materials', 'Bill of materials report'),
  loadTemplate('report/po', 'purchaseorder/inventree_po_report.html', 'InvenTree Purchase Order', 'Purchase order report'),
  loadTemplate('report/so', 'salesorder/inventree_so_report.html', 'InvenTree Sales Order', 'Sales order report'),
  loadTemplate('report/ro', 'returnorder/inventree_return_order_report.html', 'InvenTree Return Order', 'Return order report'),
  loadTemplate('report/slr', 'slr/inventree_slr_report.html', 'InvenTree Stock Location', 'What is in a stock location'),
  loadTemplate(
    'report/shipment',
    'shipment/sales_order_shipment_report.html',
    'InvenTree Sales Order Shipment',
    'Delivery note of a shipment',
  ),
  loadTemplate(
    'report/transfer-order',
    'transferorder/transfer_order_report.html',
    'InvenTree Transfer Order',
    'Pick list of a transfer order',
  ),
]

const texts = new Map(builtInTemplates.map(({ path, text }) => [path, text]))

/** The source of a default template, by its path below the media folder. */
export const getBuiltInSource = (path: string): string | undefined => texts.get(path)
