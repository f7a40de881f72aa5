import { number, t } from '../../../kit/language/language.ts'
import { type Page as ListPage, withQuery } from '../../../kit/service/api.ts'

/** A category, as links to it show it. */
export type CategoryRow = { pk: number; name: string; part_count: number }

/** The most categories that are shown of those in another. */
export const MAX_CATEGORIES = 500

/** Where the categories in another are read; those that lie in none, without it. */
export const categoriesIn = (parent: string | undefined): string =>
  withQuery('/api/part/category/', { parent: parent ?? 'null', cascade: false, ordering: 'name', limit: MAX_CATEGORIES })

/** Categories side by side, with how many parts they have; nothing where there are none. */
export const CategoryLinks = ({ categories: { count, results } }: { categories: ListPage<CategoryRow> }) =>
  results.length > 0 ? (
    <nav class="places" aria-label={t('parts.categories')}>
      {results.map(({ pk, name, part_count }) => (
        <a key={pk} href={`/part/category/${pk}/`}>
          {name}
          <small>{number(part_count)}</small>
        </a>
      ))}
      {count > results.length && <span class="quiet-text">{t('parts.and-more', { count: count - results.length })}</span>}
    </nav>
  ) : null
