import { t } from '../../kit/language/language.ts'
import { Icon, type IconName } from '../../kit/page/icon.tsx'
import { Panel } from '../../kit/page/page.tsx'
import { may } from '../../kit/service/session.ts'
import { Demo } from './demo.tsx'
import type { DemoState } from './work-lists.ts'

/** First steps for an empty database. Demo data is offered only to superusers. */
export function GettingStarted({ demo, onFilled }: { demo: DemoState | undefined; onFilled: () => void }) {
  const steps: { icon: IconName; title: string; more: string; to: string; isFor: boolean }[] = [
    {
      icon: 'home',
      title: t('home.first-place'),
      more: t('home.first-place-more'),
      to: '/stock/location/',
      isFor: may('add', 'stock_location'),
    },
    { icon: 'box', title: t('home.first-part'), more: t('home.first-part-more'), to: '/part/', isFor: may('add', 'part') },
    {
      icon: 'building',
      title: t('home.first-company'),
      more: t('home.first-company-more'),
      to: '/company/',
      isFor: may('add', 'purchase_order'),
    },
    {
      icon: 'cart',
      title: t('home.first-order'),
      more: t('home.first-order-more'),
      to: '/order/purchase-order/',
      isFor: may('add', 'purchase_order'),
    },
  ]
  const visibleSteps = steps.filter(({ isFor }) => isFor)
  return (
    <div class="beginning">
      {demo && <Demo start={demo} onFilled={onFilled} />}
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
