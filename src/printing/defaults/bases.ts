import { readFileSync } from 'node:fs'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** Templates that others extend, by the names under which they do. */
export const baseTemplates: Readonly<Record<string, string>> = {
  'label/label_base.html': read('label_base.html'),
  'report/inventree_report_base.html': read('report_base.html'),
}
