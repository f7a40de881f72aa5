import { hashToken, randomToken } from '../../../kit/services/secrets.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { lockAccount } from '../../auth/lock-account.ts'

/** A valid invitation. */
export type Invitation = {
  pk: number
  email: string
  is_staff: boolean
  is_superuser: boolean
  is_mailed: boolean
  /** ISO 8601, in UTC. */
  expires: string
  created_by: number
  /** The name of the account that invited. */
  invited_by: string
}

/** A group that the invited person joins. */
type Group = { pk: number; name: string }

/**
 * Creates the token of an invitation, of which only the hash is stored. An earlier token becomes invalid.
 * @returns the token
 */
export async function createInvitationToken(tx: Tx, pk: number): Promise<string> {
  const token = randomToken()
  await tx.query('update invitation set token_hash = $2 where pk = $1', [pk, hashToken(token)])
  return token
}

/** Locks the invitation of an email, if it has one. Its deletion locks it before its emails. */
export const lockInvitationOfMail = (tx: Tx, mail: number) =>
  tx.query('select from invitation where pk = (select invitation from outgoing_mail where pk = $1) for no key update', [mail])

/** Finds the invitation of a token; undefined when it does not exist, has expired, or its creator no longer is an active superuser. */
export const findInvitation = (tx: Tx, token: string): Promise<Invitation | undefined> =>
  tx.first<Invitation>(
    `select i.pk, i.email, i.is_staff, i.is_superuser, i.is_mailed, i.created_by, u.username as invited_by,
       to_char(i.expires, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as expires
     from invitation i join user_account u on u.pk = i.created_by
     where i.token_hash = $1 and i.expires > now() and u.is_active and u.is_superuser`,
    [hashToken(token)],
  )

/** Like `findInvitation`, but also deletes it: of several concurrent requests one gets it. */
export async function useInvitation(tx: Tx, token: string): Promise<(Invitation & { groups: Group[] }) | undefined> {
  const found = await findInvitation(tx, token)
  if (!found) return undefined
  await lockAccount(tx, found.created_by)
  // another request may have used it, or demoted its creator, while this one waited
  const current = await findInvitation(tx, token)
  if (!current) return undefined
  const groups = await tx.query<Group>(
    'select g.pk, g.name from invitation_group i join user_group g on g.pk = i."group" where i.invitation = $1 order by g.name',
    [current.pk],
  )
  await tx.query('delete from invitation where pk = $1', [current.pk])
  return { ...current, groups }
}
