import type { PlainKey } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { type Page, withQuery } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { addDays, type Day } from '../../kit/values/days.ts'

/** Maximum number of entries of each kind. */
export const MAX_ENTRIES = 500

type Row = {
  pk: number
  etag: string
  reference: string
  target_date: Day
  overdue: boolean
  description?: string
  title?: string
  supplier_detail?: { name: string } | null
  customer_detail?: { name: string } | null
  part_detail?: { full_name: string } | null
}

/** A kind of order in the calendar. */
export type EntryKind = {
  role: string
  title: PlainKey
  api: string
  page: string
  icon: IconName
  /** Parameters of its list. */
  query: Record<string, string>
}

export const ENTRY_KINDS = [
  {
    role: 'purchase_order',
    title: 'purchase.title',
    api: '/api/order/po/',
    page: '/order/purchase-order/',
    icon: 'cart',
    query: { supplier_detail: 'true', outstanding: 'true' },
  },
  {
    role: 'sales_order',
    title: 'sales.title',
    api: '/api/order/so/',
    page: '/order/sales-order/',
    icon: 'truck',
    query: { customer_detail: 'true', outstanding: 'true' },
  },
  {
    role: 'return_order',
    title: 'returns.title',
    api: '/api/order/ro/',
    page: '/order/return-order/',
    icon: 'undo',
    query: { customer_detail: 'true', outstanding: 'true' },
  },
  {
    role: 'transfer_order',
    title: 'transfers.title',
    api: '/api/order/transfer-order/',
    page: '/order/transfer-order/',
    icon: 'move',
    query: { outstanding: 'true' },
  },
  {
    role: 'build',
    title: 'builds.title',
    api: '/api/build/',
    page: '/build/',
    icon: 'wrench',
    query: { part_detail: 'true', active: 'true' },
  },
] as const satisfies readonly EntryKind[]

/** An order on its target date. */
export type Entry = {
  /** Identifies it among all kinds. */
  id: string
  kind: EntryKind
  url: string
  page: string
  etag: string
  reference: string
  about: string
  day: Day
  isOverdue: boolean
  canMove: boolean
}

/** The kinds that the account can view. */
export const listKinds = (): readonly EntryKind[] => ENTRY_KINDS.filter(({ role }) => hasPermission('view', role))

/** The URLs of the open orders that are due in a period, by the role of their kind. */
export const getEntryUrls = (kinds: readonly EntryKind[], first: Day, last: Day): Record<string, string> =>
  Object.fromEntries(
    kinds.map(({ role, api, query }) => [
      role,
      withQuery(api, {
        ...query,
        target_date_after: addDays(first, -1),
        target_date_before: addDays(last, 1),
        ordering: 'target_date',
        etag: 'true',
        limit: MAX_ENTRIES,
      }),
    ]),
  )

/** The entries of a response to `getEntryUrls`, by day. */
export function groupEntries(
  kinds: readonly EntryKind[],
  lists: Record<string, { body: unknown } | undefined>,
): Map<Day, Entry[]> {
  const entries = kinds.flatMap((kind) =>
    ((lists[kind.role]?.body as Page<Row> | undefined)?.results ?? []).map((row): Entry => {
      const url = `${kind.api}${row.pk}/`
      return {
        id: `${kind.role}-${row.pk}`,
        kind,
        url,
        page: `${kind.page}${row.pk}/`,
        etag: row.etag,
        reference: row.reference,
        about: row.supplier_detail?.name ?? row.customer_detail?.name ?? row.part_detail?.full_name ?? row.description ?? '',
        day: row.target_date,
        isOverdue: row.overdue,
        canMove: hasPermission('change', kind.role),
      }
    }),
  )
  return Map.groupBy(entries, ({ day }) => day)
}
