import { number, t } from '../../kit/language/language.ts'

/** Says that a list goes on, and reads more of it; nothing where all of it is there. */
export const MoreRows = ({ shown, total, onMore }: { shown: number; total: number; onMore: () => void }) =>
  shown >= total ? null : (
    <p class="more-rows">
      {t('parts.shown-of', { shown: number(shown), total: number(total) })}{' '}
      <button type="button" class="link" onClick={onMore}>
        {t('parts.show-more')}
      </button>
    </p>
  )
