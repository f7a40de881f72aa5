import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { buildNews } from './build-notifications.ts'
import { ERROR_REPORTED, errorNews } from './error-notifications.ts'
import type { News, Notice } from './news.ts'
import { mailNotifications } from './notification-mail.ts'
import { notifyOverdue } from './notify-overdue.ts'
import { orderNews } from './order-notifications.ts'
import { lowStockNews } from './part-notifications.ts'
import { PRINT_FAILED, printNews } from './print-notifications.ts'
import { releaseNews } from './release-notifications.ts'
import { stocktakeNews } from './stocktake-notifications.ts'

/** Milliseconds between searches for notices, and between searches for overdue orders. */
const CHECK_INTERVAL_MS = 2_000
const EVERY_OVERDUE = 60_000

/**
 * Delivers notices to accounts in the order of their creation. Each notice is deleted in the transaction that notifies them, so it is
 * delivered once, whichever node does it and whenever one dies (ADR 0028). A notice that fails is retried next time.
 */
export async function deliverNotifications(services: Services): Promise<void> {
  await services.settings.upToDate()
  for (let last = 0; ; ) {
    const next = { pk: last }
    try {
      const found = await services.database.transaction((tx) => deliverNext({ ...services, tx }, last, next))
      if (!found) return
    } catch (error) {
      services.log.warn({ err: error, notice: next.pk }, 'could not notify accounts')
      if (next.pk === last) return
    }
    last = next.pk
  }
}

/**
 * Delivers the first notice after `last` that no other node is delivering, without an equal one before it. Returns false if there is none,
 * and sets `next` to its key.
 */
async function deliverNext(context: Services & { tx: Tx }, last: number, next: { pk: number }): Promise<boolean> {
  const { tx } = context
  const first = await tx.first<Omit<Notice, 'actors'> & { actor: number | null }>(
    `delete from notice where pk = (
       select pk from notice n where pk > $1 and not exists (
         select from notice where kind = n.kind and model = n.model and target = n.target and pk < n.pk
       ) order by pk limit 1 for update skip locked
     ) returning pk, kind, model, target, actor`,
    [last],
  )
  if (!first) return false
  next.pk = first.pk
  const { actor, ...noted } = first
  let notice: Notice = { ...noted, actors: [actor] }
  const teller = tellerOf(notice)
  let news = await teller(tx, notice)
  // notices created before the object was read are delivered with it; if there are more, the object is read again
  for (let more = await takeSame(tx, noted); more.length > 0; more = await takeSame(tx, noted)) {
    notice = { ...notice, actors: [...notice.actors, ...more] }
    news = await teller(tx, notice)
  }
  if (news) await tell(context, news, notice)
  return true
}

function tellerOf({ kind, model }: Notice): (tx: Tx, notice: Notice) => Promise<News | undefined> {
  if (kind === 'low_stock') return lowStockNews
  if (kind === PRINT_FAILED) return printNews
  if (kind === 'stocktake') return stocktakeNews
  if (kind === 'released') return releaseNews
  if (kind === ERROR_REPORTED) return errorNews
  return model === 'build' ? buildNews : orderNews
}

/** Takes equal notices created meanwhile, since stock and orders change often. Returns their actors, the last one last. */
async function takeSame(tx: Tx, { kind, model, target }: Omit<Notice, 'actors'>): Promise<(number | null)[]> {
  const same = await tx.query<{ actor: number | null }>(
    `with same as (
       delete from notice where pk in (
         select pk from notice where kind = $1 and model = $2 and target = $3 order by pk for update skip locked
       ) returning pk, actor
     ) select actor from same order by pk`,
    [kind, model, target],
  )
  return same.map(({ actor }) => actor)
}

async function tell(context: Services & { tx: Tx }, news: News, { actors, target: pk }: Notice): Promise<void> {
  const { tx } = context
  const found = await tx.query<{ pk: number }>(
    'select pk from user_account where pk = any($1::integer[]) and is_active order by pk for key share',
    [news.accounts],
  )
  const active = found.map((account) => account.pk)
  const unaware = await withoutTold(tx, news, pk, active)
  if (unaware.length === 0) return
  const { category, name, message, target } = news
  const told = await tx.query<{ pk: number; user: number }>(
    `insert into notification ("user", category, name, message, target, source)
     select account, $3, $4, $5, $6,
       case when s.pk is not null then json_build_object('name', s.username, 'model', 'user', 'pk', s.pk) end
     from unnest($1::integer[], $2::integer[]) as told (account, source) left join user_account s on s.pk = told.source
     returning pk, "user"`,
    [unaware, unaware.map((account) => sourceFor(account, actors)), category, name, message, target],
  )
  await mailNotifications(context, told)
}

/** Filters out accounts that were already notified. Of two concurrent calls one waits for the other, and gets none. */
async function withoutTold(
  tx: Tx,
  { category, occasion, isRepeated = false }: News,
  target: number,
  accounts: number[],
): Promise<number[]> {
  if (isRepeated) return accounts
  if (occasion !== undefined) {
    // counts for all accounts, even if none was there to be notified
    const taken = await tx.first(
      `insert into told_notice (category, target, occasion) values ($1, $2, $3) on conflict do nothing returning 1 as is_news`,
      [category, target, occasion],
    )
    return taken ? accounts : []
  }
  const taken = await tx.query<{ user: number }>(
    `insert into told_notice as t (category, target, "user") select $1, $2, account from unnest($3::integer[]) account
     on conflict (category, target, occasion, "user") do update set told = now() where t.told < now() - interval '1 day'
     returning "user"`,
    [category, target, accounts],
  )
  return taken.map(({ user }) => user)
}

/** The actor to name to an account: the last one other than itself, if any. */
function sourceFor(account: number, actors: Notice['actors']): number | null {
  const others = actors.filter((actor) => actor !== account)
  return (others.length > 0 ? others : actors).at(-1) ?? null
}

/** Delivers notifications regularly while the service runs. Returns a function that stops it. */
export function keepNotified(services: Services): () => void {
  const { log, database } = services
  const stops = [
    repeat(CHECK_INTERVAL_MS, async () => {
      const warn = (error: unknown) => log.warn({ err: error }, 'could not look for pending notifications')
      await deliverNotifications(services).catch(warn)
    }),
    repeat(EVERY_OVERDUE, async () => {
      const warn = (error: unknown) => log.warn({ err: error }, 'could not look for overdue orders')
      await database.transaction(notifyOverdue).catch(warn)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Runs work at an interval, one run at a time. Returns a function that stops it. */
function repeat(milliseconds: number, work: () => Promise<void>): () => void {
  let isBusy = false
  const timer = setInterval(async () => {
    if (isBusy) return
    isBusy = true
    await work()
    isBusy = false
  }, milliseconds).unref()
  return () => clearInterval(timer)
}
