import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../../settings/live.ts'

/** A serial number that an item of a part has or will have. */
export type SerialOfPart = { part: number; serial: string }

type Context = Pick<Services, 'settings'> & { tx: Tx }

// Items with one of the numbers are looked up first, by its index, and only then filtered by tree. Without `materialized`, PostgreSQL would
// scan all numbers once for each number and each part of a tree.
const SELECT_MATCHES = `with match as materialized (
  select wanted.root, wanted.serial, item.part
  from unnest($1::integer[], $2::text[]) wanted (root, serial)
  join stock_item item on item.serial = wanted.serial and item.pk <> all($3::integer[])
)
select distinct serial from match`
const SELECT_MATCHES_IN_TREE = `${SELECT_MATCHES} join part on part.pk = match.part and part.path[1] = match.root`

/**
 * Returns those of these serial numbers that other items already have, without duplicates and in the given order. A serial number is unique
 * within a part, its templates and all their variants or, with SERIAL_NUMBER_GLOBALLY_UNIQUE, across all parts.
 *
 * Until the end of the transaction, other transactions that request numbers of the same trees wait here. The locks are taken in the order
 * of their keys, to avoid deadlocks.
 *
 * @param except items whose own numbers are ignored, because they are about to change
 */
export async function findSerialsInUse(
  context: Context,
  requestedSerials: readonly SerialOfPart[],
  except: readonly number[] = [],
): Promise<string[]> {
  if (requestedSerials.length === 0) return []
  const { tx } = context
  const parts = requestedSerials.map(({ part }) => part)
  const serials = requestedSerials.map(({ serial }) => serial)
  await lockSerials(context, parts)
  const partRows = await tx.query<{ pk: number; root: number }>(
    'select pk, path[1] as root from part where pk = any($1::integer[])',
    [[...new Set(parts)]],
  )
  const roots = new Map(partRows.map(({ pk, root }) => [pk, root]))
  const rows = await tx.query<{ serial: string }>(
    setting(context, 'SERIAL_NUMBER_GLOBALLY_UNIQUE') ? SELECT_MATCHES : SELECT_MATCHES_IN_TREE,
    [parts.map((part) => roots.get(part)), serials, except],
  )
  const used = new Set(rows.map((row) => row.serial))
  return [...new Set(serials.filter((serial) => used.has(serial)))]
}

/**
 * Prevents others from using serial numbers of these parts' trees until the transaction ends. Key 0 stands for all trees: locked in shared
 * mode for numbers of single trees, exclusively when numbers are global. These locks follow those of stock items and precede those of part totals.
 */
export async function lockSerials(context: Context, parts: readonly number[]): Promise<void> {
  const { tx } = context
  if (setting(context, 'SERIAL_NUMBER_GLOBALLY_UNIQUE')) {
    await tx.query(`select pg_advisory_xact_lock(hashtext('serial'), 0)`)
    return
  }
  await tx.pipeline(
    { text: `select pg_advisory_xact_lock_shared(hashtext('serial'), 0)` },
    {
      // the inner query sorts before the outer one locks
      text: `select pg_advisory_xact_lock(hashtext('serial'), root)
        from (select distinct path[1] as root from part where pk = any($1::integer[]) order by root offset 0) tree`,
      values: [parts],
    },
  )
}

/**
 * Returns the serial number from which `~` continues: the highest of the part's tree, or of all parts when serial numbers are globally
 * unique; null when there is none yet. It stays the latest only under `lockSerials`. Among several with the same number, such as 2026-9 and
 * 2026-10 or numbers beyond the largest integer, a longer one is higher.
 */
export async function readLatestSerial(
  context: Pick<Services, 'settings'> & { tx: Pick<Tx, 'first'> },
  part: number,
): Promise<string | null> {
  const tree = setting(context, 'SERIAL_NUMBER_GLOBALLY_UNIQUE')
    ? ''
    : 'and part in (select pk from part where path && array(select path[1] from part where pk = $1))'
  const row = await context.tx.first<{ serial: string }>(
    `select serial from stock_item where serial <> '' and $1::integer is not null ${tree}
     order by serial_int desc, length(serial) desc, serial desc, pk desc limit 1`,
    [part],
  )
  return row?.serial ?? null
}
