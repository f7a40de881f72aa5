import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { change, post, Refusal } from '../../kit/api.ts'
import { useRead } from '../../kit/data.ts'
import { useCommands } from '../../kit/keys.ts'
import { count, date, number, quantity, saidText, t } from '../../kit/language.ts'
import { Empty, Page } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'
import { navigate } from '../../kit/router.ts'
import { account, may, unread } from '../../kit/session.ts'
import { warn } from '../../kit/toast.tsx'
import { PLACED } from '../purchase-orders/purchase-order-facts.tsx'
import { Beginning } from './beginning.tsx'
import { Row, Section } from './row.tsx'
import { addresses, dayIn, missingOf, missingOfBuild, type News, type Proposal, type Work } from './work.ts'

/** `/`: what there is to do. */
export function Home() {
  const urls = useMemo(addresses, [])
  const { data, refusal, again } = useRead<Record<string, unknown>>(urls)
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && again()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  useCommands(() => [
    { keys: 'ArrowDown', label: () => t('home.next'), run: () => go(page.current, 1), isLocal: true },
    { keys: 'ArrowUp', label: () => t('home.previous'), run: () => go(page.current, -1), isLocal: true },
    { keys: 'Home', label: () => t('key.first'), run: () => go(page.current, Number.NEGATIVE_INFINITY), isLocal: true },
    { keys: 'End', label: () => t('key.last'), run: () => go(page.current, Number.POSITIVE_INFINITY), isLocal: true },
  ])
  if (refusal) return <Refused refusal={refusal} />
  if (!data) return null
  const work = Object.fromEntries(Object.entries(data).map(([name, { body }]) => [name, body])) as Work
  const isEmpty = [work.parts, work.places, work.companies].every((list) => !list || list.count === 0)
  // while the demo moves in, what there is of it already is not shown
  if (work.demo?.status === 'running' || (isEmpty && (work.parts || work.places)))
    return (
      <Page title={t('home.welcome')}>
        <Beginning demo={work.demo} onFilled={again} />
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
      {work.demo?.status === 'failed' && <p class="problem">{saidText(work.demo.detail)}</p>}
      {isDone && (
        <Empty icon="check" title={t('home.done')}>
          <p>{t('home.done-more')}</p>
        </Empty>
      )}
      <div class="home" ref={page}>
        <div>
          <Section title={t('home.due')} count={due.length}>
            {due}
          </Section>
          <Section title={t('home.waiting')} count={waiting.length}>
            {waiting}
          </Section>
          <Section title={t('home.news')} count={work.news.count} all="/notifications/">
            {work.news.results.map((news) => (
              <NewsRow key={news.pk} news={news} onRead={again} />
            ))}
          </Section>
        </div>
        <div>
          <Section title={t('home.low')} count={low.orders.length + low.without_supplier.length} all="/part/?low_stock=true">
            {low.orders.map((proposal) => (
              <LowRow key={proposal.supplier} proposal={proposal} />
            ))}
            {low.without_supplier.map(({ part, name, in_stock, minimum_stock, reason }) => (
              <Row
                key={part}
                icon="warning"
                title={<a href={`/part/${part}/`}>{name}</a>}
                more={`${t('home.of-minimum', { stock: number(in_stock), minimum: number(minimum_stock) })} · ${t(`home.low-${reason}`)}`}
              />
            ))}
          </Section>
          <Section title={t('home.expires')} count={expiring.length} all="/stock/?expired=true">
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
                when={date(expiry_date)}
                isLate={expiry_date < dayIn(0)}
                action={{ label: t('home.open'), to: `/stock/item/${pk}/` }}
              />
            ))}
          </Section>
        </div>
      </div>
    </Page>
  )
}

/** Goes to what is done by the next row, or the previous one. */
function go(page: HTMLElement | null, by: number): void {
  const all = [...(page?.querySelectorAll<HTMLElement>('[data-work]') ?? [])]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = all[Math.min(Math.max(0, at + by), all.length - 1)]
  next?.focus()
  next?.closest('li')?.scrollIntoView({ block: 'nearest' })
}

/** Orders of all kinds that are due, the first that was due first. */
function dueOf({ purchase, sales, returns, builds }: Work) {
  const today = dayIn(0)
  const common = (day: string | null) => ({ when: whenOf(day), isLate: day !== null && day < today })
  const rows = [
    ...(purchase?.results ?? []).map((order) => ({
      day: order.target_date,
      row: (
        <Row
          key={`purchase-${order.pk}`}
          icon="cart"
          title={
            <>
              <a href={`/order/purchase-order/${order.pk}/`}>{order.reference}</a> {order.supplier_detail?.name}
            </>
          }
          more={[order.status === PLACED ? t('home.comes') : t('home.not-issued'), order.description].filter(Boolean).join(' · ')}
          {...common(order.target_date)}
          action={
            order.status === PLACED && may('add', 'purchase_order')
              ? { label: t('purchase.receive'), to: `/order/purchase-order/${order.pk}/receive/` }
              : { label: t('home.open'), to: `/order/purchase-order/${order.pk}/` }
          }
        />
      ),
    })),
    ...(sales?.results ?? []).map((order) => ({
      day: order.target_date,
      row: (
        <Row
          key={`sales-${order.pk}`}
          icon="truck"
          title={
            <>
              <a href={`/order/sales-order/${order.pk}/`}>{order.reference}</a> {order.customer_detail?.name}
            </>
          }
          more={[t('home.goes'), order.description].filter(Boolean).join(' · ')}
          {...common(order.target_date)}
          action={{ label: t('home.open'), to: `/order/sales-order/${order.pk}/` }}
        />
      ),
    })),
    ...(returns?.results ?? []).map((order) => ({
      day: order.target_date,
      row: (
        <Row
          key={`return-${order.pk}`}
          icon="undo"
          title={
            <>
              <a href={`/order/return-order/${order.pk}/`}>{order.reference}</a> {order.customer_detail?.name}
            </>
          }
          more={[t('home.comes-back'), order.description].filter(Boolean).join(' · ')}
          {...common(order.target_date)}
          action={{ label: t('home.open'), to: `/order/return-order/${order.pk}/` }}
        />
      ),
    })),
    ...(builds?.results ?? []).map((build) => ({
      day: build.target_date,
      row: (
        <Row
          key={`build-${build.pk}`}
          icon="wrench"
          title={
            <>
              <a href={`/build/${build.pk}/`}>{build.reference}</a> {build.part_detail?.name}
            </>
          }
          more={[t('home.built', { done: number(build.completed), of: number(build.quantity) }), build.title]
            .filter(Boolean)
            .join(' · ')}
          {...common(build.target_date)}
          action={{ label: t('home.open'), to: `/build/${build.pk}/` }}
        />
      ),
    })),
  ]
  return rows.toSorted((one, other) => ((one.day ?? '9') < (other.day ?? '9') ? -1 : 1)).map(({ row }) => row)
}

const whenOf = (day: string | null): string =>
  day === dayIn(0) ? t('home.today') : day === dayIn(1) ? t('home.tomorrow') : date(day)

/** What cannot go on, as parts for it are missing. */
function waitingOf({ salesLines, buildLines, active }: Work) {
  const builds = new Map((active?.results ?? []).map((build) => [build.pk, build]))
  return [
    ...(salesLines?.results ?? [])
      .filter((line) => missingOf(line) > 0)
      .map((line) => (
        <Row
          key={`sales-${line.pk}`}
          icon="truck"
          title={
            <>
              <a href={`/order/sales-order/${line.order}/`}>{line.order_detail?.reference}</a> {line.part_detail?.name}
            </>
          }
          more={t('home.missing', { missing: quantity(missingOf(line), line.part_detail?.units), of: number(line.quantity) })}
          action={{ label: t('home.open'), to: `/order/sales-order/${line.order}/` }}
        />
      )),
    ...(buildLines?.results ?? [])
      .filter((line) => builds.has(line.build) && missingOfBuild(line) > 0)
      .map((line) => (
        <Row
          key={`build-${line.pk}`}
          icon="wrench"
          title={
            <>
              <a href={`/build/${line.build}/`}>{builds.get(line.build)?.reference}</a>{' '}
              <a href={`/part/${line.part_detail?.pk}/`}>{line.part_detail?.name}</a>
            </>
          }
          more={t('home.missing', {
            missing: quantity(missingOfBuild(line), line.part_detail?.units),
            of: number(line.quantity),
          })}
          action={{ label: t('home.part'), to: `/part/${line.part_detail?.pk}/` }}
        />
      )),
  ]
}

/** What runs low of what one supplier sells: a key makes the order of it. */
function LowRow({ proposal }: { proposal: Proposal }) {
  const isBusy = useSignal(false)
  const { supplier_name, lines } = proposal
  async function order() {
    isBusy.value = true
    try {
      const { body } = await post<{ orders: { pk: number }[] }>('/api/order/po/low-stock/', {
        parts: lines.map(({ part }) => part),
        description: t('home.low'),
      })
      const [made] = body.orders
      if (made) navigate(`/order/purchase-order/${made.pk}/`)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(error.message)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <>
      <Row
        icon="cart"
        title={<strong>{supplier_name}</strong>}
        more={count('home.low-parts', lines.length)}
        action={may('add', 'purchase_order') ? { label: t('home.order'), run: order, isBusy: isBusy.value } : undefined}
      />
      {lines.map(({ part, name, in_stock, minimum_stock, coming, quantity: packs, pack_quantity }) => (
        <li key={part} class="work inner">
          <span class="work-text">
            <a href={`/part/${part}/`}>{name}</a>
            <small>
              {[
                t('home.of-minimum', { stock: number(in_stock), minimum: number(minimum_stock) }),
                coming > 0 && t('home.coming', { count: number(coming) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </span>
          <span class="work-when">
            {number(packs)}
            {pack_quantity === 1 ? '' : ` × ${number(pack_quantity)}`}
          </span>
        </li>
      ))}
    </>
  )
}

/** What somebody, or the service, told the account. */
function NewsRow({ news, onRead }: { news: News; onRead: () => void }) {
  async function read() {
    try {
      await change(`/api/notifications/${news.pk}/`, { read: true }, undefined)
      unread.value = Math.max(0, unread.value - 1)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(error.message)
    }
    onRead()
  }
  const link = news.target?.link
  return (
    <Row
      icon="bell"
      title={link?.startsWith('/') ? <a href={link}>{news.target?.name}</a> : saidText(news.name)}
      more={saidText(news.message)}
      when={date(news.creation.slice(0, 10))}
      action={{ label: t('home.read'), run: read }}
    />
  )
}
