import type { VNode } from 'preact'
import { formatDate, formatNumber, t } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { hasPermission } from '../../kit/service/session.ts'
import { getDateInDays } from '../../kit/values/days.ts'
import { ON_HOLD_STATUS, PENDING_STATUS } from '../orders/order.ts'
import { ISSUED_STATUS } from '../purchase-orders/purchase-order-details.ts'
import { IN_PROGRESS as RETURNING } from '../return-orders/return-order-details.ts'
import { ISSUED_STATUS as TRANSFERRING } from '../transfer-orders/transfer-order-details.ts'
import { Row } from './row.tsx'
import type { HomeData } from './work-lists.ts'

/** A due order of any kind. */
type DueOrder = {
  /** Path of its page. */
  path: string
  icon: IconName
  reference: string
  /** The company or part of the order. */
  subject: string | undefined
  detail: (string | false | null | undefined)[]
  targetDate: string | null
  /** The next action, if it is more than viewing the order: its label, and its path relative to the order's page. */
  nextAction?: { label: string; relativePath: string } | false
}

/** Due orders of all kinds, the earliest target date first. */
export function renderDueOrders(work: HomeData): VNode[] {
  return [
    ...listDuePurchases(work),
    ...listDueSales(work),
    ...listDueReturns(work),
    ...listDueTransfers(work),
    ...listDueBuilds(work),
  ]
    .toSorted((one, other) => ((one.targetDate ?? '9') < (other.targetDate ?? '9') ? -1 : 1))
    .map(({ path, icon, reference, subject, detail, targetDate, nextAction }) => (
      <Row
        key={path}
        icon={icon}
        title={
          <>
            <a href={path}>{reference}</a> {subject}
          </>
        }
        detail={detail.filter(Boolean).join(' · ')}
        due={formatDueDate(targetDate)}
        isOverdue={targetDate !== null && targetDate < getDateInDays(0)}
        action={
          nextAction ? { label: nextAction.label, to: path + nextAction.relativePath } : { label: t('home.open'), to: path }
        }
      />
    ))
}

const listDuePurchases = ({ purchase }: HomeData): DueOrder[] =>
  (purchase?.results ?? []).map(({ pk, reference, supplier_detail, status, description, target_date: targetDate }) => ({
    path: `/order/purchase-order/${pk}/`,
    icon: 'cart',
    reference,
    subject: supplier_detail?.name,
    detail: [
      status === ISSUED_STATUS ? t('home.incoming') : t(status === ON_HOLD_STATUS ? 'orders.on-hold' : 'home.not-issued'),
      description,
    ],
    targetDate,
    nextAction:
      hasPermission('add', 'purchase_order') &&
      (status === ISSUED_STATUS
        ? { label: t('purchase.receive'), relativePath: 'receive/' }
        : { label: t(status === ON_HOLD_STATUS ? 'orders.resume' : 'purchase.issue'), relativePath: '?do=issue' }),
  }))

const listDueSales = ({ sales }: HomeData): DueOrder[] =>
  (sales?.results ?? []).map(({ pk, reference, customer_detail, status, description, target_date: targetDate }) => ({
    path: `/order/sales-order/${pk}/`,
    icon: 'truck',
    reference,
    subject: customer_detail?.name,
    detail: [t(status === ON_HOLD_STATUS ? 'orders.on-hold' : 'home.ship'), description],
    targetDate,
    nextAction:
      hasPermission('add', 'sales_order') &&
      (status === ON_HOLD_STATUS
        ? { label: t('orders.resume'), relativePath: '?do=issue' }
        : { label: t('home.pack'), relativePath: '?do=pack' }),
  }))

const listDueReturns = ({ returns }: HomeData): DueOrder[] =>
  (returns?.results ?? []).map(({ pk, reference, customer_detail, status, description, target_date: targetDate }) => ({
    path: `/order/return-order/${pk}/`,
    icon: 'undo',
    reference,
    subject: customer_detail?.name,
    detail: [t('home.return-expected'), description],
    targetDate,
    nextAction:
      hasPermission('add', 'return_order') &&
      (status === RETURNING
        ? { label: t('returns.receive'), relativePath: '?do=receive' }
        : status === PENDING_STATUS || status === ON_HOLD_STATUS
          ? { label: t(status === ON_HOLD_STATUS ? 'orders.resume' : 'returns.issue'), relativePath: '?do=issue' }
          : false),
  }))

const listDueTransfers = ({ transfers }: HomeData): DueOrder[] =>
  (transfers?.results ?? []).map(({ pk, reference, destination_detail, status, description, target_date: targetDate }) => ({
    path: `/order/transfer-order/${pk}/`,
    icon: 'move',
    reference,
    subject: destination_detail?.name,
    detail: [t(status === ON_HOLD_STATUS ? 'orders.on-hold' : 'home.transfer'), description],
    targetDate,
    nextAction:
      hasPermission('add', 'transfer_order') &&
      (status === TRANSFERRING
        ? { label: t('sales.allocate'), relativePath: '?do=allocate' }
        : { label: t(status === ON_HOLD_STATUS ? 'orders.resume' : 'transfers.issue'), relativePath: '?do=issue' }),
  }))

const listDueBuilds = ({ builds }: HomeData): DueOrder[] =>
  (builds?.results ?? []).map(({ pk, reference, part_detail, status, completed, quantity, title, target_date: targetDate }) => ({
    path: `/build/${pk}/`,
    icon: 'wrench',
    reference,
    subject: part_detail?.name,
    detail: [
      status === ON_HOLD_STATUS && t('orders.on-hold'),
      t('home.built', { done: formatNumber(completed), of: formatNumber(quantity) }),
      title,
    ],
    targetDate,
  }))

const formatDueDate = (targetDate: string | null): string =>
  targetDate === getDateInDays(0)
    ? t('home.today')
    : targetDate === getDateInDays(1)
      ? t('home.tomorrow')
      : formatDate(targetDate)
