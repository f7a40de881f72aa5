import type { Queue } from '../../kit/services/jobs.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { instanceName } from '../../settings/instance-name.ts'
import { createLink, encodeUid, findAccountsByAddress, type LinkKind } from '../auth/links.ts'
import { createInvitationToken, lockInvitationOfMail } from '../user/invitation/invitation-token.ts'
import { type MailContext, type MailKind, type MailText, mailTexts, renderHtml, renderText } from './mail-texts.ts'
import { createPluginDelivery } from './plugin-delivery.ts'
import { createMailTransport, DeliveryError, type Message } from './transport.ts'

/**
 * An email to send to an account. Without `user` it goes to the owner of the address: the accounts are looked up afterwards, so that the
 * request takes the same time whether or not there is one.
 */
export type Mail =
  | { kind: Exclude<MailKind, 'notification' | 'invitation'>; user: number; address: string }
  | { kind: 'notification'; user: number; address: string; notification: number }
  | { kind: 'invitation'; address: string; invitation: number }
  | { kind: 'verify' | 'reset' | 'sign_in'; user?: undefined; address: string }

const QUEUE = 'mail'

/** Exactly one address. Text with line breaks, or that looks like several addresses, is never put into a header. */
const ADDRESS = /^(?!.{255})[^\s\p{C}@<>"(),:;\\[\]]+@[^\s\p{C}@<>"(),:;\\[\]]+$/u

/** The link in an email of each kind that has one; `welcome` has a longer lifetime than the link's default. */
const LINKS: Partial<Record<MailKind, { kind: LinkKind; lifetime?: number }>> = {
  verify: { kind: 'verify' },
  reset: { kind: 'reset' },
  password_link: { kind: 'reset' },
  sign_in: { kind: 'sign_in' },
  welcome: { kind: 'reset', lifetime: 3 * 86_400 },
}

/** Kinds that an anonymous caller can request, and test emails; these are rate limited. */
const REQUESTED_KINDS: ReadonlySet<MailKind> = new Set(['verify', 'reset', 'sign_in', 'address_taken', 'test'])

/** Maximum number of emails of each of these kinds to one address in an hour, however many accounts have the address. */
const MAX_MAILS_PER_HOUR = 5

/**
 * Queues one email in a transaction: it is sent after the commit, and never without one. A request that comes too soon
 * (MAIL_AGAIN_SECONDS), too often for one address, or for an invalid address is silently ignored (docs/decisions.md#rate-limits).
 * @returns the key of the queued email; undefined if the request is ignored
 */
export async function sendMail(
  { tx, config, jobs }: Pick<Services, 'config' | 'jobs'> & { tx: Tx },
  mail: Mail,
): Promise<number | undefined> {
  const { kind, address } = mail
  const user = ('user' in mail ? mail.user : undefined) ?? null
  const notification = 'notification' in mail ? mail.notification : null
  const invitation = 'invitation' in mail ? mail.invitation : null
  if (!ADDRESS.test(address)) return undefined
  if (REQUESTED_KINDS.has(kind)) {
    // of two concurrent requests, one has to see the email of the other
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('mail ' || lower($1::text collate "C"), 0))`, [address])
    if (await isRateLimited(tx, config.mailAgainSeconds, { kind, user, address })) return undefined
  }
  const row = await tx.first<{ pk: number }>(
    'insert into outgoing_mail (kind, "user", address, notification, invitation) values ($1, $2, $3, $4, $5) returning pk',
    [kind, user, address, notification, invitation],
  )
  if (row) await jobs.send(tx, QUEUE, { mail: row.pk })
  return row?.pk
}

/**
 * Whether an email was requested recently, or was sent to the address too often. An email still to be resolved to accounts does not count
 * as sent.
 */
async function isRateLimited(
  tx: Tx,
  minIntervalSeconds: number,
  { kind, user, address }: { kind: MailKind; user: number | null; address: string },
): Promise<boolean> {
  const match = await tx.first<{ is_limited: boolean }>(
    `select coalesce(bool_or("user" is not distinct from $3::integer and created > now() - make_interval(secs => $4)), false)
         or ($3::integer is not null and count("user") filter (where created > now() - interval '1 hour') >= $5) as is_limited
     from outgoing_mail where lower(address) = lower($1::varchar collate "C") and kind = $2
       and created > now() - greatest(interval '1 hour', make_interval(secs => $4))`,
    [address, kind, user, minIntervalSeconds, MAX_MAILS_PER_HOUR],
  )
  return match?.is_limited ?? false
}

type Row = {
  pk: number
  kind: MailKind
  user: number | null
  address: string
  notification: number | null
  invitation: number | null
  state: string
  created_seconds: number
}

/** The background queue that sends emails: attempts over about two hours, from half a minute to an hour apart. */
export function createMailQueue(services: Services): Queue<{ mail: number }> {
  const { database, log } = services
  const deliver = createPluginDelivery(services, createMailTransport(services.config, log))
  const recordOutcome = (pk: number, state: string, error: string | null) =>
    database.transaction((tx) =>
      tx.query(
        `update outgoing_mail set state = $2::varchar, error = $3, sent = case when $2 = 'sent' then now() end
         where pk = $1 and (state = 'sending' or (state = 'unknown' and $2 = 'sent'))`,
        [pk, state, error?.slice(0, 500) ?? null],
      ),
    )
  return {
    name: QUEUE,
    retries: 8,
    retryDelay: 30,
    retryDelayMax: 3_600,
    timeoutSeconds: 120,
    async handle({ mail: pk }, { isLast, signal }) {
      await services.settings.upToDate()
      const message = await database.transaction((tx) => prepare({ ...services, tx }, pk))
      if (!message) return
      let file: string | undefined
      try {
        file = await deliver(message, signal)
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error
        const { outcome, message: reason } = error
        if (outcome === 'refused' && !isLast) {
          await recordOutcome(pk, 'queued', reason)
          throw error
        }
        await recordOutcome(pk, outcome === 'unknown' ? 'unknown' : 'failed', reason)
        const logMessage =
          outcome === 'unknown' ? 'it is unknown whether an email arrived; it is not sent again' : 'could not send an email'
        return log.warn({ mail: pk, reason }, logMessage)
      }
      await recordOutcome(pk, 'sent', file === undefined ? null : `written to ${file}`)
    },
  }
}

/**
 * Writes an email and marks it as being sent, which is committed before it is sent: if the process dies in between, the outcome is unknown,
 * and it is not sent again. Undefined if there is nothing to send.
 */
async function prepare(context: Services & { tx: Tx }, pk: number): Promise<Message | undefined> {
  const { tx, log, config } = context
  // the deletion of an account locks the account before its emails
  await tx.query('select from user_account where pk = (select "user" from outgoing_mail where pk = $1) for no key update', [pk])
  await lockInvitationOfMail(tx, pk)
  const row = await tx.first<Row>(
    `select pk, kind, "user", address, notification, invitation, state, extract(epoch from created)::integer as created_seconds from outgoing_mail where pk = $1 for no key update`,
    [pk],
  )
  const setState = (state: string, error: string | null) =>
    tx.query('update outgoing_mail set state = $2, error = $3 where pk = $1', [pk, state, error])
  if (row?.state === 'sending') {
    await setState('unknown', 'the sending process ended')
    tx.after(() => log.warn({ mail: pk }, 'it is unknown whether an email arrived; it is not sent again'))
  }
  if (row?.state !== 'queued') return undefined
  if (row.user === null && row.invitation === null) {
    await setState(...(await sendToAccounts(context, row)))
    return undefined
  }
  const mailContext = await readMailContext(context, row)
  if (!mailContext) {
    await setState('failed', 'it is no longer needed')
    return undefined
  }
  await tx.query(`update outgoing_mail set state = 'sending', attempts = attempts + 1 where pk = $1`, [pk])
  const content: MailText = mailTexts[row.kind](mailContext)
  return {
    id: `mail.${pk}.${row.created_seconds}@${new URL(config.siteUrl).hostname}`,
    to: row.address,
    subject: `[${mailContext.instance}] ${content.subject}`,
    text: renderText(content, mailContext),
    html: renderHtml(content, mailContext),
    link: content.link?.url,
  }
}

/**
 * Replaces an email to the owner of an address with one for each account that has it, to the address as stored in the account, not as it
 * was typed.
 */
async function sendToAccounts(
  context: Services & { tx: Tx },
  { kind, address }: Row,
): Promise<[state: string, error: string | null]> {
  const accounts = await findAccountsByAddress(context.tx, LINKS[kind]?.kind as LinkKind, address)
  for (const account of accounts.slice(0, MAX_MAILS_PER_HOUR)) await sendMail(context, { kind: kind as LinkKind, ...account })
  // old ones are no longer needed, and would disclose which addresses were tried
  await context.tx.query(`delete from outgoing_mail where "user" is null and created < now() - interval '1 day'`)
  return accounts.length ? ['sent', null] : ['failed', 'no account has this address']
}

async function readMailContext(
  context: Services & { tx: Tx },
  { kind, user, address, notification, invitation }: Row,
): Promise<MailContext | undefined> {
  const { tx, config } = context
  const instance = stripControls(instanceName(context))
  if (user === null) {
    const token = await createInvitationToken(tx, invitation as number)
    return { instance, site: config.siteUrl, username: address, address, token, uid: '' }
  }
  const account = await tx.first<{ username: string }>('select username from user_account where pk = $1', [user])
  const link = LINKS[kind]
  const token = link ? await createLink(tx, { kind: link.kind, user, address }, link.lifetime) : ''
  const notificationText = notification === null ? undefined : await readNotificationText(tx, notification)
  if (!account || token === undefined || (kind === 'notification' && !notificationText)) return undefined
  return {
    instance,
    site: config.siteUrl,
    username: stripControls(account.username),
    address,
    token,
    uid: encodeUid(user),
    notificationText,
  }
}

/** The content of a notification; undefined if it was deleted. */
async function readNotificationText(tx: Tx, pk: number): Promise<MailContext['notificationText']> {
  const row = await tx.first<{ name: string; message: string | null; target: { name: string; link?: string } | null }>(
    'select name, message, target from notification where pk = $1',
    [pk],
  )
  return (
    row && {
      name: stripControls(row.name),
      message: stripControls(row.message ?? ''),
      about: stripControls(row.target?.name ?? ''),
      link: row.target?.link,
    }
  )
}

/** Replaces control characters with spaces, so that the result is one line. */
const stripControls = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ').trim()
