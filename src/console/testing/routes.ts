import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../paths.ts'

/**
 * The patterns of all pages, as in the router, so that a new page is tested and measured without being listed elsewhere. They are read from
 * the text of `pages.ts`, because only a browser can load it.
 */
export const readRoutes = (): readonly string[] =>
  [...readFileSync(join(ROOT, 'src/console/pages.ts'), 'utf8').matchAll(/'(\/[^']*)': async \(\)/g)].map(
    ([, pattern]) => pattern as string,
  )
