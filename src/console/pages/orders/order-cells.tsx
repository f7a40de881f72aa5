import type { ComponentChildren } from 'preact'
import { date, number, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { Badge } from '../../kit/page/page.tsx'
import type { Order, PartBrief, State } from './order.ts'

/** The status of an order, and whether it is overdue. */
export const StateBadge = ({
  order,
  states,
}: {
  order: Pick<Order, 'status' | 'status_text' | 'overdue'>
  states: Record<number, State>
}) => {
  const state = states[order.status]
  return (
    <span class="badges">
      <Badge tone={state?.tone}>{state ? t(state.label) : order.status_text}</Badge>
      {order.overdue && <Badge tone="bad">{t('orders.overdue')}</Badge>}
    </span>
  )
}

/** The number of completed lines, as a bar and in figures. */
export const Progress = ({ done, of, title }: { done: number; of: number; title: string }) =>
  of === 0 ? (
    <span class="quiet-text">–</span>
  ) : (
    <span class="progress" title={title}>
      <progress max={of} value={Math.min(done, of)} aria-label={title} />
      <span>
        {number(done)} / {number(of)}
      </span>
    </span>
  )

/** A part, with the details that distinguish it from others. */
export const PartName = ({ part, more }: { part: PartBrief | null; more?: ComponentChildren }) =>
  part ? (
    <span class="part-name">
      <a href={`/part/${part.pk}/`}>{part.IPN ? `${part.IPN} · ${part.name}` : part.name}</a>
      <small>{more}</small>
    </span>
  ) : (
    <span class="quiet-text">{t('orders.no-part')}</span>
  )

/** A target date; red once it has passed. */
export const DueDate = ({ day, isOverdue }: { day: string | null; isOverdue: boolean }) =>
  day ? <span class={isOverdue ? 'late' : ''}>{date(day)}</span> : null

type LinkedOrderProperties = { api: string; at: number; to: string; title: string }

/** A link to another order, by its reference. @param title its text until the reference is loaded, or if the account may not read the order */
export function LinkedOrder({ api, at, to, title }: LinkedOrderProperties) {
  const { data } = useRead<{ order: { reference: string } }>({ order: `${api}${at}/` })
  return <a href={`${to}${at}/`}>{data?.order.body.reference ?? title}</a>
}
