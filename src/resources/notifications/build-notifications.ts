import { plainSql } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { webPage } from '../../web-pages.ts'
import { usableFor } from '../bom/lines-of.ts'
import { ACTIVE } from '../build/build-status.ts'
import { accountsOf, FOLLOWERS, type NotificationContent, type Overdue, type PendingNotification } from './notification-kinds.ts'
import type { BuildNotificationKind } from './notify.ts'

/** SQL: the build order `o` is active, and its target date has passed. */
const OVERDUE = `(o.status in ${ACTIVE} and o.target_date < current_date)`

export const overdueBuilds: Overdue = {
  model: 'build',
  table: 'build_order',
  category: 'build.overdue_build_order',
  isSo: OVERDUE,
  people: ['responsible', 'issued_by'],
}

type Build = {
  pk: number
  reference: string
  full_name: string
  issued_by: number | null
  target_date: string | null
  is_overdue: boolean
  /** Accounts that are responsible for it; and those waiting for it, of the parent build order and the sales order. */
  responsible: number[]
  waiting: number[]
  followers: number[]
  is_active: boolean
}

/** A component with less available than a build order needs; quantities in its units. */
type ShortComponent = { full_name: string; units: string | null; free: string; needed: string }

/** Selects components with insufficient available stock, counting the component and the parts that may be used instead. */
const SHORT_COMPONENTS = `
  select component.full_name, component.units, trim_scale(greatest(free.quantity, 0))::text as free,
    trim_scale(line.quantity)::text as needed
  from build_line line join bom_item item on item.pk = line.bom_item join part component on component.pk = line.part
  cross join lateral (
    select coalesce(sum(stock.in_stock - stock.allocated_to_sales_orders - stock.allocated_to_build_orders), 0)
      + coalesce((select sum(own.quantity) from build_allocation own where own.build_line = line.pk), 0) as quantity
    from part_quantity stock where stock.pk in (select usable.pk from ${plainSql(usableFor('(select item.*)'))} usable)
  ) free
  where line.build = $1 and not item.consumable and free.quantity < line.quantity
  order by line.pk`

/** Maximum number of components listed. */
const MAX_NAMED_COMPONENTS = 5

/** The notification for a build order; undefined if the order is gone, or the notice no longer applies. */
export async function composeBuildNotification(
  tx: Tx,
  pendingNotification: PendingNotification,
): Promise<NotificationContent | undefined> {
  const build = await tx.first<Build>(
    `select o.pk, o.reference, part.full_name, o.issued_by, o.target_date::text as target_date,
       coalesce(${OVERDUE}, false) as is_overdue, array(${accountsOf('o.responsible')}) as responsible,
       coalesce(o.status in ${ACTIVE}, false) as is_active, array(${FOLLOWERS}) as followers,
       array(
         ${accountsOf('above.responsible')} union ${accountsOf('sale.responsible')} union select above.issued_by union select sale.created_by
       ) as waiting
     from build_order o join part on part.pk = o.part
     left join build_order above on above.pk = o.parent left join sales_order sale on sale.pk = o.sales_order
     where o.pk = $1`,
    [pendingNotification.target],
  )
  if (!build || (pendingNotification.kind === 'overdue' && !build.is_overdue)) return undefined
  const name = `${build.reference} - ${build.full_name}`
  const target = { name, model: 'build', pk: build.pk, link: webPage('/api/build/', build.pk) }
  if (pendingNotification.kind !== 'lacks_stock')
    return {
      target,
      ...composeText(pendingNotification.kind as OtherBuildNotificationKind, build, name, pendingNotification.actors),
    }
  const short = build.is_active ? await tx.query<ShortComponent>(SHORT_COMPONENTS, [build.pk]) : []
  return short.length > 0 ? { target, ...composeStockRequired(build, name, short) } : undefined
}

/** Notifies the subscribers of the built part, including the author of the order: missing stock is news to all of them. */
function composeStockRequired(
  { followers }: Build,
  name: string,
  short: readonly ShortComponent[],
): Omit<NotificationContent, 'target'> {
  const amounts = short
    .slice(0, MAX_NAMED_COMPONENTS)
    .map(({ full_name, units, free: available, needed }) => `${full_name} (${available} of ${needed}${units ? ` ${units}` : ''})`)
  const remainingCount = short.length - amounts.length
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
  const without = (accounts: readonly (number | null)[], those: PendingNotification['actors']) =>
    accounts.filter((pk): pk is number => pk !== null && those.some((actor) => actor !== pk))
  switch (notificationKind) {
    case 'new':
      return {
        category: 'build.new_build',
        name: 'New Build Order',
        message: `You are responsible for the new build order ${name}.`,
        accounts: without(responsible, [issued_by]),
      }
    case 'responsible':
      return {
        category: 'build.responsible_build',
        name: 'Build Order assigned',
        message: `You are now responsible for the build order ${name}.`,
        accounts: without(responsible, actors.slice(-1)),
        // each reassignment is a notification of its own, and the last one determines the responsible owner
        isRepeated: true,
      }
    case 'canceled':
      return {
        category: 'build.canceled_build',
        name: 'Build Order canceled',
        message: `The build order ${name}, for which you are responsible, was canceled.`,
        accounts: without(responsible, actors),
      }
    case 'completed':
      return {
        category: 'build.completed',
        name: 'Build order completed',
        message: `The build order ${name} is complete.`,
        accounts: [...new Set(without([issued_by, ...responsible, ...waiting], actors))],
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
