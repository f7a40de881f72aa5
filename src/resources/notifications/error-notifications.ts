import type { Tx } from '../../kit/sql/tx.ts'
import { userSettings } from '../../settings/registry.ts'
import { parseValue } from '../../settings/value.ts'
import type { NotificationContent } from './notification-kinds.ts'

/** Kind of notice for errors of the service itself: one for any number of reports, so that they make one notification. */
export const ERROR_REPORTED = 'error'

const KEY = 'NOTIFICATION_ERROR_REPORT'

type Newest = { pk: number; info: string; path: string | null }

/**
 * The notification of errors of the service, for staff, who alone can read error reports, except accounts that opted out
 * (NOTIFICATION_ERROR_REPORT). Each account is notified once a day. Undefined if the reports are gone.
 */
export async function composeErrorNotification(tx: Tx): Promise<NotificationContent | undefined> {
  const newest = await tx.first<Newest>('select pk, info, path from error_report order by pk desc limit 1')
  if (!newest) return undefined
  const accounts = await tx.query<{ pk: number; wanted: string | null }>(
    `select account.pk, s.value as wanted from user_account account
     left join user_setting s on s."user" = account.pk and s.key = $1
     where account.is_active and (account.is_staff or account.is_superuser) order by account.pk`,
    [KEY],
  )
  return {
    category: 'inventree.error_log',
    name: 'Server Error',
    message: `The service failed${newest.path ? ` at ${newest.path}` : ' in the background'}: ${newest.info}`.slice(0, 1_000),
    target: { name: 'Error report', model: 'error', pk: newest.pk, link: `/api/error-report/${newest.pk}/` },
    accounts: accounts.filter(({ wanted }) => parseValue(userSettings[KEY], wanted ?? undefined)).map(({ pk }) => pk),
  }
}
