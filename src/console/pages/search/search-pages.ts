import { type PlainKey, t } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { hasPermission } from '../../kit/service/session.ts'
import { navigationEntries } from '../../navigation.ts'
import { listImportTypes } from '../import/import-types.ts'
import { listSettings } from '../settings/settings-pages.ts'
import type { Result } from './search-objects.ts'
import { type Match, matchWords } from './search-words.ts'

/** A page, or a list with a filter, that the search finds by its title and by other words. */
type SearchablePage = { title: string; detail?: string; synonyms: string; to: string; icon: IconName; keys?: string }

/** A page that matches. @see Match */
export type PageResult = Result & { keys?: string; match: Match }

/** Lists with a filter that people look for by a name of their own. */
const FILTERED_LISTS: readonly { title: PlainKey; synonyms: PlainKey; to: string; icon: IconName; roles: readonly string[] }[] = [
  {
    title: 'search.suppliers',
    synonyms: 'search.suppliers.words',
    to: '/company/?is_supplier=true',
    icon: 'building',
    roles: ['purchase_order'],
  },
  {
    title: 'search.customers',
    synonyms: 'search.customers.words',
    to: '/company/?is_customer=true',
    icon: 'building',
    roles: ['sales_order', 'return_order'],
  },
  {
    title: 'search.manufacturers',
    synonyms: 'search.manufacturers.words',
    to: '/company/?is_manufacturer=true',
    icon: 'building',
    roles: ['purchase_order'],
  },
  {
    title: 'search.low-stock',
    synonyms: 'search.low-stock.words',
    to: '/part/?low_stock=true',
    icon: 'warning',
    roles: ['part'],
  },
  { title: 'search.assemblies', synonyms: 'search.assemblies.words', to: '/part/?assembly=true', icon: 'chip', roles: ['part'] },
]

/** All pages that the account can use. */
function listPages(): SearchablePage[] {
  const features = navigationEntries
    .filter(({ isFor }) => isFor())
    .map(({ title, synonyms, to, icon, keys }): SearchablePage => ({ title: t(title), synonyms: t(synonyms), to, icon, keys }))
  const lists = FILTERED_LISTS.filter(({ roles }) => hasPermission('view', ...roles)).map(
    ({ title, synonyms, to, icon }): SearchablePage => ({ title: t(title), synonyms: t(synonyms), to, icon }),
  )
  const settings = listSettings().flatMap(({ title, icon, pages }) =>
    pages.map(
      (page): SearchablePage => ({
        title: t(page.title),
        detail: `${t('settings.title')} · ${t(title)}`,
        synonyms: [t('settings.title'), t(title), t(page.about), t(page.synonyms)].join(', '),
        to: page.to,
        icon,
      }),
    ),
  )
  const overview: SearchablePage = {
    title: t('settings.title'),
    synonyms: t('settings.words'),
    to: '/settings/',
    icon: 'settings',
    keys: 'g e',
  }
  const imports: SearchablePage[] =
    listImportTypes().length > 0
      ? [{ title: t('import.new'), synonyms: t('search.import.words'), to: '/import/', icon: 'receive' }]
      : []
  return [...features, ...lists, ...imports, overview, ...settings]
}

/** The pages that match the words of a search: those that match by their title first. */
export function findPages(words: readonly string[]): PageResult[] {
  const matches = listPages().flatMap(({ title, detail, synonyms, to, icon, keys }): PageResult[] => {
    // "go to parts" finds it by its title, too
    const goTo = words.length > 1 ? matchWords(words, t('go-to', { page: title })) : undefined
    const match = goTo ?? matchWords(words, title, synonyms)
    return match ? [{ id: `page-${to.replaceAll(/\W+/g, '-')}`, title, detail, to, icon, keys, match }] : []
  })
  return matches.toSorted((a, b) => Number(b.match === 'title') - Number(a.match === 'title'))
}
