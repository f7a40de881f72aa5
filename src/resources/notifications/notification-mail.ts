import type { Services } from '../../kit/services/services.ts'
import { queryWithin } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { readPluginSetting, toSettings } from '../../plugin-host/plugin-settings.ts'
import plugin from '../../plugins/inventreecorenotificationsplugin.ts'
import { notificationSettings } from '../../settings/notification.definitions.ts'
import { parseValue } from '../../settings/value.ts'
import { sendMail } from '../email/mail.ts'

const SETTING_KEY = 'NOTIFICATION_METHOD_MAIL'

/**
 * Also sends notifications by email, if the notifications plugin is active with emails enabled, to accounts that want them and have a
 * verified primary address.
 */
export async function mailNotifications(
  context: Services & { tx: Tx },
  notifications: readonly { pk: number; user: number }[],
): Promise<void> {
  const { tx } = context
  if (!(await isEnabled(tx))) return
  const addresses = await tx.query<{ notification: number; user: number; address: string; wanted: string | null }>(
    `select n.pk as notification, n."user", e.email as address, s.value as wanted
     from notification n
     join email_address e on e."user" = n."user" and e."primary" and e.verified
     left join notification_user_setting s on s."user" = n."user" and s.method = 'mail' and s.key = $2
     where n.pk = any($1::integer[]) order by n.pk`,
    [notifications.map(({ pk }) => pk), SETTING_KEY],
  )
  for (const { wanted, ...mail } of addresses)
    if (parseValue(notificationSettings[SETTING_KEY] as never, wanted ?? undefined))
      await sendMail(context, { kind: 'notification', ...mail })
}

async function isEnabled(tx: Tx): Promise<boolean> {
  const activeConfig = await tx.first('select 1 as is_on from plugin_config where key = $1 and active', [plugin.slug])
  if (!activeConfig) return false
  const settings = toSettings(plugin.settings ?? {})
  return (await readPluginSetting(queryWithin(tx), plugin.slug, settings, 'ENABLE_NOTIFICATION_EMAILS')) === true
}
