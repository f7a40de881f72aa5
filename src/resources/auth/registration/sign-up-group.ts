import type { Services } from '../../../kit/services/services.ts'
import { within } from '../../../kit/sql/run-query.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../settings/live.ts'
import { globalStore } from '../../settings/store.ts'

/** The group of new accounts where the setting names none. It is made when it is first needed. */
const MEMBERS = 'Members'

/**
 * Puts a new account into the group of the setting SIGNUP_GROUP, by default `Members` (decision 15). An account joins no group
 * when the one that the setting names is gone: which rights it was to have, nobody knows then.
 */
export async function joinSignUpGroup(context: Pick<Services, 'settings' | 'log'> & { tx: Tx }, user: number): Promise<void> {
  const { tx, log } = context
  const name = setting(context, 'SIGNUP_GROUP')
  if (!name) await makeMembers(tx)
  const joined = await tx.first(
    `insert into user_group_member ("user", "group") select $1, pk from user_group where name = $2
     on conflict do nothing returning pk`,
    [user, name || MEMBERS],
  )
  if (!joined) log.warn({ group: name }, 'a new account joined no group: the group in SIGNUP_GROUP does not exist')
}

/**
 * Every right in every role but `admin`. A group of this name that is there already stays as it is. The setting names the group
 * from now on: if it is renamed or deleted, nobody gets these rights again by registering.
 */
async function makeMembers(tx: Tx): Promise<void> {
  if (await tx.first('select 1 from user_group where name = $1', [MEMBERS])) return
  const made = await tx.first<{ pk: number }>('insert into user_group (name) values ($1) on conflict do nothing returning pk', [
    MEMBERS,
  ])
  if (!made) return
  await tx.query(
    `update rule_set set can_view = name <> 'admin', can_add = name <> 'admin', can_change = name <> 'admin', can_delete = name <> 'admin'
     where "group" = $1`,
    [made.pk],
  )
  await globalStore(within(tx)).save('SIGNUP_GROUP', MEMBERS)
}
