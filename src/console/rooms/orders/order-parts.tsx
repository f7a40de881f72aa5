import { Attachments } from '../../kit/files/attachments.tsx'
import { count, label, t, total } from '../../kit/language/language.ts'
import { Notes } from '../../kit/page/notes.tsx'
import { Facts, Panel } from '../../kit/page/page.tsx'
import { type Happening, Timeline } from '../../kit/page/timeline.tsx'
import { isFieldShown } from '../../kit/service/features.ts'
import type { Rights } from './lines.tsx'
import type { CompanyBrief, Order } from './order.ts'
import { DueDate } from './order-shown.tsx'

type StripProperties = {
  order: Order
  /** Whom it is with: what that is called, and who it is. */
  company: { name: 'supplier' | 'customer'; of: CompanyBrief | null }
  /** What the company calls it. */
  reference: string
  /** In which its total is. */
  currency: string
  /** How many of its lines have no price, and are not in its total. */
  unpriced?: number
}

/** What there is to know of an order of any kind, over its lines. */
export const OrderStrip = ({ order, company, reference, currency, unpriced = 0 }: StripProperties) => (
  <Panel class="strip">
    {order.description && <p class="lead">{order.description}</p>}
    <Facts
      rows={[
        [label(company.name), company.of && <a href={`/company/${company.of.pk}/`}>{company.of.name}</a>],
        [label(`${company.name}_reference`), reference],
        [label('target_date'), order.target_date && <DueDate day={order.target_date} isOverdue={order.overdue} />],
        [label('responsible'), order.responsible_detail?.name],
        [label('project_code'), isFieldShown('project_code') && order.project_code_detail?.code],
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

/** Whom to ask, and how to reach them. */
const Contact = ({ contact: { name, phone, email } }: { contact: NonNullable<Order['contact_detail']> }) => (
  <span class="contact">
    {name}
    {email && <a href={`mailto:${email}`}>{email}</a>}
    {phone && <a href={`tel:${phone}`}>{phone}</a>}
  </span>
)

const addressLines = ({ line1, line2, postal_code, postal_city, country }: NonNullable<Order['address_detail']>) =>
  [line1, line2, `${postal_code} ${postal_city}`.trim(), country].filter(Boolean).join(', ')

type FootProperties = {
  order: Order
  /** The list of its files: `/api/order/po/attachment/`. */
  files: string
  rights: Rights
  happened: readonly Happening[]
}

/** Below the lines of an order: its files, what happened, its notes. */
export const OrderFoot = ({ order, files, rights, happened }: FootProperties) => (
  <div class="columns">
    <Attachments url={files} of={{ order: order.pk }} mayAdd={rights.add} mayDelete={rights.delete} />
    <Panel title={t('timeline.title')}>
      <Timeline happened={happened} />
    </Panel>
    {order.notes && (
      <Panel title={label('notes')}>
        <Notes text={order.notes} />
      </Panel>
    )}
  </div>
)
