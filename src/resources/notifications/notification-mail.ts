import type { Services } from '../../kit/services/services.ts'
import { queryWithin } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { readPluginSetting, toSettings } from '../../plugin-host/plugin-settings.ts'
import plugin from '../../plugins/inventreecorenotificationsplugin.ts'
import { notificationSettings } from '../../settings/notification.definitions.ts'
import { parseValue } from '../../settings/value.ts'
import { sendMail } from '../email/mail.ts'

type Recipient = { notification: number; user: number; address: string; category: string; stored: Record<string, string> }

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
  const recipients = await tx.query<Recipient>(
    `select n.pk as notification, n."user", n.category, e.email as address,
       coalesce((select json_object_agg(s.key, s.value) from notification_user_setting s
         where s."user" = n."user" and s.method = 'mail'), '{}') as stored
     from notification n
     join email_address e on e."user" = n."user" and e."primary" and e.verified
     where n.pk = any($1::integer[]) order by n.pk`,
    [notifications.map(({ pk }) => pk)],
  )
  for (const { category, stored, ...mail } of recipients)
    if (isMailWanted(category, stored)) await sendMail(context, { kind: 'notification', ...mail })
}

/** Whether every setting about a category is on: that of the method, and that of its kind. */
const isMailWanted = (category: string, stored: Record<string, string>): boolean =>
  Object.entries(notificationSettings)
    .filter(([, { categories }]) => categories?.test(category) ?? true)
    .every(([key, setting]) => parseValue(setting as never, stored[key]))

async function isEnabled(tx: Tx): Promise<boolean> {
  const activeConfig = await tx.first('select 1 as is_on from plugin_config where key = $1 and active', [plugin.slug])
  if (!activeConfig) return false
  const settings = toSettings(plugin.settings ?? {})
  return (await readPluginSetting(queryWithin(tx), plugin.slug, settings, 'ENABLE_NOTIFICATION_EMAILS')) === true
}
