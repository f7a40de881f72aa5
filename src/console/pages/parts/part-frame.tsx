import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatNumber, type PlainKey, t } from '../../kit/language/language.ts'
import { showCurrentLink } from '../../kit/navigation/current-link.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { Page } from '../../kit/page/page.tsx'
import { type ApiResponse, type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { type Part, PartBadges } from './part-details.tsx'

/** The pages of a part, by the suffix of its URL. */
export type Tab = '' | 'bom/' | 'used-in/' | 'variants/' | 'prices/'

/** The data that every page of a part loads: the part, and the number of entries on the other pages. */
export type PartFrameData = {
  part: Part
  bom: ListPage<unknown>
  uses: ListPage<unknown>
  variants: ListPage<unknown>
}

/** The URLs of that data. */
export const getPartFrameUrls = (pk: string): { [Name in keyof PartFrameData]: string } => ({
  part: withQuery(`/api/part/${pk}/`, { category_detail: true, path_detail: true, flawed_stock: true, incoming: true }),
  bom: withQuery('/api/bom/', { part: pk, limit: 1 }),
  uses: withQuery('/api/bom/', { uses: pk, limit: 1 }),
  variants: withQuery('/api/part/', { ancestor: pk, limit: 1 }),
})

const TABS: readonly {
  tab: Tab
  title: PlainKey
  keys: string
  count?: 'bom' | 'uses' | 'variants'
  isFor: (part: Part) => boolean
}[] = [
  { tab: '', title: 'parts.overview', keys: '1', isFor: () => true },
  { tab: 'bom/', title: 'parts.bom', keys: '2', count: 'bom', isFor: ({ assembly }) => assembly },
  { tab: 'used-in/', title: 'parts.used-in', keys: '3', count: 'uses', isFor: ({ component }) => component },
  { tab: 'variants/', title: 'parts.variants', keys: '4', count: 'variants', isFor: ({ is_template }) => is_template },
  { tab: 'prices/', title: 'parts.prices', keys: '5', isFor: () => true },
]

type Properties = {
  data: { [Name in keyof PartFrameData]: ApiResponse<PartFrameData[Name]> }
  tab: Tab
  actions?: ComponentChildren
  children: ComponentChildren
  isFull?: boolean
}

/** A page of a part: its name, its category, and links to its other pages. */
export function PartFrame({ data, tab, actions, children, isFull }: Properties) {
  const part = data.part.body
  const visibleTabs = TABS.filter(
    (tabOption) => tabOption.isFor(part) || tabOption.tab === tab || (tabOption.count && data[tabOption.count].body.count > 0),
  )
  useCommands(
    () =>
      visibleTabs.map(({ tab: suffix, title, keys }) => ({
        keys,
        label: () => t(title),
        run: () => navigate(`/part/${part.pk}/${suffix}`),
      })),
    [part.pk, visibleTabs.length],
  )
  const tabs = useRef<HTMLElement>(null)
  useLayoutEffect(() => showCurrentLink(tabs.current), [tab])
  return (
    <Page title={part.full_name} crumbs={createCrumbs(part)} state={<PartBadges part={part} />} actions={actions} isFull={isFull}>
      {visibleTabs.length > 1 && (
        <nav class="tabs" ref={tabs} aria-label={t('parts.pages')}>
          {visibleTabs.map(({ tab: suffix, title, count }) => (
            <a key={suffix} href={`/part/${part.pk}/${suffix}`} aria-current={suffix === tab ? 'page' : undefined}>
              {t(title)}
              {count && <small>{formatNumber(data[count].body.count)}</small>}
            </a>
          ))}
        </nav>
      )}
      {children}
    </Page>
  )
}

/** The categories above a part, as breadcrumbs. */
export const createCrumbs = (part: Part | undefined) => [
  { text: t('parts.title'), to: '/part/' },
  ...(part?.category_path ?? []).map(({ pk, name }) => ({ text: name, to: `/part/category/${pk}/` })),
]
