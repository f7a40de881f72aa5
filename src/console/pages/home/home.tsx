import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { count, date, errorText, notificationText, number, quantity, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { useRead } from '../../kit/page/data.ts'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { attempt, showToast } from '../../kit/page/toast.tsx'
import { change, post } from '../../kit/service/api.ts'
import { account, may, unread } from '../../kit/service/session.ts'
import { dueOf } from './due.tsx'
import { GettingStarted } from './getting-started.tsx'
import { Rest, Row, Section } from './row.tsx'
import { waitingOf } from './waiting.tsx'
import { addresses, canViewEverything, dayIn, type HomeNotification, type Low, type Proposal, type Work } from './work-lists.ts'

/** `/`: pending work. */
export function Home() {
  const urls = useMemo(addresses, [])
  const { data, error, reload } = useRead<Record<string, unknown>>(urls)
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && reload()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  useCommands(() => [
    { keys: 'ArrowDown', label: () => t('home.next'), run: () => moveFocus(page.current, 1), isLocal: true },
    { keys: 'ArrowUp', label: () => t('home.previous'), run: () => moveFocus(page.current, -1), isLocal: true },
    { keys: 'Home', label: () => t('key.first'), run: () => moveFocus(page.current, Number.NEGATIVE_INFINITY), isLocal: true },
    { keys: 'End', label: () => t('key.last'), run: () => moveFocus(page.current, Number.POSITIVE_INFINITY), isLocal: true },
  ])
  if (error) return <LoadError error={error} />
  if (!data) return null
  const work = Object.fromEntries(Object.entries(data).map(([name, { body }]) => [name, body])) as Work
  const isEmpty = [work.parts, work.places, work.companies].every((list) => !list || list.count === 0)
  // demo data is hidden until it is fully loaded
  if (work.demo?.status === 'running' || (isEmpty && (work.parts || work.places)))
    return (
      <Page title={t('home.welcome')}>
        <GettingStarted demo={work.demo} onFilled={reload} />
      </Page>
    )
  const due = dueOf(work)
  const waiting = waitingOf(work)
  const low = work.low ?? { orders: [], without_supplier: [] }
  const expiring = work.expiring?.results ?? []
  const isDone =
    due.length + waiting.length + low.orders.length + low.without_supplier.length + expiring.length + work.news.count === 0
  const name = account.value?.first_name || account.value?.username || ''
  return (
    <Page title={t('home.title', { name })}>
      {work.demo?.status === 'failed' && <p class="problem">{work.demo.field_errors.map(errorText).join(' ')}</p>}
      {isDone &&
        (canViewEverything() ? (
          <Empty icon="check" title={t('home.done')}>
            <p>{t('home.done-more')}</p>
          </Empty>
        ) : (
          <Empty icon="view" title={t('home.nothing-seen')}>
            <p>{t('home.nothing-seen-more')}</p>
          </Empty>
        ))}
      <div class="home" ref={page}>
        <div>
          <Section title={t('home.due')} count={due.length}>
            {due}
            <Rest
              of={work.purchase}
              stem="home.rest-purchase"
              to="/order/purchase-order/?outstanding=true&ordering=target_date"
            />
            <Rest of={work.sales} stem="home.rest-sales" to="/order/sales-order/?outstanding=true&ordering=target_date" />
            <Rest of={work.returns} stem="home.rest-returns" to="/order/return-order/?outstanding=true&ordering=target_date" />
            <Rest of={work.builds} stem="home.rest-builds" to="/build/?active=true&ordering=target_date" />
          </Section>
          <Section title={t('home.waiting')} count={waiting.length}>
            {waiting}
            <Rest of={work.salesLines} stem="home.rest-sales-lines" to="/order/sales-order/?outstanding=true" />
            <Rest of={work.buildLines} stem="home.rest-build-lines" to="/build/?active=true" />
          </Section>
          <Section title={t('home.news')} count={work.news.count} all="/notifications/">
            {work.news.results.map((notification) => (
              <NotificationRow key={notification.pk} notification={notification} onRead={reload} />
            ))}
            <Rest of={work.news} stem="home.rest-news" to="/notifications/" />
          </Section>
        </div>
        <div>
          <Section title={t('home.low')} count={low.orders.length + low.without_supplier.length} all="/part/?low_stock=true">
            {low.orders.map((proposal) => (
              <LowRow key={proposal.supplier} proposal={proposal} onResolved={reload} />
            ))}
            {low.without_supplier.map(({ part, name, reason, ...amounts }) => (
              <Row
                key={part}
                icon="warning"
                title={<a href={`/part/${part}/`}>{name}</a>}
                more={`${ofMinimum(amounts)} · ${t(`home.low-${reason}`)}`}
                action={
                  reason === 'no_supplier' && may('add', 'part', 'purchase_order')
                    ? { label: t('home.name-supplier'), to: `/part/${part}/?do=supplier` }
                    : { label: t('home.part'), to: `/part/${part}/` }
                }
              />
            ))}
          </Section>
          <Section title={t('home.expires')} count={expiring.length} all="/stock/?stale=true">
            {expiring.map(({ pk, part_detail, quantity: amount, serial, batch, expiry_date, location_detail }) => (
              <Row
                key={pk}
                icon="clock"
                title={
                  <>
                    <a href={`/stock/item/${pk}/`}>{part_detail?.name}</a>{' '}
                    {serial ? `#${serial}` : quantity(amount, part_detail?.units)}
                  </>
                }
                more={[batch, location_detail?.pathstring].filter(Boolean).join(' · ')}
                due={date(expiry_date)}
                isOverdue={expiry_date < dayIn(0)}
                action={
                  may('add', 'stock')
                    ? { label: t('home.decide'), to: `/stock/item/${pk}/?do=status` }
                    : { label: t('home.open'), to: `/stock/item/${pk}/` }
                }
              />
            ))}
            <Rest of={work.expiring} stem="home.rest-expiring" to="/stock/?stale=true&ordering=expiry_date" />
          </Section>
        </div>
      </div>
    </Page>
  )
}

/** Moves to the action of the next or previous row. */
function moveFocus(page: HTMLElement | null, by: number): void {
  const all = [...(page?.querySelectorAll<HTMLElement>('[data-work]') ?? [])]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = all[Math.min(Math.max(0, at + by), all.length - 1)]
  next?.focus()
  next?.closest('li')?.scrollIntoView({ block: 'nearest' })
}

/** Stock compared with the minimum. */
const ofMinimum = ({ in_stock, minimum_stock, units }: Pick<Low, 'in_stock' | 'minimum_stock' | 'units'>): string =>
  t('home.of-minimum', { stock: number(in_stock), minimum: quantity(minimum_stock, units) })

/** Low stock of one supplier's parts: a key creates the order for it, unless another user has ordered it in the meantime. */
function LowRow({ proposal, onResolved }: { proposal: Proposal; onResolved: () => void }) {
  const isBusy = useSignal(false)
  const { supplier_name, lines } = proposal
  async function order() {
    if (isBusy.value) return
    isBusy.value = true
    await attempt(async () => {
      const { body } = await post<{ orders: { pk: number }[] }>('/api/order/po/low-stock/', {
        parts: lines.map(({ part }) => part),
        description: t('home.low'),
      })
      const [createdOrder] = body.orders
      if (createdOrder) return navigate(`/order/purchase-order/${createdOrder.pk}/`)
      showToast(t('home.was-ordered', { supplier: supplier_name }))
      onResolved()
    })
    isBusy.value = false
  }
  return (
    <>
      <Row
        icon="cart"
        title={<strong>{supplier_name}</strong>}
        more={count('home.low-parts', lines.length)}
        action={may('add', 'purchase_order') ? { label: t('home.order'), run: order, isBusy: isBusy.value } : undefined}
      />
      {lines.map(({ part, name, units, coming, quantity: packs, pack_quantity, ...amounts }) => (
        <li key={part} class="work inner">
          <span class="work-text">
            <a href={`/part/${part}/`}>{name}</a>
            <small>
              {[ofMinimum({ units, ...amounts }), coming > 0 && t('home.coming', { count: quantity(coming, units) })]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </span>
          <span class="work-when">
            {pack_quantity === 1 ? quantity(packs, units) : `${number(packs)} × ${quantity(pack_quantity, units)}`}
          </span>
        </li>
      ))}
    </>
  )
}

/** A notification of the account. */
function NotificationRow({ notification, onRead }: { notification: HomeNotification; onRead: () => void }) {
  const isBusy = useSignal(false)
  async function read() {
    if (isBusy.value) return
    isBusy.value = true
    if (await attempt(() => change(`/api/notifications/${notification.pk}/`, { read: true }, undefined)))
      unread.value = Math.max(0, unread.value - 1)
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
      due={date(notification.creation.slice(0, 10))}
      action={{ label: t('home.read'), run: read, isBusy: isBusy.value }}
    />
  )
}
