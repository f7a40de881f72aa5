import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Attachments } from '../../kit/files/attachments.tsx'
import { PrintReports } from '../../kit/files/print-reports.tsx'
import { count, label, t, total } from '../../kit/language/language.ts'
import { useRequestedAction } from '../../kit/navigation/requested-action.ts'
import { type Action, useActions } from '../../kit/page/actions.tsx'
import type { ReadState } from '../../kit/page/data.ts'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Notes } from '../../kit/page/notes.tsx'
import { DescriptionList, Page, Panel } from '../../kit/page/page.tsx'
import { Timeline, type TimelineEntry } from '../../kit/page/timeline.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { isFieldVisible } from '../../kit/service/features.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { ExtraLines } from './extra-lines.tsx'
import { type LinesProperties, NO_RIGHTS, rightsIn } from './lines.tsx'
import { companyOf, companyReference, type EditSettings, type ExtraLine, type Order, type OrderKind, PENDING } from './order.ts'
import { type OrderAction, OrderActionDialog, type OrderQuestions, orderActions } from './order-actions.tsx'
import { DueDate, StateBadge } from './order-cells.tsx'

/** Maximum number of lines shown on the page of an order. */
const MAX_LINES = 1_000
/** Number of actions with a button; the others are in the menu. */
const BUTTONS = 3

/** The responses that the page of an order of any kind shows. */
export type OrderRead<O extends Order, Line> = {
  order: O
  lines: ListPage<Line>
  extra: ListPage<ExtraLine>
  settings: EditSettings
}

/** The URLs of those responses. @param details further parameters of the lines */
export const orderUrls = ({ model, company }: OrderKind, pk: string | undefined, details: Record<string, true> = {}) => ({
  order: withQuery(`/api/order/${model}/${pk}/`, { [`${company}_detail`]: true }),
  lines: withQuery(`/api/order/${model}-line/`, { order: pk, part_detail: true, ...details, etag: true, limit: MAX_LINES }),
  extra: withQuery(`/api/order/${model}-extra-line/`, { order: pk, etag: true, limit: MAX_LINES }),
  settings: '/api/web/settings/',
})

/** Whether an order is neither complete nor cancelled. */
export const isOpen = ({ issued }: OrderKind, status: number | undefined): boolean => status === PENDING || status === issued

/** The currency of the total of an order, and of new lines. */
export const currencyOf = (order: Order | undefined): string =>
  order?.order_currency || (order && companyOf(order)?.currency) || 'USD'

type Properties<O extends Order, Line> = {
  kind: OrderKind
  metadata: ResourceMetadata
  extraMetadata: ResourceMetadata
  pk: number
  read: ReadState<OrderRead<O, Line>>
  /** Whether the order can be completed; by default once it was issued. */
  canComplete?: boolean
  /** Actions specific to this kind: those after issuing, and those after all others. */
  actions?: readonly (Action | false)[]
  lastActions?: readonly (Action | false)[]
  /** Whether a line has no price and is left out of the total. */
  isUnpriced?: (line: Line) => boolean
  lines: (properties: LinesProperties<O, Line>) => ComponentChildren
  /** Panels between the lines and the files. */
  panels?: ComponentChildren
  /** Entries of the timeline other than the creation, oldest first. */
  history: readonly TimelineEntry[]
  /** The dialogs for issuing and completing the order. */
  questions: OrderQuestions
  /** Open dialogs specific to this kind. */
  children?: ComponentChildren
}

/** The page of one order: the content common to all kinds, with slots for the content specific to one. */
export function OrderPage<O extends Order, Line>(properties: Properties<O, Line>) {
  const { kind, metadata, pk, read, canComplete, actions: own = [], lastActions = [], isUnpriced, history } = properties
  const { name, model, page, role, states, issued, editSetting } = kind
  const { data, error, reload } = read
  const action = useSignal<OrderAction | undefined>(undefined)
  const rights = rightsIn(role)
  const status = data?.order.body.status
  const start = (started: OrderAction | undefined) => () => {
    action.value = started
  }
  const allowed = { issue: status === PENDING, complete: canComplete ?? status === issued, cancel: isOpen(kind, status) }
  useRequestedAction('issue', rights.add && allowed.issue, start('issue'))
  const actions = useActions(
    [...orderActions({ kind, rights, allowed, start, own }), ...lastActions],
    BUTTONS,
    <PrintReports key="print" kind={model} pks={[pk]} />,
  )
  const crumbs = [{ text: t(`${name}.title`), to: `${page}?outstanding=true` }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data) return null
  const { body: order } = data.order
  const { results: rows, count: total } = data.lines.body
  const currency = currencyOf(order)
  const lineRights = isOpen(kind, status) || data.settings.body[editSetting] ? rights : NO_RIGHTS
  return (
    <Page title={order.reference} crumbs={crumbs} state={<StateBadge order={order} states={states} />} actions={actions}>
      <div class="order-page">
        <Strip
          company={kind.company}
          order={order}
          currency={currency}
          unpriced={isUnpriced ? rows.filter(isUnpriced).length : 0}
        />
        {properties.lines({ order, currency, rows, total, rights: lineRights, onChanged: reload })}
        <ExtraLines
          metadata={properties.extraMetadata}
          order={order.pk}
          currency={currency}
          rows={data.extra.body.results}
          rights={lineRights}
          onChanged={reload}
        />
        {properties.panels}
        <div class="columns">
          <Attachments
            url={`${metadata.path}attachment/`}
            of={{ order: order.pk }}
            mayAdd={rights.add}
            mayDelete={rights.delete}
          />
          <Panel title={t('timeline.title')}>
            <Timeline happened={timelineOf(order, history)} />
          </Panel>
          {order.notes && (
            <Panel title={label('notes')}>
              <Notes text={order.notes} />
            </Panel>
          )}
        </div>
      </div>
      {properties.children}
      {action.value && (
        <OrderActionDialog
          kind={kind}
          metadata={metadata}
          order={data.order}
          action={action.value}
          questions={{ cancel: { children: <p>{t(`${name}.cancel-more`)}</p> }, ...properties.questions }}
          reload={reload}
          onClose={start(undefined)}
        />
      )}
    </Page>
  )
}

/** The history of an order, latest first; entries without a time come first. */
function timelineOf({ creation_date }: Order, history: readonly TimelineEntry[]): TimelineEntry[] {
  const created = creation_date ? [{ key: 'made', at: creation_date, text: t('orders.was-made') }] : []
  const timeOf = ({ at }: TimelineEntry) => at || '9'
  return [...created, ...history].toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
}

type StripProperties = {
  company: OrderKind['company']
  order: Order
  currency: string
  /** Number of lines without a price, which are not in the total. */
  unpriced: number
}

/** The fields common to all kinds of orders, above the lines. */
function Strip({ company, order, currency, unpriced }: StripProperties) {
  const partner = companyOf(order)
  return (
    <Panel class="strip">
      {order.description && <p class="lead">{order.description}</p>}
      <DescriptionList
        rows={[
          [label(company), partner && <a href={`/company/${partner.pk}/`}>{partner.name}</a>],
          [label(`${company}_reference`), companyReference(order)],
          [label('target_date'), order.target_date && <DueDate day={order.target_date} isOverdue={order.overdue} />],
          [label('responsible'), order.responsible_detail?.name],
          [label('project_code'), isFieldVisible('project_code') && order.project_code_detail?.code],
          [label('contact'), order.contact_detail && <Contact contact={order.contact_detail} />],
          [label('address'), order.address_detail && addressLines(order.address_detail)],
          [label('link'), order.link && <a href={order.link}>{order.link}</a>],
          [
            t('orders.total'),
            <span key="total" class="order-total">
              <strong>{order.total_price === null ? t('orders.no-rate') : total(order.total_price, currency)}</strong>
              {unpriced > 0 && <small>{count('orders.unpriced', unpriced)}</small>}
            </span>,
          ],
        ]}
      />
    </Panel>
  )
}

/** A contact, with links to its email address and phone number. */
const Contact = ({ contact: { name, phone, email } }: { contact: NonNullable<Order['contact_detail']> }) => (
  <span class="contact">
    {name}
    {email && <a href={`mailto:${email}`}>{email}</a>}
    {phone && <a href={`tel:${phone}`}>{phone}</a>}
  </span>
)

const addressLines = ({ line1, line2, postal_code, postal_city, country }: NonNullable<Order['address_detail']>) =>
  [line1, line2, `${postal_code} ${postal_city}`.trim(), country].filter(Boolean).join(', ')
