import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEMPLATES } from '../../paths.ts'
import type { Language } from '../template/language.ts'

/** Reads templates that others extend, by name, which is their path in a folder here. */
const read = (folder: string, names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, readFileSync(join(TEMPLATES, folder, name), 'utf8')]))

/** The templates that templates of either language extend. Those of the existing system have special blocks: whole rules, and declarations. */
export const baseTemplates: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  liquid: read('bases', [
    'label/label_base.html',
    'label/buildline/buildline_label_base.html',
    'report/inventree_report_base.html',
    'report/inventree_order_report_base.html',
    'report/inventree_build_order_base.html',
    'report/inventree_test_report_base.html',
  ]),
  django: read('moved', [
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
