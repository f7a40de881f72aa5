import { toPlainSql } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { getWebPage } from '../../web-pages.ts'
import { selectUsableParts } from '../bom/bom-lines.ts'
import { ACTIVE_STATES_SQL } from '../build/build-status.ts'
import { allocatedSql } from '../stock/allocated-quantities.ts'
import {
  type NotificationContent,
  type OverdueKind,
  type PendingNotification,
  SELECT_SUBSCRIBERS,
  selectOwnerAccounts,
} from './notification-kinds.ts'
import type { BuildNotificationKind } from './notify.ts'

/** SQL: the build order `o` is active, and its target date has passed. */
const IS_OVERDUE = `(o.status in ${ACTIVE_STATES_SQL} and o.target_date < current_date)`

export const overdueBuilds: OverdueKind = {
  model: 'build',
  table: 'build_order',
  category: 'build.overdue_build_order',
  isOverdueSql: IS_OVERDUE,
  recipientColumns: ['responsible', 'issued_by'],
}

type Build = {
  pk: number
  reference: string
  full_name: string
  issued_by: number | null
  target_date: string | null
  is_overdue: boolean
  /** Accounts that are responsible for it; and those that wait for it, because of the parent build order or the sales order. */
  responsible: number[]
  waiting: number[]
  followers: number[]
  is_active: boolean
}

/** A component with less available than a build order needs; quantities in its units. */
type ShortComponent = { full_name: string; units: string | null; available: string; required: string }

/** Selects components with insufficient available stock, counting the component and the parts that may be used instead. */
const SHORT_COMPONENTS = `
  select component.full_name, component.units, trim_scale(greatest(available.quantity, 0))::text as available,
    trim_scale(line.quantity - line.consumed)::text as required
  from build_line line join bom_item item on item.pk = line.bom_item join part component on component.pk = line.part
  cross join lateral (
    select coalesce(sum(stock.in_stock - ${allocatedSql((column) => `stock.${column}`)}), 0)
      + coalesce((select sum(allocation.quantity) from build_allocation allocation where allocation.build_line = line.pk), 0) as quantity
    from part_quantity stock where stock.pk in (select usable.pk from ${toPlainSql(selectUsableParts('(select item.*)'))} usable)
  ) available
  where line.build = $1 and not item.consumable and not component.consumable
    and available.quantity < line.quantity - line.consumed
  order by line.pk`

/** Maximum number of components listed. */
const MAX_NAMED_COMPONENTS = 5

/** The notification for a build order; undefined if the order was deleted, or the pending notification no longer applies. */
export async function composeBuildNotification(
  tx: Tx,
  pendingNotification: PendingNotification,
): Promise<NotificationContent | undefined> {
  const build = await tx.first<Build>(
    `select o.pk, o.reference, part.full_name, o.issued_by, o.target_date::text as target_date,
       coalesce(${IS_OVERDUE}, false) as is_overdue, array(${selectOwnerAccounts('o.responsible')}) as responsible,
       coalesce(o.status in ${ACTIVE_STATES_SQL}, false) as is_active, array(${SELECT_SUBSCRIBERS}) as followers,
       array(
         ${selectOwnerAccounts('parent.responsible')} union ${selectOwnerAccounts('sales_order.responsible')} union select parent.issued_by union select sales_order.created_by
       ) as waiting
     from build_order o join part on part.pk = o.part
     left join build_order parent on parent.pk = o.parent left join sales_order on sales_order.pk = o.sales_order
     where o.pk = $1`,
    [pendingNotification.target],
  )
  if (!build || (pendingNotification.kind === 'overdue' && !build.is_overdue)) return undefined
  const name = `${build.reference} - ${build.full_name}`
  const target = { name, model: 'build', pk: build.pk, link: getWebPage('/api/build/', build.pk) }
  if (pendingNotification.kind !== 'lacks_stock')
    return {
      target,
      ...composeText(pendingNotification.kind as OtherBuildNotificationKind, build, name, pendingNotification.actors),
    }
  const shortComponents = build.is_active ? await tx.query<ShortComponent>(SHORT_COMPONENTS, [build.pk]) : []
  return shortComponents.length > 0 ? { target, ...composeStockRequired(build, name, shortComponents) } : undefined
}

/** Notifies the subscribers of the built part, even the author of the order, who may not know of the shortage either. */
function composeStockRequired(
  { followers }: Build,
  name: string,
  shortComponents: readonly ShortComponent[],
): Omit<NotificationContent, 'target'> {
  const amounts = shortComponents
    .slice(0, MAX_NAMED_COMPONENTS)
    .map(({ full_name, units, available, required }) => `${full_name} (${available} of ${required}${units ? ` ${units}` : ''})`)
  const remainingCount = shortComponents.length - amounts.length
  return {
    category: 'build.stock_required',
    name: 'Stock required for build order',
    message: `Stock is short for the new build order ${name}: ${[...amounts, ...(remainingCount > 0 ? [`${remainingCount} more`] : [])].join(', ')}.`,
    accounts: followers,
  }
}

type OtherBuildNotificationKind = Exclude<BuildNotificationKind, 'lacks_stock'>

/** The texts of each notification, and its recipients. */
function composeText(
  notificationKind: OtherBuildNotificationKind,
  build: Build,
  name: string,
  actors: PendingNotification['actors'],
): Omit<NotificationContent, 'target'> {
  const { responsible, waiting, issued_by, target_date } = build
  /** Excludes accounts that caused every change themselves. */
  const excludeActors = (accounts: readonly (number | null)[], causes: PendingNotification['actors']) =>
    accounts.filter((pk): pk is number => pk !== null && causes.some((actor) => actor !== pk))
  switch (notificationKind) {
    case 'new':
      return {
        category: 'build.new_build',
        name: 'New Build Order',
        message: `You are responsible for the new build order ${name}.`,
        accounts: excludeActors(responsible, [issued_by]),
      }
    case 'responsible':
      return {
        category: 'build.responsible_build',
        name: 'Build Order assigned',
        message: `You are now responsible for the build order ${name}.`,
        accounts: excludeActors(responsible, actors.slice(-1)),
        // each reassignment is a notification of its own, and the last one determines the responsible owner
        isRepeated: true,
      }
    case 'held':
      return {
        category: 'build.held_build',
        name: 'Build Order put on hold',
        message: `The build order ${name}, for which you are responsible, was put on hold.`,
        accounts: excludeActors(responsible, actors),
        // it may be put on hold several times
        isRepeated: true,
      }
    case 'canceled':
      return {
        category: 'build.canceled_build',
        name: 'Build Order canceled',
        message: `The build order ${name}, for which you are responsible, was canceled.`,
        accounts: excludeActors(responsible, actors),
      }
    case 'completed':
      return {
        category: 'build.completed',
        name: 'Build order completed',
        message: `The build order ${name} is complete.`,
        accounts: [...new Set(excludeActors([issued_by, ...responsible, ...waiting], actors))],
      }
    case 'overdue':
      return {
        category: overdueBuilds.category,
        name: 'Overdue Build Order',
        message: `The build order ${name} has been overdue since ${target_date}.`,
        accounts: [...new Set([...responsible, ...(issued_by === null ? [] : [issued_by])])],
        // once for each target date
        occasion: target_date as string,
      }
  }
}
