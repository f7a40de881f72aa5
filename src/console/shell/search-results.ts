import { getWebPage } from '../../web-pages.ts'
import { formatStockItem, formatStockItemDetail } from '../kit/form/reference.ts'
import type { PlainKey } from '../kit/language/language.ts'
import { matchPath } from '../kit/navigation/router.ts'
import { pageGroups } from '../pages.ts'

/** An object in global search results: its fields depend on its kind. */
export type SearchHit = { pk: number } & Record<string, unknown>

type SearchKind = {
  title: PlainKey
  /** The parameters of its list. */
  parameters: Record<string, unknown>
  /** Its name, details that distinguish it, and the URL of its page. */
  describe: (object: SearchHit) => { text: string; more?: string; to: string }
}

const toText = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const readText = (value: unknown, name: string): string => toText((value as Record<string, unknown> | null | undefined)?.[name])

/** The kinds of objects that the palette finds, by their names in `POST /api/search/`. */
const SEARCH_KINDS = {
  part: {
    title: 'found.part',
    parameters: {},
    describe: ({ pk, name, IPN, description }) => ({
      text: [toText(IPN), toText(name)].filter(Boolean).join(' · '),
      more: toText(description),
      to: getWebPage('/api/part/', pk),
    }),
  },
  stockitem: {
    title: 'found.stock-item',
    parameters: { part_detail: true, location_detail: true },
    describe: (item) => ({
      text: formatStockItem(item),
      more: formatStockItemDetail(item),
      to: getWebPage('/api/stock/', item.pk),
    }),
  },
  stocklocation: {
    title: 'found.location',
    parameters: {},
    describe: ({ pk, pathstring, name, description }) => ({
      text: toText(pathstring) || toText(name),
      more: toText(description),
      to: getWebPage('/api/stock/location/', pk),
    }),
  },
  purchaseorder: {
    title: 'found.purchase-order',
    parameters: { supplier_detail: true },
    describe: ({ pk, reference, description, supplier_detail }) => ({
      text: toText(reference),
      more: [readText(supplier_detail, 'name'), toText(description)].filter(Boolean).join(' · '),
      to: getWebPage('/api/order/po/', pk),
    }),
  },
  salesorder: {
    title: 'found.sales-order',
    parameters: { customer_detail: true },
    describe: ({ pk, reference, description, customer_detail }) => ({
      text: toText(reference),
      more: [readText(customer_detail, 'name'), toText(description)].filter(Boolean).join(' · '),
      to: getWebPage('/api/order/so/', pk),
    }),
  },
  returnorder: {
    title: 'found.return-order',
    parameters: { customer_detail: true },
    describe: ({ pk, reference, description, customer_detail }) => ({
      text: toText(reference),
      more: [readText(customer_detail, 'name'), toText(description)].filter(Boolean).join(' · '),
      to: getWebPage('/api/order/ro/', pk),
    }),
  },
  company: {
    title: 'found.company',
    parameters: {},
    describe: ({ pk, name, description }) => ({
      text: toText(name),
      more: toText(description),
      to: getWebPage('/api/company/', pk),
    }),
  },
} satisfies Record<string, SearchKind>

export const KINDS: Record<keyof typeof SEARCH_KINDS, SearchKind> = SEARCH_KINDS

const hasPage = (kind: SearchKind): boolean => {
  const { to } = kind.describe({ pk: 1 })
  return pageGroups.some(({ pages }) => Object.keys(pages).some((pattern) => matchPath(pattern, to)))
}

/** The kinds that have a page. */
export const SEARCHED_KINDS = (Object.keys(SEARCH_KINDS) as (keyof typeof SEARCH_KINDS)[]).filter((name) => hasPage(KINDS[name]))
