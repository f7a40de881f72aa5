import type { VNode } from 'preact'
import { date, number, t } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { may } from '../../kit/service/session.ts'
import { PENDING } from '../orders/order.ts'
import { ISSUED_STATUS } from '../purchase-orders/purchase-order-details.ts'
import { IN_PROGRESS as RETURNING } from '../return-orders/return-order-details.ts'
import { Row } from './row.tsx'
import { dayIn, type Work } from './work-lists.ts'

/** A due order of any kind. */
type DueOrder = {
  /** Path of its page. */
  to: string
  icon: IconName
  reference: string
  /** The company or part of the order. */
  of: string | undefined
  more: (string | null | undefined)[]
  day: string | null
  /** The next action, if it is more than viewing the order: its label, and its path relative to the order's page. */
  next?: { label: string; at: string } | false
}

/** Due orders of all kinds, the earliest target date first. */
export function dueOf(work: Work): VNode[] {
  return [...purchaseDue(work), ...salesDue(work), ...returnsDue(work), ...buildsDue(work)]
    .toSorted((one, other) => ((one.day ?? '9') < (other.day ?? '9') ? -1 : 1))
    .map(({ to, icon, reference, of, more, day, next }) => (
      <Row
        key={to}
        icon={icon}
        title={
          <>
            <a href={to}>{reference}</a> {of}
          </>
        }
        more={more.filter(Boolean).join(' · ')}
        due={dueText(day)}
        isOverdue={day !== null && day < dayIn(0)}
        action={next ? { label: next.label, to: to + next.at } : { label: t('home.open'), to }}
      />
    ))
}

const purchaseDue = ({ purchase }: Work): DueOrder[] =>
  (purchase?.results ?? []).map(({ pk, reference, supplier_detail, status, description, target_date: day }) => ({
    to: `/order/purchase-order/${pk}/`,
    icon: 'cart',
    reference,
    of: supplier_detail?.name,
    more: [status === ISSUED_STATUS ? t('home.comes') : t('home.not-issued'), description],
    day,
    next:
      may('add', 'purchase_order') &&
      (status === ISSUED_STATUS
        ? { label: t('purchase.receive'), at: 'receive/' }
        : { label: t('purchase.issue'), at: '?do=issue' }),
  }))

const salesDue = ({ sales }: Work): DueOrder[] =>
  (sales?.results ?? []).map(({ pk, reference, customer_detail, description, target_date: day }) => ({
    to: `/order/sales-order/${pk}/`,
    icon: 'truck',
    reference,
    of: customer_detail?.name,
    more: [t('home.goes'), description],
    day,
    next: may('add', 'sales_order') && { label: t('home.pack'), at: '?do=pack' },
  }))

const returnsDue = ({ returns }: Work): DueOrder[] =>
  (returns?.results ?? []).map(({ pk, reference, customer_detail, status, description, target_date: day }) => ({
    to: `/order/return-order/${pk}/`,
    icon: 'undo',
    reference,
    of: customer_detail?.name,
    more: [t('home.comes-back'), description],
    day,
    next:
      may('add', 'return_order') &&
      (status === RETURNING
        ? { label: t('returns.take-back'), at: '?do=receive' }
        : status === PENDING && { label: t('returns.issue'), at: '?do=issue' }),
  }))

const buildsDue = ({ builds }: Work): DueOrder[] =>
  (builds?.results ?? []).map(({ pk, reference, part_detail, completed, quantity, title, target_date: day }) => ({
    to: `/build/${pk}/`,
    icon: 'wrench',
    reference,
    of: part_detail?.name,
    more: [t('home.built', { done: number(completed), of: number(quantity) }), title],
    day,
  }))

const dueText = (day: string | null): string =>
  day === dayIn(0) ? t('home.today') : day === dayIn(1) ? t('home.tomorrow') : date(day)
