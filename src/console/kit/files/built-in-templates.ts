import { type PlainKey, t } from '../language/language.ts'

/** Names of the shipped templates, as existing clients know them. */
const NAMES: Readonly<Record<string, PlainKey>> = {
  'Part Label': 'template.part',
  'Barcode Part Label': 'template.part-barcode',
  'QR Code': 'template.qr',
  'QR and text': 'template.qr-text',
  'Build Line Label': 'template.build-line',
  'InvenTree Test Report': 'template.test',
  'InvenTree Build Order': 'template.build',
  'Bill of Materials': 'template.bom',
  'InvenTree Purchase Order': 'template.po',
  'InvenTree Sales Order': 'template.so',
  'InvenTree Return Order': 'template.ro',
  'InvenTree Stock Location': 'template.location',
  'InvenTree Sales Order Shipment': 'template.shipment',
  'InvenTree Transfer Order': 'template.transfer-order',
}

/** Their descriptions. */
const DESCRIPTIONS: Readonly<Record<string, PlainKey>> = {
  'QR code, name, number and description': 'template.part.about',
  'Name and Code 128 barcode': 'template.part-barcode.about',
  'QR code alone': 'template.qr.about',
  'QR code and name': 'template.qr-text.about',
  'What a build order needs of a part': 'template.build-line.about',
  'Test report': 'template.test.about',
  'Build order report': 'template.build.about',
  'Bill of materials report': 'template.bom.about',
  'Purchase order report': 'template.po.about',
  'Sales order report': 'template.so.about',
  'Return order report': 'template.ro.about',
  'What is in a stock location': 'template.location.about',
  'Delivery note of a shipment': 'template.shipment.about',
  'Pick list of a transfer order': 'template.transfer-order.about',
}

/** The name of a template: of a shipped one in the reader's language, otherwise as its author wrote it. */
export const translateTemplateName = (name: string): string => (NAMES[name] ? t(NAMES[name]) : name)

/** The description of a template, in the same way. */
export const translateTemplateDescription = (description: string): string =>
  DESCRIPTIONS[description] ? t(DESCRIPTIONS[description]) : description
