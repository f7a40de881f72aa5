import type { ComponentChildren } from 'preact'
import { formatDate, formatNumber, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { Badge } from '../../kit/page/page.tsx'
import { Thumbnail } from '../../kit/page/thumbnail.tsx'
import type { Order, PartBrief, StatusStyle } from './order.ts'

/** The status of an order, and whether it is overdue. */
export const StatusBadge = ({
  order,
  statuses,
}: {
  order: Pick<Order, 'status' | 'status_text' | 'status_custom_key' | 'overdue'>
  statuses: Record<number, StatusStyle>
}) => {
  const status = statuses[order.status]
  // a custom state has a text of its own, and the tone of its status
  const isCustom = (order.status_custom_key ?? order.status) !== order.status
  return (
    <span class="badges">
      <Badge tone={status?.tone}>{status && !isCustom ? t(status.label) : order.status_text}</Badge>
      {order.overdue && <Badge tone="bad">{t('orders.overdue')}</Badge>}
    </span>
  )
}

/** The number of completed lines, as a bar and in figures. */
export const Progress = ({ done, total, title }: { done: number; total: number; title: string }) =>
  total === 0 ? (
    <span class="quiet-text">–</span>
  ) : (
    <span class="progress" title={title}>
      <progress max={total} value={Math.min(done, total)} aria-label={title} />
      <span>
        {formatNumber(done)} / {formatNumber(total)}
      </span>
    </span>
  )

/** A part, with the details that distinguish it from others. */
export const PartName = ({ part, detail }: { part: PartBrief | null; detail?: ComponentChildren }) =>
  part ? (
    <span class="part-name">
      <Thumbnail url={part.thumbnail} />
      <span>
        <a href={`/part/${part.pk}/`}>{part.IPN ? `${part.IPN} · ${part.name}` : part.name}</a>
        <small>{detail}</small>
      </span>
    </span>
  ) : (
    <span class="quiet-text">{t('orders.no-part')}</span>
  )

/** A target date; red once it has passed. */
export const DueDate = ({ day, isOverdue }: { day: string | null; isOverdue: boolean }) =>
  day ? <span class={isOverdue ? 'date alert-text' : 'date'}>{formatDate(day)}</span> : null

type LinkedOrderProperties = { apiPath: string; pk: number; pagePath: string; title: string }

/** A link to another order, by its reference. @param title its text until the reference is loaded, or if the account cannot read the order */
export function LinkedOrder({ apiPath, pk, pagePath, title }: LinkedOrderProperties) {
  const { data } = useRead<{ order: { reference: string } }>({ order: `${apiPath}${pk}/` })
  return <a href={`${pagePath}${pk}/`}>{data?.order.body.reference ?? title}</a>
}
