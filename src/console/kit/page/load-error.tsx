import { t } from '../language/language.ts'
import type { ApiError } from '../service/api.ts'
import { Empty, HomeLink, Page } from './page.tsx'

/** A page that could not be loaded, with the reason. */
export function LoadError({ error, crumbs }: { error: ApiError; crumbs?: readonly { text: string; to: string }[] }) {
  // the dialog over the page leads there
  const mustEnrol = error.code === 'mfa_enrolment_required'
  const title =
    error.status === 404
      ? t('not-found')
      : mustEnrol
        ? t('enrol.title')
        : error.status === 403
          ? t('not-allowed')
          : error.status === 0
            ? t('no-connection')
            : t('failed')
  // the service's message for these two would repeat the title
  const detail =
    error.status === 404
      ? t('not-found-more')
      : mustEnrol
        ? t('enrol.text')
        : error.status === 403
          ? t('not-allowed-more')
          : error.message
  return (
    <Page title={title} crumbs={crumbs}>
      <Empty icon="warning" title={detail}>
        {(error.status === 404 || (error.status === 403 && !mustEnrol)) && <HomeLink />}
        {error.status === 0 && (
          <button type="button" onClick={() => window.location.reload()}>
            {t('try-again')}
          </button>
        )}
      </Empty>
    </Page>
  )
}
