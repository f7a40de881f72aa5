import type { Tx } from '../../kit/sql/tx.ts'
import { userSettings } from '../../settings/registry.ts'
import { parseValue } from '../../settings/value.ts'
import type { NotificationContent } from './notification-kinds.ts'

/** Kind of pending notification for errors of the service itself; the same for all reports, so that they become one notification. */
export const ERROR_REPORTED = 'error'

const SETTING_KEY = 'NOTIFICATION_ERROR_REPORT'

type NewestReport = { pk: number; info: string; path: string | null }

/**
 * The notification of errors of the service, for staff, who alone can read error reports, except accounts that opted out
 * (NOTIFICATION_ERROR_REPORT). Each account is notified at most once a day. Undefined if the reports were deleted.
 */
export async function composeErrorNotification(tx: Tx): Promise<NotificationContent | undefined> {
  const newest = await tx.first<NewestReport>('select pk, info, path from error_report order by pk desc limit 1')
  if (!newest) return undefined
  const accounts = await tx.query<{ pk: number; wanted: string | null }>(
    `select account.pk, s.value as wanted from user_account account
     left join user_setting s on s."user" = account.pk and s.key = $1
     where account.is_active and (account.is_staff or account.is_superuser) order by account.pk`,
    [SETTING_KEY],
  )
  return {
    category: 'inventree.error_log',
    name: 'Server Error',
    message: `The service failed${newest.path ? ` at ${newest.path}` : ' in the background'}: ${newest.info}`.slice(0, 1_000),
    target: { name: 'Error report', model: 'error', pk: newest.pk, link: `/api/error-report/${newest.pk}/` },
    accounts: accounts.filter(({ wanted }) => parseValue(userSettings[SETTING_KEY], wanted ?? undefined)).map(({ pk }) => pk),
  }
}
