import { formatNumber, t } from '../../../kit/language/language.ts'
import { type Page as ListPage, withQuery } from '../../../kit/service/api.ts'

/** A category, with the fields that links to it show. */
export type CategoryRow = { pk: number; name: string; part_count: number }

/** Maximum number of child categories shown. */
export const MAX_CATEGORIES = 500

/** The URL of the child categories of a category, or of the top-level ones without it. */
export const getCategoriesUrl = (parent: string | undefined): string =>
  withQuery('/api/part/category/', { parent: parent ?? 'null', cascade: false, ordering: 'name', limit: MAX_CATEGORIES })

/** Categories side by side, with their numbers of parts; nothing if there are none. */
export const CategoryLinks = ({ categories: { count, results } }: { categories: ListPage<CategoryRow> }) =>
  results.length > 0 ? (
    <nav class="locations" aria-label={t('parts.categories')}>
      {results.map(({ pk, name, part_count }) => (
        <a key={pk} href={`/part/category/${pk}/`}>
          {name}
          <small>{formatNumber(part_count)}</small>
        </a>
      ))}
      {count > results.length && <span class="quiet-text">{t('parts.and-more', { count: count - results.length })}</span>}
    </nav>
  ) : null
