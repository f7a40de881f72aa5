import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Attachments } from '../../kit/files/attachments.tsx'
import { PrintReports } from '../../kit/files/print-reports.tsx'
import { count, formatTotal, label, t } from '../../kit/language/language.ts'
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
import { getRights, type LinesProperties, NO_RIGHTS } from './lines.tsx'
import {
  type EditSettings,
  type ExtraLine,
  getCompany,
  getCompanyReference,
  ON_HOLD_STATUS,
  type Order,
  type OrderKind,
  PENDING_STATUS,
} from './order.ts'
import { listOrderActions, type OrderAction, OrderActionDialog, type OrderQuestions } from './order-actions.tsx'
import { DueDate, StatusBadge } from './order-cells.tsx'

/** Maximum number of lines shown on the page of an order. */
const MAX_LINES = 1_000
/** Maximum number of actions with a button; the others are in the menu. */
const MAX_BUTTONS = 3

/** The responses that the page of an order of any kind shows. */
export type OrderPageData<O extends Order, Line> = {
  order: O
  lines: ListPage<Line>
  /** Undefined for a kind without prices. */
  extra?: ListPage<ExtraLine>
  settings: EditSettings
}

/** The URLs of the data on the page. @param details further parameters for the order and its lines */
export const getOrderUrls = (
  { model, company }: OrderKind,
  pk: string | undefined,
  { order = {}, lines = {} }: { order?: Record<string, true>; lines?: Record<string, true> } = {},
) => ({
  order: withQuery(`/api/order/${model}/${pk}/`, {
    ...(company && { [`${company}_detail`]: true }),
    ...order,
    ...{ extended: true, tags: true },
  }),
  lines: withQuery(`/api/order/${model}-line/`, {
    ...{ order: pk, part_detail: true, ...lines },
    ...{ extended: true, etag: true, limit: MAX_LINES },
  }),
  ...(company && {
    extra: withQuery(`/api/order/${model}-extra-line/`, { order: pk, extended: true, etag: true, limit: MAX_LINES }),
  }),
  settings: '/api/web/settings/',
})

/** Whether an order is neither complete nor cancelled. */
export const isOpen = ({ issued }: OrderKind, status: number | undefined): boolean =>
  status === PENDING_STATUS || status === issued || status === ON_HOLD_STATUS

/** The currency of the total of an order, and of new lines. */
export const getCurrency = (order: Order | undefined): string =>
  order?.order_currency || (order && getCompany(order)?.currency) || 'USD'

/** A row of the summary: its title and its content. */
type SummaryRow = readonly [string, ComponentChildren]

type Properties<O extends Order, Line> = {
  kind: OrderKind
  metadata: ResourceMetadata
  /** Undefined for a kind without prices. */
  extraMetadata?: ResourceMetadata
  /** Rows of the summary that only this kind has, before those of all kinds. */
  summary?: readonly SummaryRow[]
  pk: number
  read: ReadState<OrderPageData<O, Line>>
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
  const { kind, metadata, pk, read, canComplete, actions: ownActions = [], lastActions = [], isUnpriced, history } = properties
  const { name, documentModel, page, role, statuses, issued, editSetting } = kind
  const { data, error, reload } = read
  const action = useSignal<OrderAction | undefined>(undefined)
  const rights = getRights(role)
  const status = data?.order.body.status
  const show = (nextAction: OrderAction | undefined) => () => {
    action.value = nextAction
  }
  const isOnHold = status === ON_HOLD_STATUS
  const allowed = {
    issue: status === PENDING_STATUS || isOnHold,
    complete: canComplete ?? status === issued,
    hold: isOpen(kind, status) && !isOnHold,
    cancel: isOpen(kind, status),
  }
  useRequestedAction('issue', rights.add && allowed.issue, show('issue'))
  const actions = useActions(
    [...listOrderActions({ kind, rights, allowed, isOnHold, start: show, ownActions }), ...lastActions],
    MAX_BUTTONS,
    <PrintReports key="print" model={documentModel} pks={[pk]} />,
  )
  const crumbs = [{ text: t(`${name}.title`), to: `${page}?outstanding=true` }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data) return null
  const { body: order } = data.order
  const { results: rows, count: total } = data.lines.body
  const currency = getCurrency(order)
  const lineRights = isOpen(kind, status) || (editSetting && data.settings.body[editSetting]) ? rights : NO_RIGHTS
  return (
    <Page title={order.reference} crumbs={crumbs} state={<StatusBadge order={order} statuses={statuses} />} actions={actions}>
      <div class="order-page">
        <OrderSummary
          company={kind.company}
          rows={properties.summary ?? []}
          order={order}
          currency={currency}
          unpriced={isUnpriced ? rows.filter(isUnpriced).length : 0}
        />
        {properties.lines({ order, currency, rows, total, rights: lineRights, onChanged: reload })}
        {properties.extraMetadata && data.extra && (
          <ExtraLines
            metadata={properties.extraMetadata}
            order={order.pk}
            currency={currency}
            rows={data.extra.body.results}
            rights={lineRights}
            onChanged={reload}
          />
        )}
        {properties.panels}
        <div class="columns">
          <Attachments model={documentModel} pk={order.pk} canAdd={rights.add} canDelete={rights.delete} />
          <Panel title={t('timeline.title')}>
            <Timeline entries={createTimeline(order, history)} />
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
          onClose={show(undefined)}
        />
      )}
    </Page>
  )
}

/** The history of an order, latest first; entries without a time come first. */
function createTimeline({ creation_date }: Order, history: readonly TimelineEntry[]): TimelineEntry[] {
  const created = creation_date ? [{ key: 'created', time: creation_date, text: t('orders.was-created') }] : []
  const getTime = ({ time }: TimelineEntry) => time || '9'
  return [...created, ...history].toSorted((one, other) => (getTime(one) < getTime(other) ? 1 : -1))
}

type OrderSummaryProperties = {
  company: OrderKind['company']
  rows: readonly SummaryRow[]
  order: Order
  currency: string
  /** Number of lines without a price, which are not in the total. */
  unpriced: number
}

/** The fields common to all kinds of orders, above the lines. */
function OrderSummary({ company, rows, order, currency, unpriced }: OrderSummaryProperties) {
  const partner = getCompany(order)
  return (
    <Panel class="strip">
      {order.description && <p class="lead">{order.description}</p>}
      <DescriptionList
        rows={[
          ...(company
            ? ([
                [label(company), partner && <a href={`/company/${partner.pk}/`}>{partner.name}</a>],
                [label(`${company}_reference`), getCompanyReference(order)],
              ] as const)
            : []),
          ...rows,
          [label('target_date'), order.target_date && <DueDate day={order.target_date} isOverdue={order.overdue} />],
          [label('responsible'), order.responsible_detail?.name],
          [label('project_code'), isFieldVisible('project_code') && order.project_code_detail?.code],
          [label('contact'), order.contact_detail && <Contact contact={order.contact_detail} />],
          [label('address'), order.address_detail && formatAddress(order.address_detail)],
          [label('link'), order.link && <a href={order.link}>{order.link}</a>],
          [
            t('orders.total'),
            order.total_price !== undefined && (
              <span key="total" class="order-total">
                <strong>{order.total_price === null ? t('orders.no-rate') : formatTotal(order.total_price, currency)}</strong>
                {unpriced > 0 && <small>{count('orders.unpriced', unpriced)}</small>}
              </span>
            ),
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

const formatAddress = ({ line1, line2, postal_code, postal_city, country }: NonNullable<Order['address_detail']>) =>
  [line1, line2, `${postal_code} ${postal_city}`.trim(), country].filter(Boolean).join(', ')
