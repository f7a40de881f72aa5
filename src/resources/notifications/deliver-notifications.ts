import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { composeBuildNotification } from './build-notifications.ts'
import { composeErrorNotification, ERROR_REPORTED } from './error-notifications.ts'
import type { NotificationContent, PendingNotification } from './notification-kinds.ts'
import { mailNotifications } from './notification-mail.ts'
import { notifyOverdue } from './notify-overdue.ts'
import { composeOrderNotification } from './order-notifications.ts'
import { composeLowStockNotification } from './part-notifications.ts'
import { composePrintNotification, PRINT_FAILED } from './print-notifications.ts'
import { composeReleaseNotification } from './release-notifications.ts'
import { composeStocktakeNotification } from './stocktake-notifications.ts'

/** Milliseconds between searches for pending notifications, and between searches for overdue orders. */
const CHECK_INTERVAL_MS = 2_000
const OVERDUE_CHECK_INTERVAL_MS = 60_000

/**
 * Delivers pending notifications in the order of their creation. Each is deleted in the transaction that notifies the accounts, so it is
 * delivered once, whichever node delivers it and even if a node dies (ADR 0028). One that fails is retried the next time.
 */
export async function deliverNotifications(services: Services): Promise<void> {
  await services.settings.upToDate()
  for (let last = 0; ; ) {
    const next = { pk: last }
    try {
      const isDelivered = await services.database.transaction((tx) => deliverNext({ ...services, tx }, last, next))
      if (!isDelivered) return
    } catch (error) {
      services.log.warn({ err: error, notice: next.pk }, 'could not notify accounts')
      if (next.pk === last) return
    }
    last = next.pk
  }
}

/**
 * Delivers the first pending notification after `last` that no other node is delivering and that has no equal one before it, and sets `next`
 * to its key. Returns false if there is none.
 */
async function deliverNext(context: Services & { tx: Tx }, last: number, next: { pk: number }): Promise<boolean> {
  const { tx } = context
  const first = await tx.first<Omit<PendingNotification, 'actors'> & { actor: number | null }>(
    `delete from notice where pk = (
       select pk from notice n where pk > $1 and not exists (
         select from notice where kind = n.kind and model = n.model and target = n.target and pk < n.pk
       ) order by pk limit 1 for update skip locked
     ) returning pk, kind, model, target, actor`,
    [last],
  )
  if (!first) return false
  next.pk = first.pk
  const { actor, ...pendingEvent } = first
  let pendingNotification: PendingNotification = { ...pendingEvent, actors: [actor] }
  const compose = selectComposer(pendingNotification)
  let content = await compose(tx, pendingNotification)
  // pending notifications created before the object was read are delivered with it; if there are more, the object is read again
  for (let more = await deleteDuplicates(tx, pendingEvent); more.length > 0; more = await deleteDuplicates(tx, pendingEvent)) {
    pendingNotification = { ...pendingNotification, actors: [...pendingNotification.actors, ...more] }
    content = await compose(tx, pendingNotification)
  }
  if (content) await createNotifications(context, content, pendingNotification)
  return true
}

function selectComposer({
  kind,
  model,
}: PendingNotification): (tx: Tx, pendingNotification: PendingNotification) => Promise<NotificationContent | undefined> {
  if (kind === 'low_stock') return composeLowStockNotification
  if (kind === PRINT_FAILED) return composePrintNotification
  if (kind === 'stocktake') return composeStocktakeNotification
  if (kind === 'released') return composeReleaseNotification
  if (kind === ERROR_REPORTED) return composeErrorNotification
  return model === 'build' ? composeBuildNotification : composeOrderNotification
}

/** Deletes equal pending notifications created since, because stock and orders change often. Returns their actors, the last one last. */
async function deleteDuplicates(
  tx: Tx,
  { kind, model, target }: Omit<PendingNotification, 'actors'>,
): Promise<(number | null)[]> {
  const duplicates = await tx.query<{ actor: number | null }>(
    `with deleted as (
       delete from notice where pk in (
         select pk from notice where kind = $1 and model = $2 and target = $3 order by pk for update skip locked
       ) returning pk, actor
     ) select actor from deleted order by pk`,
    [kind, model, target],
  )
  return duplicates.map(({ actor }) => actor)
}

async function createNotifications(
  context: Services & { tx: Tx },
  content: NotificationContent,
  { actors, target: pk }: PendingNotification,
): Promise<void> {
  const { tx } = context
  const activeAccounts = await tx.query<{ pk: number }>(
    'select pk from user_account where pk = any($1::integer[]) and is_active order by pk for key share',
    [content.accounts],
  )
  const active = activeAccounts.map((account) => account.pk)
  const recipients = await filterUnnotified(tx, content, pk, active)
  if (recipients.length === 0) return
  const { category, name, message, target } = content
  const newNotifications = await tx.query<{ pk: number; user: number }>(
    `insert into notification ("user", category, name, message, target, source)
     select account, $3, $4, $5, $6,
       case when s.pk is not null then json_build_object('name', s.username, 'model', 'user', 'pk', s.pk) end
     from unnest($1::integer[], $2::integer[]) as recipient (account, source) left join user_account s on s.pk = recipient.source
     returning pk, "user"`,
    [recipients, recipients.map((account) => sourceFor(account, actors)), category, name, message, target],
  )
  await mailNotifications(context, newNotifications)
}

/** Filters out accounts that were already notified. Of two concurrent calls, one waits for the other and then returns none. */
async function filterUnnotified(
  tx: Tx,
  { category, occasion, isRepeated = false }: NotificationContent,
  target: number,
  accounts: number[],
): Promise<number[]> {
  if (isRepeated) return accounts
  if (occasion !== undefined) {
    // recorded for all accounts, even if there was none to notify
    const newRecords = await tx.first(
      `insert into told_notice (category, target, occasion) values ($1, $2, $3) on conflict do nothing returning 1 as is_new`,
      [category, target, occasion],
    )
    return newRecords ? accounts : []
  }
  const newRecords = await tx.query<{ user: number }>(
    `insert into told_notice as t (category, target, "user") select $1, $2, account from unnest($3::integer[]) account
     on conflict (category, target, occasion, "user") do update set told = now() where t.told < now() - interval '1 day'
     returning "user"`,
    [category, target, accounts],
  )
  return newRecords.map(({ user }) => user)
}

/** The actor to name to an account: the last one other than itself, if any. */
function sourceFor(account: number, actors: PendingNotification['actors']): number | null {
  const others = actors.filter((actor) => actor !== account)
  return (others.length > 0 ? others : actors).at(-1) ?? null
}

/** Delivers notifications regularly while the service runs. Returns a function that stops it. */
export function scheduleNotifications(services: Services): () => void {
  const { log, database } = services
  const stops = [
    runRepeatedly(CHECK_INTERVAL_MS, async () => {
      const warn = (error: unknown) => log.warn({ err: error }, 'could not look for pending notifications')
      await deliverNotifications(services).catch(warn)
    }),
    runRepeatedly(OVERDUE_CHECK_INTERVAL_MS, async () => {
      const warn = (error: unknown) => log.warn({ err: error }, 'could not look for overdue orders')
      await database.transaction(notifyOverdue).catch(warn)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Runs work at an interval, one run at a time. Returns a function that stops it. */
function runRepeatedly(milliseconds: number, work: () => Promise<void>): () => void {
  let isBusy = false
  const timer = setInterval(async () => {
    if (isBusy) return
    isBusy = true
    await work()
    isBusy = false
  }, milliseconds).unref()
  return () => clearInterval(timer)
}
