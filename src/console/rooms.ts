import type { ComponentType } from 'preact'
import type { IconName } from './kit/icon.tsx'
import type { PlainKey } from './kit/language.ts'
import type { PageProperties } from './kit/page.tsx'
import { may } from './kit/session.ts'

/** A room of the console: some pages that belong together, which are loaded when one of them is first opened. */
export type Room = {
  /** Its pages, by the pattern of their address: `/company/:pk/`. They are those that the API gives as `url` and `web_url`. */
  pages: Record<string, () => Promise<ComponentType<PageProperties>>>
  /** Where it is in the navigation. Rooms without it are reached from others. */
  entry?: { title: PlainKey; to: string; icon: IconName; keys: string; isFor: () => boolean }
}

/**
 * All rooms, in the order of the navigation. To add one: its folder in `rooms/`, its words in `languages/en` and `languages/de`, and its lines
 * here.
 */
export const rooms: readonly Room[] = [
  {
    pages: {
      '/company/': async () => (await import('./rooms/companies/companies.tsx')).Companies,
      '/company/:pk/': async () => (await import('./rooms/companies/company.tsx')).CompanyPage,
    },
    entry: {
      title: 'companies.title',
      to: '/company/',
      icon: 'building',
      keys: 'g c',
      isFor: () => may('view', 'purchase_order', 'sales_order', 'return_order'),
    },
  },
]
