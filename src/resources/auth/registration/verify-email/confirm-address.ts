import type { Exchange } from '../../../../kit/request/exchange.ts'
import { notFound } from '../../../../kit/request/problem.ts'
import type { Services } from '../../../../kit/services/services.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import { verifyAddress } from '../../emails/addresses.ts'
import { type Link, useLink } from '../../links.ts'
import { tryCredentials } from '../../wrong-credentials.ts'

/** Key for counting wrong keys: they belong to no account. */
const THROTTLE_NAME = 'verify key'

/**
 * Marks an address as verified after its owner followed the emailed link. If another account has already verified it, nothing changes, without
 * an error.
 * @throws Problem 404 when the key does not exist, was used or has expired, or the address was removed or is verified already; this is
 *   counted, and 429 after too many
 */
export async function confirmAddress(context: Services & { exchange: Exchange }, key: string): Promise<void> {
  const { database, exchange } = context
  const link = await tryCredentials(context, THROTTLE_NAME, exchange.address, () =>
    database.transaction(async (tx) => {
      const usedLink = await useLink(tx, 'verify', key)
      if (usedLink) await verifyAddress({ ...context, tx }, await findAddressKey(tx, usedLink))
      return usedLink
    }),
  )
  if (!link) throw notFound()
}

/** Returns the primary key of a link's address; it exists, or the link would not be valid. */
async function findAddressKey(tx: Tx, { user, address }: Link): Promise<number> {
  const text = 'select pk from email_address where "user" = $1 and lower(email) = lower($2::text collate "C")'
  return ((await tx.first<{ pk: number }>(text, [user, address])) as { pk: number }).pk
}
