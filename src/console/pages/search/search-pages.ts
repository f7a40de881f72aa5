import { type PlainKey, t } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { hasPermission } from '../../kit/service/session.ts'
import { navigationEntries } from '../../navigation.ts'
import { listImportTypes } from '../import/import-types.ts'
import { listSettings } from '../settings/settings-pages.ts'
import type { Result } from './search-objects.ts'
import { type Match, matchWords } from './search-words.ts'

/** A page, or a list with a filter, that the search finds by its title and by other words. */
type SearchablePage = { title: string; more?: string; words: string; to: string; icon: IconName; keys?: string }

/** A page that matches. @see Match */
export type PageResult = Result & { keys?: string; match: Match }

/** Lists with a filter that people look for by a name of their own. */
const FILTERED_LISTS: readonly { title: PlainKey; words: PlainKey; to: string; icon: IconName; roles: readonly string[] }[] = [
  {
    title: 'search.suppliers',
    words: 'search.suppliers.words',
    to: '/company/?is_supplier=true',
    icon: 'building',
    roles: ['purchase_order'],
  },
  {
    title: 'search.customers',
    words: 'search.customers.words',
    to: '/company/?is_customer=true',
    icon: 'building',
    roles: ['sales_order', 'return_order'],
  },
  {
    title: 'search.manufacturers',
    words: 'search.manufacturers.words',
    to: '/company/?is_manufacturer=true',
    icon: 'building',
    roles: ['purchase_order'],
  },
  { title: 'search.low-stock', words: 'search.low-stock.words', to: '/part/?low_stock=true', icon: 'warning', roles: ['part'] },
  { title: 'search.assemblies', words: 'search.assemblies.words', to: '/part/?assembly=true', icon: 'chip', roles: ['part'] },
]

/** All pages that the account can use. */
function listPages(): SearchablePage[] {
  const features = navigationEntries
    .filter(({ isFor }) => isFor())
    .map(({ title, words, to, icon, keys }): SearchablePage => ({ title: t(title), words: t(words), to, icon, keys }))
  const lists = FILTERED_LISTS.filter(({ roles }) => hasPermission('view', ...roles)).map(
    ({ title, words, to, icon }): SearchablePage => ({ title: t(title), words: t(words), to, icon }),
  )
  const settings = listSettings().flatMap(({ title, icon, pages }) =>
    pages.map(
      (page): SearchablePage => ({
        title: t(page.title),
        more: `${t('settings.title')} · ${t(title)}`,
        words: [t('settings.title'), t(title), t(page.about), t(page.words)].join(', '),
        to: page.to,
        icon,
      }),
    ),
  )
  const overview: SearchablePage = {
    title: t('settings.title'),
    words: t('settings.words'),
    to: '/settings/',
    icon: 'settings',
    keys: 'g e',
  }
  const imports: SearchablePage[] =
    listImportTypes().length > 0
      ? [{ title: t('import.new'), words: t('search.import.words'), to: '/import/', icon: 'receive' }]
      : []
  return [...features, ...lists, ...imports, overview, ...settings]
}

/** The pages that match the words of a search: those that match by their title first. */
export function findPages(words: readonly string[]): PageResult[] {
  const matches = listPages().flatMap(({ title, more, words: otherWords, to, icon, keys }): PageResult[] => {
    // "go to parts" finds it by its title, too
    const goTo = words.length > 1 ? matchWords(words, t('go-to', { page: title })) : undefined
    const match = goTo ?? matchWords(words, title, otherWords)
    return match ? [{ id: `page-${to.replaceAll(/\W+/g, '-')}`, text: title, more, to, icon, keys, match }] : []
  })
  return matches.toSorted((a, b) => Number(b.match === 'title') - Number(a.match === 'title'))
}
