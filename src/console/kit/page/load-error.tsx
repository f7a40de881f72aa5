import { t } from '../language/language.ts'
import type { Refusal } from '../service/api.ts'
import { Empty, Page, WayHome } from './page.tsx'

/** A page that could not be loaded, with the reason. */
export function LoadError({ refusal, crumbs }: { refusal: Refusal; crumbs?: readonly { text: string; to: string }[] }) {
  const title =
    refusal.status === 404
      ? t('not-found')
      : refusal.status === 403
        ? t('not-allowed')
        : refusal.status === 0
          ? t('away')
          : t('failed')
  // the service's message for these two would repeat the title
  const more = refusal.status === 404 ? t('not-found-more') : refusal.status === 403 ? t('not-allowed-more') : refusal.message
  return (
    <Page title={title} crumbs={crumbs}>
      <Empty icon="warning" title={more}>
        {(refusal.status === 404 || refusal.status === 403) && <WayHome />}
        {refusal.status === 0 && (
          <button type="button" onClick={() => window.location.reload()}>
            {t('again')}
          </button>
        )}
      </Empty>
    </Page>
  )
}
