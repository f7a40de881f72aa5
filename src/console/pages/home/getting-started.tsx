import { t } from '../../kit/language/language.ts'
import { Icon, type IconName } from '../../kit/page/icon.tsx'
import { Panel } from '../../kit/page/page.tsx'
import { hasPermission } from '../../kit/service/session.ts'
import { Demo } from './demo.tsx'
import type { DemoState } from './work-lists.ts'

/** First steps for an empty database. Demo data is offered only to superusers. */
export function GettingStarted({ demo, onLoaded }: { demo: DemoState | undefined; onLoaded: () => void }) {
  const steps: { icon: IconName; title: string; more: string; to: string; isAllowed: boolean }[] = [
    {
      icon: 'home',
      title: t('home.first-location'),
      more: t('home.first-location-more'),
      to: '/stock/location/',
      isAllowed: hasPermission('add', 'stock_location'),
    },
    {
      icon: 'box',
      title: t('home.first-part'),
      more: t('home.first-part-more'),
      to: '/part/',
      isAllowed: hasPermission('add', 'part'),
    },
    {
      icon: 'building',
      title: t('home.first-company'),
      more: t('home.first-company-more'),
      to: '/company/',
      isAllowed: hasPermission('add', 'purchase_order'),
    },
    {
      icon: 'cart',
      title: t('home.first-order'),
      more: t('home.first-order-more'),
      to: '/order/purchase-order/',
      isAllowed: hasPermission('add', 'purchase_order'),
    },
  ]
  const visibleSteps = steps.filter(({ isAllowed }) => isAllowed)
  return (
    <div class="starting">
      {demo && <Demo initialState={demo} onLoaded={onLoaded} />}
      {visibleSteps.length === 0 ? (
        <p class="quiet-text">{t('home.nothing-yet')}</p>
      ) : (
        <Panel title={t('home.first')}>
          <ol class="steps">
            {visibleSteps.map(({ icon, title, more, to }) => (
              <li key={to}>
                <Icon name={icon} />
                <span>
                  <a href={to}>{title}</a>
                  <small>{more}</small>
                </span>
              </li>
            ))}
          </ol>
        </Panel>
      )}
    </div>
  )
}
