import { formatNumber, t } from '../../kit/language/language.ts'

/** Shows that a list is longer, and loads more of it; nothing if all of it is loaded. */
export const MoreRows = ({ visibleCount, total, onMore }: { visibleCount: number; total: number; onMore: () => void }) =>
  visibleCount >= total ? null : (
    <p class="more-rows">
      {t('parts.shown-of', { shown: formatNumber(visibleCount), total: formatNumber(total) })}{' '}
      <button type="button" class="link" onClick={onMore}>
        {t('parts.show-more')}
      </button>
    </p>
  )
