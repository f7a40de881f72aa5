import { t } from '../../kit/language/language.ts'
import { Empty, Page } from '../../kit/page/page.tsx'

/** What those see who may not book a count. */
export const MayNotCount = () => (
  <Page title={t('count.title')}>
    <Empty icon="warning" title={t('not-allowed')} />
  </Page>
)
