import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEMPLATES } from '../../paths.ts'
import type { Language } from '../template/language.ts'

/** Reads base templates by name, which is their path below the folder. */
const readTemplates = (folder: string, names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, readFileSync(join(TEMPLATES, folder, name), 'utf8')]))

/**
 * Base templates by the language of the templates that extend them, and the parts that they include. The templates of this service extend
 * those from `document_base.html` on; those before are for templates of users, and stay as they are. Those of InvenTree have special
 * blocks: for whole rules, and for declarations.
 */
export const baseTemplates: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  liquid: readTemplates('bases', [
    'label/label_base.html',
    'label/buildline/buildline_label_base.html',
    'report/inventree_report_base.html',
    'report/inventree_order_report_base.html',
    'report/inventree_build_order_base.html',
    'report/inventree_test_report_base.html',
    'report/document_base.html',
    'report/internal_document_base.html',
    'report/document/recipient.html',
    'report/document/address.html',
    'report/document/order_facts.html',
    'report/document/part_cell.html',
    'report/document/line_price.html',
    'report/document/charge_row.html',
    'report/document/sums.html',
  ]),
  django: readTemplates('moved', [
    'label/label_base.html',
    'label/buildline/buildline_label_base.html',
    'report/inventree_report_base.html',
    'report/inventree_order_report_base.html',
    'report/inventree_priced_order_base.html',
    'report/inventree_po_report_base.html',
    'report/inventree_so_report_base.html',
    'report/inventree_return_order_report_base.html',
    'report/inventree_build_order_base.html',
    'report/inventree_test_report_base.html',
  ]),
}
