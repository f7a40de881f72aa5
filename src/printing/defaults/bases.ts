import { readFileSync } from 'node:fs'

/** Templates that others extend, by the names under which they do, which are those of the files in `bases/`. */
const NAMES = [
  'label/label_base.html',
  'label/buildline/buildline_label_base.html',
  'report/inventree_report_base.html',
  'report/inventree_order_report_base.html',
  'report/inventree_build_order_base.html',
  'report/inventree_test_report_base.html',
]

export const baseTemplates: ReadonlyMap<string, string> = new Map(
  NAMES.map((name) => [name, readFileSync(new URL(`bases/${name}`, import.meta.url), 'utf8')]),
)
