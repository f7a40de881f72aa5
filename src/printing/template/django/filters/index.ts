import type { DjangoFilter } from '../expression.ts'
import { dateFilters } from './dates.ts'
import { htmlFilters } from './html.ts'
import { listFilters } from './lists.ts'
import { numberFilters } from './numbers.ts'
import { textFilters } from './texts.ts'

/** Every filter of a template in Django's syntax. */
export const filters: Readonly<Record<string, DjangoFilter>> = {
  ...dateFilters,
  ...htmlFilters,
  ...listFilters,
  ...numberFilters,
  ...textFilters,
}
