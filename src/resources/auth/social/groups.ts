import type { Exchange } from '../../../kit/request/exchange.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { isObject } from '../../../kit/values/json.ts'
import { setting } from '../../../settings/live.ts'
import type { SsoProvider } from '../../../single-sign-on.ts'
import { changeGroups } from '../../user/account-changes.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import type { Identity } from './identity.ts'

/**
 * Reads the names of the groups here that a provider gives an account, if the settings take groups from providers. Undefined if they do not,
 * or if the provider states none: then the groups of the account stay.
 */
export async function readGroups(context: Services, identity: Identity): Promise<readonly string[] | undefined> {
  if (!setting(context, 'LOGIN_ENABLE_SSO_GROUP_SYNC')) return undefined
  const stated = await identity.groups(setting(context, 'SSO_GROUP_KEY'))
  const names = parseGroupMap(setting(context, 'SSO_GROUP_MAP'))
  return stated?.flatMap((group) => names.get(group) ?? [])
}

/** Parses the setting that names a group here for a group of the provider. An imported value may be anything. */
function parseGroupMap(text: string): Map<string, string> {
  try {
    const map: unknown = JSON.parse(text)
    const entries = isObject(map) ? Object.entries(map) : []
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return new Map()
  }
}

/** Adds an account to these groups, as far as they exist, and, if the setting says so, removes it from all others. */
export async function takeGroups(
  context: Services & { tx: Tx; exchange: Exchange },
  provider: SsoProvider,
  user: number,
  names: readonly string[],
): Promise<void> {
  const { tx } = context
  const groups = await tx.query<{ pk: number }>('select pk from user_group where name = any($1::text[])', [names])
  const change = await changeGroups(
    context,
    user,
    groups.map(({ pk }) => pk),
    { removesOthers: setting(context, 'SSO_REMOVE_GROUPS') },
  )
  if (change) await recordEvent(context, { kind: 'rights_changed', user, details: { groups: change, provider: provider.id } })
}
