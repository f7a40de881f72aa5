import { Combobox } from '../../kit/form/combobox.tsx'
import { getSource } from '../../kit/form/reference.ts'
import { t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { Empty, Page } from '../../kit/page/page.tsx'
import { hasPermission } from '../../kit/service/session.ts'

/** `/stock/count/`: selects the location to count. */
export const SelectLocationPage = () => (hasPermission('add', 'stock') ? <LocationChooser /> : <CountForbidden />)

const LocationChooser = () => (
  <Page title={t('count.title')}>
    <div class="selection-dialog panel">
      <label for="place">{t('count.which-location')}</label>
      <Combobox
        source={getSource('location')}
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

/** The page for accounts without the permission to post counts. */
export const CountForbidden = () => (
  <Page title={t('count.title')}>
    <Empty icon="warning" title={t('not-allowed')} />
  </Page>
)
