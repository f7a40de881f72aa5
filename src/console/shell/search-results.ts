import { webPage } from '../../web-pages.ts'
import { stockMore, stockText } from '../kit/form/reference.ts'
import type { PlainKey } from '../kit/language/language.ts'
import { match } from '../kit/navigation/router.ts'
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

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const inside = (value: unknown, name: string): string => text((value as Record<string, unknown> | null | undefined)?.[name])

/** The kinds of objects that the palette finds, by their names in `POST /api/search/`. */
const ALL = {
  part: {
    title: 'found.part',
    parameters: {},
    describe: ({ pk, name, IPN, description }) => ({
      text: [text(IPN), text(name)].filter(Boolean).join(' · '),
      more: text(description),
      to: webPage('/api/part/', pk),
    }),
  },
  stockitem: {
    title: 'found.stock-item',
    parameters: { part_detail: true, location_detail: true },
    describe: (item) => ({ text: stockText(item), more: stockMore(item), to: webPage('/api/stock/', item.pk) }),
  },
  stocklocation: {
    title: 'found.location',
    parameters: {},
    describe: ({ pk, pathstring, name, description }) => ({
      text: text(pathstring) || text(name),
      more: text(description),
      to: webPage('/api/stock/location/', pk),
    }),
  },
  purchaseorder: {
    title: 'found.purchase-order',
    parameters: { supplier_detail: true },
    describe: ({ pk, reference, description, supplier_detail }) => ({
      text: text(reference),
      more: [inside(supplier_detail, 'name'), text(description)].filter(Boolean).join(' · '),
      to: webPage('/api/order/po/', pk),
    }),
  },
  salesorder: {
    title: 'found.sales-order',
    parameters: { customer_detail: true },
    describe: ({ pk, reference, description, customer_detail }) => ({
      text: text(reference),
      more: [inside(customer_detail, 'name'), text(description)].filter(Boolean).join(' · '),
      to: webPage('/api/order/so/', pk),
    }),
  },
  returnorder: {
    title: 'found.return-order',
    parameters: { customer_detail: true },
    describe: ({ pk, reference, description, customer_detail }) => ({
      text: text(reference),
      more: [inside(customer_detail, 'name'), text(description)].filter(Boolean).join(' · '),
      to: webPage('/api/order/ro/', pk),
    }),
  },
  company: {
    title: 'found.company',
    parameters: {},
    describe: ({ pk, name, description }) => ({ text: text(name), more: text(description), to: webPage('/api/company/', pk) }),
  },
} satisfies Record<string, SearchKind>

export const KINDS: Record<keyof typeof ALL, SearchKind> = ALL

const hasPage = (kind: SearchKind): boolean => {
  const { to } = kind.describe({ pk: 1 })
  return pageGroups.some(({ pages }) => Object.keys(pages).some((pattern) => match(pattern, to)))
}

/** The kinds that have a page. */
export const SEARCHED = (Object.keys(ALL) as (keyof typeof ALL)[]).filter((name) => hasPage(KINDS[name]))
