import { Chooser } from '../../kit/chooser.tsx'
import { t } from '../../kit/language.ts'
import { Empty, Page } from '../../kit/page.tsx'
import { sourceOfKind } from '../../kit/reference.ts'
import { navigate } from '../../kit/router.ts'
import { may } from '../../kit/session.ts'
import { MayNotCount } from './may-not-count.tsx'

/** `/stock/count/`: which place is counted. */
export const ChoosePlace = () => (may('add', 'stock') ? <Choosing /> : <MayNotCount />)

const Choosing = () => (
  <Page title={t('count.title')}>
    <div class="choose panel">
      <label for="place">{t('count.which-place')}</label>
      <Chooser
        from={sourceOfKind('location')}
        value={null}
        onPick={(row) => row && navigate(`/stock/count/${row.pk}/`)}
        attributes={{ id: 'place', autofocus: true }}
      />
      <Empty icon="count" title={t('count.how-title')}>
        <p>{t('count.how')}</p>
      </Empty>
    </div>
  </Page>
)
