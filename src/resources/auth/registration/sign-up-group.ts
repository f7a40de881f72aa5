import type { Exchange } from '../../../kit/request/exchange.ts'
import type { Services } from '../../../kit/services/services.ts'
import { queryWithin } from '../../../kit/sql/run-query.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../../settings/live.ts'
import { globalStore } from '../../../settings/store.ts'
import { recordSettingChange } from '../../settings/record-setting-change.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'

/** Default group of new accounts. It is created on first use. */
const DEFAULT_GROUP = 'Members'

/**
 * Adds a new account to the group of the setting SIGNUP_GROUP, by default `Members`. If the named group no longer exists, the
 * account joins none, since the permissions intended for it are unknown.
 */
export async function joinSignUpGroup(
  context: Pick<Services, 'settings' | 'log'> & { tx: Tx; exchange?: Exchange },
  user: number,
): Promise<void> {
  const { tx, log } = context
  const name = setting(context, 'SIGNUP_GROUP')
  if (!name) await createDefaultGroup(context)
  const joined = await tx.first(
    `insert into user_group_member ("user", "group") select $1, pk from user_group where name = $2
     on conflict do nothing returning pk`,
    [user, name || DEFAULT_GROUP],
  )
  if (!joined) log.warn({ group: name }, 'a new account joined no group: the group in SIGNUP_GROUP does not exist')
}

/**
 * Grants every permission in every role except `admin`. An existing group of this name is not changed. From then on the setting names the group:
 * if it is renamed or deleted, registering no longer grants these permissions.
 */
async function createDefaultGroup(context: { tx: Tx; exchange?: Exchange }): Promise<void> {
  const { tx } = context
  if (await tx.first('select 1 from user_group where name = $1', [DEFAULT_GROUP])) return
  const created = await tx.first<{ pk: number }>(
    'insert into user_group (name) values ($1) on conflict do nothing returning pk',
    [DEFAULT_GROUP],
  )
  if (!created) return
  await tx.query(
    `update rule_set set can_view = name <> 'admin', can_add = name <> 'admin', can_change = name <> 'admin', can_delete = name <> 'admin'
     where "group" = $1`,
    [created.pk],
  )
  const settings = globalStore(queryWithin(tx))
  const before = await settings.row('SIGNUP_GROUP')
  await recordSettingChange(context, before, await settings.save(before.key, DEFAULT_GROUP))
  await recordEvent(context, {
    kind: 'group_changed',
    details: { group: created.pk, name: { before: null, after: DEFAULT_GROUP } },
  })
}
