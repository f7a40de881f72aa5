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
 * Gives groups of a dump without permissions for these those for parts, which applied to BOMs before InvenTree 1.3, and apply to
 * stocktakes since 1.0.
 * @param groups the keys of the loaded groups
 */
export const copyRightsOnParts = (client: PoolClient, name: 'bom' | 'stocktake', groups: readonly number[]): Promise<unknown> =>
  client.query(
    `update rule_set own set can_view = part.can_view, can_add = part.can_add, can_change = part.can_change, can_delete = part.can_delete
     from rule_set part where own.name = $2 and part.name = 'part' and part."group" = own."group" and own."group" = any($1::integer[])`,
    [groups, name],
  )
