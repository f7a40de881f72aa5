import { formatDateTime, formatWithUnit, t } from '../../kit/language/language.ts'
import type { TimelineEntry } from '../../kit/page/timeline.tsx'
import { type Page, withQuery } from '../../kit/service/api.ts'
import { formatAccountName, hasPermission } from '../../kit/service/session.ts'

/** Stock that a count released, as returned by `/api/stock/released/`. */
export type ReleasedStock = {
  pk: number
  quantity: number
  created: string
  restored: string | null
  part_detail: { full_name: string; units: string | null }
  user_detail: { username: string; first_name: string; last_name: string } | null
}

/** Maximum number of entries shown on an order. */
const MAX_ENTRIES = 100

/** The request for stock that counts released from an order; none for accounts that may not view stock. */
export const getReleasedUrl = (order: { sales_order?: number | string; build?: number | string }) =>
  hasPermission('view', 'stock')
    ? { released: withQuery('/api/stock/released/', { ...order, part_detail: true, user_detail: true, limit: MAX_ENTRIES }) }
    : {}

/** The same as entries of the history of the order. */
export const createReleasedEntries = (page: Page<ReleasedStock> | undefined): TimelineEntry[] =>
  (page?.results ?? []).map(({ pk, created, quantity: amount, restored, part_detail, user_detail }) => ({
    key: `released-${pk}`,
    time: created,
    text: t('stock.was-released', { quantity: formatWithUnit(amount, part_detail.units), part: part_detail.full_name }),
    detail: [
      user_detail && formatAccountName(user_detail),
      restored && t('stock.allocated-again', { when: formatDateTime(restored) }),
    ]
      .filter(Boolean)
      .join(' · '),
  }))
