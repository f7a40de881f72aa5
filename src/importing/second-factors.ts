import type { PoolClient } from 'pg'

/** Models of second factors: of InvenTree since 1.0, and before. Their secrets are sealed with a key that a dump does not have. */
export const SECOND_FACTOR_MODELS: ReadonlySet<string> = new Set([
  'mfa.authenticator',
  'otp_totp.totpdevice',
  'otp_static.staticdevice',
])

/** Maximum number of accounts that a message names. */
const MAX_NAMED = 20

/** Says what the accounts do whose second factors are not imported. */
export function describeSecondFactors(accounts: readonly string[]): string[] {
  if (accounts.length === 0) return []
  const named = accounts.slice(0, MAX_NAMED).join(', ')
  const more = accounts.length > MAX_NAMED ? ` and ${accounts.length - MAX_NAMED} more` : ''
  return [
    `Second factors cannot be read from a dump: ${named}${more} can sign in with the password alone.`,
    'Each of them signs in and sets a second factor up again, under Account, Sign-in; LOGIN_ENFORCE_MFA requires that of everyone.',
  ]
}

/**
 * Gives groups of a dump without permissions for BOMs, from before InvenTree 1.3, those for parts, which applied to BOMs there.
 * @param groups the keys of the loaded groups
 */
export const copyRightsOnBoms = (client: PoolClient, groups: readonly number[]): Promise<unknown> =>
  client.query(
    `update rule_set bom set can_view = part.can_view, can_add = part.can_add, can_change = part.can_change, can_delete = part.can_delete
     from rule_set part where bom.name = 'bom' and part.name = 'part' and part."group" = bom."group" and bom."group" = any($1::integer[])`,
    [groups],
  )
