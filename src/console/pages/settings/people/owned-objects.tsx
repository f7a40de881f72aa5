import { t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { Panel } from '../../../kit/page/page.tsx'
import type { Page } from '../../../kit/service/api.ts'

/** The maximum number of objects of a kind that are listed. */
const MAX_OBJECTS = 20

type Order = { pk: number; reference: string; title?: string; description?: string }
type Location = { pk: number; pathstring: string }
type Objects = {
  builds: Page<Order> | undefined
  purchaseOrders: Page<Order> | undefined
  salesOrders: Page<Order> | undefined
  returnOrders: Page<Order> | undefined
  transferOrders: Page<Order> | undefined
  locations: Page<Location> | undefined
}

type Properties = {
  /** Whether the owner is a user or a group. */
  by: 'user' | 'group'
  pk: number
  name: string
}

/** Open orders and locations that a user or a group is responsible for. */
export function OwnedObjects({ by, pk, name }: Properties) {
  const { data } = useRead<{ owner: Page<{ pk: number }> }>({ owner: `/api/user/owner/?${by}=${pk}&limit=1` })
  const owner = data?.owner.body.results[0]
  return owner ? <ObjectLists owner={owner.pk} name={name} /> : null
}

function ObjectLists({ owner, name }: { owner: number; name: string }) {
  const query = `assigned_to=${owner}&limit=${MAX_OBJECTS}`
  const { data } = useRead<Objects>(
    {
      builds: `/api/build/?${query}&active=true`,
      purchaseOrders: `/api/order/po/?${query}&outstanding=true`,
      salesOrders: `/api/order/so/?${query}&outstanding=true`,
      returnOrders: `/api/order/ro/?${query}&outstanding=true`,
      transferOrders: `/api/order/transfer-order/?${query}&outstanding=true`,
      locations: `/api/stock/location/?owner=${owner}&limit=${MAX_OBJECTS}`,
    },
    ['builds', 'purchaseOrders', 'salesOrders', 'returnOrders', 'transferOrders', 'locations'],
  )
  if (!data) return null
  const lists = [
    { title: t('builds.title'), page: '/build/', list: data.builds },
    { title: t('purchase.title'), page: '/order/purchase-order/', list: data.purchaseOrders },
    { title: t('sales.title'), page: '/order/sales-order/', list: data.salesOrders },
    { title: t('returns.title'), page: '/order/return-order/', list: data.returnOrders },
    { title: t('transfers.title'), page: '/order/transfer-order/', list: data.transferOrders },
    { title: t('locations.title'), page: '/stock/location/', list: data.locations },
  ].filter(({ list }) => list && list.body.count > 0)
  return (
    <Panel title={t('people.responsible')}>
      <p class="quiet-text">{t('people.responsible.about', { name })}</p>
      {lists.length === 0 && <p>{t('people.responsible.none')}</p>}
      {lists.map(({ title, page, list }) => (
        <section key={page} class="owned-objects">
          <h3>{title}</h3>
          <ul>
            {list?.body.results.map((row) => (
              <li key={row.pk}>
                <a href={`${page}${row.pk}/`}>{'reference' in row ? row.reference : row.pathstring}</a>
                {'reference' in row && <p class="quiet-text">{row.title || row.description}</p>}
              </li>
            ))}
          </ul>
          {list && list.body.count > MAX_OBJECTS && (
            <p class="quiet-text">{t('files.shown-of-total', { shown: MAX_OBJECTS, total: list.body.count })}</p>
          )}
        </section>
      ))}
    </Panel>
  )
}
