import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../settings/live.ts'

/** A serial number that an item of a part has or is to have. */
export type SerialOfPart = { part: number; serial: string }

type Context = Pick<Services, 'settings'> & { tx: Tx }

// Items with one of the numbers are looked up first, by its index, and only then is it asked of which tree they are. Left to
// itself, PostgreSQL would go through all numbers once for each number and each part of a tree.
const SAME = `with same as materialized (
  select wanted.root, wanted.serial, item.part
  from unnest($1::integer[], $2::text[]) wanted (root, serial)
  join stock_item item on item.serial = wanted.serial and item.pk <> all($3::integer[])
)
select distinct serial from same`
const SAME_IN_TREE = `${SAME} join part on part.pk = same.part and part.path[1] = same.root`

/**
 * Those of these serial numbers that other items already have, each once and in the order given. A serial number is used
 * once among a part, its templates and all their variants, or, with SERIAL_NUMBER_GLOBALLY_UNIQUE, once over all parts.
 *
 * To the end of the transaction nobody else can take a number of the same trees: whoever asks waits here. The locks are
 * taken in the order of their keys, so that two requests cannot wait for each other.
 *
 * @param except items whose own numbers do not count, because these are about to change
 */
export async function serialsInUse(
  context: Context,
  wanted: readonly SerialOfPart[],
  except: readonly number[] = [],
): Promise<string[]> {
  if (wanted.length === 0) return []
  const { tx } = context
  const parts = wanted.map(({ part }) => part)
  const serials = wanted.map(({ serial }) => serial)
  await lockSerials(context, parts)
  const found = await tx.query<{ pk: number; root: number }>(
    'select pk, path[1] as root from part where pk = any($1::integer[])',
    [[...new Set(parts)]],
  )
  const roots = new Map(found.map(({ pk, root }) => [pk, root]))
  const rows = await tx.query<{ serial: string }>(setting(context, 'SERIAL_NUMBER_GLOBALLY_UNIQUE') ? SAME : SAME_IN_TREE, [
    parts.map((part) => roots.get(part)),
    serials,
    except,
  ])
  const used = new Set(rows.map((row) => row.serial))
  return [...new Set(serials.filter((serial) => used.has(serial)))]
}

/**
 * Lets nobody else take a serial number of these parts' trees until the transaction ends. Key 0 stands for all trees: shared
 * by whoever takes numbers of single trees, held alone where numbers are global. It follows the locks of stock items and precedes those of sums.
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
 * The serial number after which `~` counts on: the highest of the part's tree, or of all parts where serial numbers are
 * globally unique; null when there is none yet. It stays the latest only under `lockSerials`. Of several with the same number, as 2026-9 and
 * 2026-10 or what is beyond the largest integer, a longer one is higher.
 */
export async function latestSerial(
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
