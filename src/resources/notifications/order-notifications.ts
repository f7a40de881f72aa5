import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { getWebPage } from '../../web-pages.ts'
import { type HeaderKind, hasPrices, openStates, tableName } from '../order/order-kind.ts'
import { PURCHASE_ORDER } from '../order/po/po-kind.ts'
import { RETURN_ORDER } from '../order/ro/ro-kind.ts'
import { SALES_ORDER } from '../order/so/so-kind.ts'
import { TRANSFER_ORDER } from '../order/transfer-order/transfer-order-kind.ts'
import {
  type NotificationContent,
  type OverdueKind,
  type PendingNotification,
  selectOwnerAccounts,
} from './notification-kinds.ts'
import type { OrderNotificationKind } from './notify.ts'

/** The types of orders. */
export const orderKinds: readonly HeaderKind[] = [PURCHASE_ORDER, SALES_ORDER, RETURN_ORDER, TRANSFER_ORDER]

/** Category of an overdue order. */
const getOverdueCategory = ({ name }: HeaderKind): string => `order.overdue_${name.replaceAll(' ', '_')}`

type Order = {
  pk: number
  reference: string
  company: string | null
  created_by: number | null
  target_date: string | null
  is_overdue: boolean
  responsible: number[]
}

/** The notification for an order; undefined if the order was deleted, or the pending notification no longer applies. */
export async function composeOrderNotification(
  tx: Tx,
  pendingNotification: PendingNotification,
): Promise<NotificationContent | undefined> {
  const kind = orderKinds.find(({ model }) => model === pendingNotification.model)
  if (!kind) throw new Error(`unknown kind of order ${pendingNotification.model}`)
  const order = await findOrder(tx, kind, pendingNotification.target)
  if (!order || (pendingNotification.kind === 'overdue' && !order.is_overdue)) return undefined
  const target = {
    name: order.company === null ? order.reference : `${order.reference} - ${order.company}`,
    model: kind.model,
    pk: order.pk,
    link: getWebPage(kind.path, order.pk),
  }
  return {
    target,
    ...composeText(pendingNotification.kind as OrderNotificationKind, kind, order, target.name, pendingNotification.actors),
  }
}

/** The texts of each notification, and its recipients: those responsible for the order, without those whom InvenTree excludes. */
function composeText(
  notificationKind: OrderNotificationKind,
  kind: HeaderKind,
  order: Order,
  name: string,
  actors: PendingNotification['actors'],
): Omit<NotificationContent, 'target'> {
  const title = kind.name.replaceAll(/\b\w/g, (letter) => letter.toUpperCase())
  /** Excludes accounts that caused every change themselves. */
  const excludeActors = (causes: PendingNotification['actors']) =>
    order.responsible.filter((pk) => causes.some((actor) => actor !== pk))
  switch (notificationKind) {
    case 'new':
      return {
        category: `order.new_${kind.model}`,
        name: `New ${title}`,
        message: `You are responsible for the new ${kind.name} ${name}.`,
        accounts: excludeActors([order.created_by]),
      }
    case 'responsible':
      return {
        category: `order.responsible_${kind.model}`,
        name: `${title} assigned`,
        message: `You are now responsible for the ${kind.name} ${name}.`,
        accounts: excludeActors(actors.slice(-1)),
        // each reassignment is a notification of its own, and the last one determines the responsible owner
        isRepeated: true,
      }
    case 'held':
      return {
        category: `order.held_${kind.model}`,
        name: `${title} put on hold`,
        message: `The ${kind.name} ${name}, for which you are responsible, was put on hold.`,
        accounts: excludeActors(actors),
        // it may be put on hold several times
        isRepeated: true,
      }
    case 'canceled':
      return {
        category: `order.canceled_${kind.model}`,
        name: `${title} canceled`,
        message: `The ${kind.name} ${name}, for which you are responsible, was canceled.`,
        accounts: excludeActors(actors),
      }
    case 'received':
      return {
        category: `${kind.model === 'returnorder' ? 'return_order' : 'purchase_order'}.items_received`,
        name: 'Items Received',
        message: `Items of the ${kind.name} ${name} were received.`,
        accounts: excludeActors(actors),
      }
    case 'overdue':
      return {
        category: getOverdueCategory(kind),
        name: `Overdue ${title}`,
        message: `The ${kind.name} ${name} has been overdue since ${order.target_date}.`,
        accounts: [...order.responsible, ...(order.created_by === null ? [] : [order.created_by])],
        // once for each target date
        occasion: order.target_date as string,
      }
  }
}

/** SQL: the order `o` is open, and its target date has passed. */
const createOverdueCondition = (kind: HeaderKind) => `(o.status in ${openStates(kind)} and o.target_date < current_date)`

async function findOrder(tx: Tx, kind: HeaderKind, pk: number): Promise<Order | undefined> {
  return tx.first<Order>(
    `select o.pk, o.reference, ${hasPrices(kind) ? 'c.name' : 'null::text'} as company, o.created_by, o.target_date::text as target_date,
       coalesce(${createOverdueCondition(kind)}, false) as is_overdue,
       array(${selectOwnerAccounts('o.responsible')}) as responsible
     from ${tableName(kind.table)} o${hasPrices(kind) ? ` left join company c on c.pk = o.${quote(kind.company)}` : ''} where o.pk = $1`,
    [pk],
  )
}

/** Overdue orders, by type. */
export const overdueOrders: readonly OverdueKind[] = orderKinds.map((kind) => ({
  model: kind.model,
  table: tableName(kind.table),
  category: getOverdueCategory(kind),
  isOverdueSql: createOverdueCondition(kind),
  recipientColumns: ['responsible', 'created_by'],
}))
