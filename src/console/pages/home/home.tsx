import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { count, errorText, formatDate, formatNumber, formatWithUnit, notificationText, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { useRead } from '../../kit/page/data.ts'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { attempt, showToast } from '../../kit/page/toast.tsx'
import { change, post } from '../../kit/service/api.ts'
import { instance } from '../../kit/service/instance.ts'
import { account, hasPermission, unreadCount } from '../../kit/service/session.ts'
import { getDateInDays } from '../../kit/values/days.ts'
import { isStaff } from '../settings/settings-pages.ts'
import { Demo } from './demo.tsx'
import { renderDueOrders } from './due.tsx'
import { HomeFigures } from './figures.tsx'
import { MoreRowsLink, Row, Section } from './row.tsx'
import { SetupChecklist } from './setup-checklist.tsx'
import { isSetupShown } from './setup-steps.ts'
import { renderWaitingLines } from './waiting.tsx'
import {
  canViewAnything,
  canViewEverything,
  getUrls,
  type HomeData,
  type HomeNotification,
  type LowStockPart,
  type OrderProposal,
} from './work-lists.ts'

/** `/`: pending work. */
export function HomePage() {
  const urls = useMemo(getUrls, [])
  const { data, error, reload } = useRead<Record<string, unknown>>(urls)
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const reloadIfVisible = () => document.visibilityState === 'visible' && reload()
    document.addEventListener('visibilitychange', reloadIfVisible)
    return () => document.removeEventListener('visibilitychange', reloadIfVisible)
  }, [])
  useCommands(() => [
    { keys: 'ArrowDown', label: () => t('home.next'), run: () => moveFocus(page.current, 1), isLocal: true },
    { keys: 'ArrowUp', label: () => t('home.previous'), run: () => moveFocus(page.current, -1), isLocal: true },
    { keys: 'Home', label: () => t('key.first'), run: () => moveFocus(page.current, Number.NEGATIVE_INFINITY), isLocal: true },
    { keys: 'End', label: () => t('key.last'), run: () => moveFocus(page.current, Number.POSITIVE_INFINITY), isLocal: true },
  ])
  if (error) return <LoadError error={error} />
  if (!data) return null
  const work = Object.fromEntries(Object.entries(data).map(([name, { body }]) => [name, body])) as HomeData
  const isEmpty = [work.parts, work.places, work.companies].every((list) => !list || list.count === 0)
  const isDemoLoading = work.demo?.status === 'running'
  const checklist = isSetupShown(work.setup) && !isDemoLoading && <SetupChecklist state={work.setup} onChanged={reload} />
  // demo data is hidden until it is fully loaded
  if (isDemoLoading || (isEmpty && (work.parts || work.places)))
    return (
      <Page title={t('home.welcome', { name: instance.value.name })}>
        <div class="starting">
          {checklist || (!isDemoLoading && <NothingYet isDismissed={work.setup.is_dismissed} />)}
          {work.demo && <Demo initialState={work.demo} onLoaded={reload} />}
        </div>
      </Page>
    )
  const due = renderDueOrders(work)
  const waiting = renderWaitingLines(work)
  const low = work.low ?? { orders: [], without_supplier: [] }
  const expiring = work.expiring?.results ?? []
  const isDone =
    due.length + waiting.length + low.orders.length + low.without_supplier.length + expiring.length + work.news.count === 0
  const name = account.value?.first_name || account.value?.username || ''
  return (
    <Page title={t('home.title', { name })}>
      {work.demo?.status === 'failed' && <p class="problem">{work.demo.field_errors.map(errorText).join(' ')}</p>}
      {checklist}
      {isDone &&
        (canViewEverything() ? (
          <Empty icon="check" title={t('home.done')}>
            <p>{t('home.done-more')}</p>
          </Empty>
        ) : (
          <Empty icon="view" title={t('home.nothing-visible')}>
            <p>{t(canViewAnything() ? 'home.nothing-visible-more' : 'home.no-permissions')}</p>
          </Empty>
        ))}
      <HomeFigures />
      <div class="home" ref={page}>
        <div>
          <Section title={t('home.due')} count={due.length}>
            {due}
            <MoreRowsLink
              page={work.purchase}
              textKey="home.rest-purchase"
              to="/order/purchase-order/?outstanding=true&ordering=target_date"
            />
            <MoreRowsLink
              page={work.sales}
              textKey="home.rest-sales"
              to="/order/sales-order/?outstanding=true&ordering=target_date"
            />
            <MoreRowsLink
              page={work.returns}
              textKey="home.rest-returns"
              to="/order/return-order/?outstanding=true&ordering=target_date"
            />
            <MoreRowsLink page={work.builds} textKey="home.rest-builds" to="/build/?active=true&ordering=target_date" />
          </Section>
          <Section title={t('home.waiting')} count={waiting.length}>
            {waiting}
            <MoreRowsLink page={work.salesLines} textKey="home.rest-sales-lines" to="/order/sales-order/?outstanding=true" />
            <MoreRowsLink page={work.buildLines} textKey="home.rest-build-lines" to="/build/?active=true" />
          </Section>
          <Section title={t('home.notifications')} count={work.news.count} allPath="/notifications/">
            {work.news.results.map((notification) => (
              <NotificationRow key={notification.pk} notification={notification} onRead={reload} />
            ))}
            <MoreRowsLink page={work.news} textKey="home.rest-notifications" to="/notifications/" />
          </Section>
        </div>
        <div>
          <Section title={t('home.low')} count={low.orders.length + low.without_supplier.length} allPath="/part/?low_stock=true">
            {low.orders.map((proposal) => (
              <LowStockRow key={proposal.supplier} proposal={proposal} onResolved={reload} />
            ))}
            {low.without_supplier.map(({ part, name, reason, ...amounts }) => (
              <Row
                key={part}
                icon="warning"
                title={<a href={`/part/${part}/`}>{name}</a>}
                detail={`${formatStock(amounts)} · ${t(`home.low-${reason}`)}`}
                action={
                  reason === 'no_supplier' && hasPermission('add', 'part', 'purchase_order')
                    ? { label: t('home.add-supplier'), to: `/part/${part}/?do=supplier` }
                    : { label: t('home.part'), to: `/part/${part}/` }
                }
              />
            ))}
          </Section>
          <Section title={t('home.expires')} count={expiring.length} allPath="/stock/?stale=true">
            {expiring.map(({ pk, part_detail, quantity: amount, serial, batch, expiry_date, location_detail }) => (
              <Row
                key={pk}
                icon="clock"
                title={
                  <>
                    <a href={`/stock/item/${pk}/`}>{part_detail?.name}</a>{' '}
                    {serial ? `#${serial}` : formatWithUnit(amount, part_detail?.units)}
                  </>
                }
                detail={[batch, location_detail?.pathstring].filter(Boolean).join(' · ')}
                due={formatDate(expiry_date)}
                isOverdue={expiry_date < getDateInDays(0)}
                action={
                  hasPermission('add', 'stock')
                    ? { label: t('home.decide'), to: `/stock/item/${pk}/?do=status` }
                    : { label: t('home.open'), to: `/stock/item/${pk}/` }
                }
              />
            ))}
            <MoreRowsLink page={work.expiring} textKey="home.rest-expiring" to="/stock/?stale=true&ordering=expiry_date" />
          </Section>
        </div>
      </div>
    </Page>
  )
}

/** Text for an empty database without a checklist: who can fill it, or for staff where the checklist is. */
const NothingYet = ({ isDismissed }: { isDismissed: boolean }) =>
  isDismissed && isStaff() ? (
    <p>
      <a href="/settings/">{t('setup.dismissed')}</a>
    </p>
  ) : (
    <p class="quiet-text">{t('home.nothing-yet')}</p>
  )

/** Moves to the action of the next or previous row. */
function moveFocus(page: HTMLElement | null, step: number): void {
  const all = [...(page?.querySelectorAll<HTMLElement>('[data-work]') ?? [])]
  const index = all.indexOf(document.activeElement as HTMLElement)
  const next = all[Math.min(Math.max(0, index + step), all.length - 1)]
  next?.focus()
  next?.closest('li')?.scrollIntoView({ block: 'nearest' })
}

/** Stock compared with the minimum. */
const formatStock = ({ in_stock, minimum_stock, units }: Pick<LowStockPart, 'in_stock' | 'minimum_stock' | 'units'>): string =>
  t('home.of-minimum', { stock: formatNumber(in_stock), minimum: formatWithUnit(minimum_stock, units) })

/** Low stock of one supplier's parts. Its action creates an order, unless another user has ordered the parts in the meantime. */
function LowStockRow({ proposal, onResolved }: { proposal: OrderProposal; onResolved: () => void }) {
  const isBusy = useSignal(false)
  const { supplier_name, lines } = proposal
  async function orderParts() {
    if (isBusy.value) return
    isBusy.value = true
    await attempt(async () => {
      const { body } = await post<{ orders: { pk: number }[] }>('/api/order/po/low-stock/', {
        parts: lines.map(({ part }) => part),
        description: t('home.low'),
      })
      const [createdOrder] = body.orders
      if (createdOrder) return navigate(`/order/purchase-order/${createdOrder.pk}/`)
      showToast(t('home.already-ordered', { supplier: supplier_name }))
      onResolved()
    })
    isBusy.value = false
  }
  return (
    <>
      <Row
        icon="cart"
        title={<strong>{supplier_name}</strong>}
        detail={count('home.low-parts', lines.length)}
        action={
          hasPermission('add', 'purchase_order') ? { label: t('home.order'), run: orderParts, isBusy: isBusy.value } : undefined
        }
      />
      {lines.map(({ part, name, units, coming, quantity: packs, pack_quantity, ...amounts }) => (
        <li key={part} class="work-item inner">
          <span class="work-text">
            <a href={`/part/${part}/`}>{name}</a>
            <small>
              {[formatStock({ units, ...amounts }), coming > 0 && t('home.on-order', { count: formatWithUnit(coming, units) })]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </span>
          <span class="work-date">
            {pack_quantity === 1
              ? formatWithUnit(packs, units)
              : `${formatNumber(packs)} × ${formatWithUnit(pack_quantity, units)}`}
          </span>
        </li>
      ))}
    </>
  )
}

/** A notification of the account. */
function NotificationRow({ notification, onRead }: { notification: HomeNotification; onRead: () => void }) {
  const isBusy = useSignal(false)
  async function markRead() {
    if (isBusy.value) return
    isBusy.value = true
    if (await attempt(() => change(`/api/notifications/${notification.pk}/`, { read: true }, undefined)))
      unreadCount.value = Math.max(0, unreadCount.value - 1)
    else isBusy.value = false
    onRead()
  }
  const link = notification.target?.link
  // the message contains everything that the name says
  const text = notificationText(notification.message || notification.name)
  return (
    <Row
      icon="bell"
      title={
        link?.startsWith('/') ? (
          <a class="sentence" href={link}>
            {text}
          </a>
        ) : (
          text
        )
      }
      due={formatDate(notification.creation.slice(0, 10))}
      action={{ label: t('home.mark-read'), run: markRead, isBusy: isBusy.value }}
    />
  )
}
