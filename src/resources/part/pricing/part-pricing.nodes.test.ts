import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createTestDatabase } from '../../../testing/database.ts'
import { startNodeProcess } from '../../../testing/node-process.ts'
import { createPluginFolder } from '../../../testing/plugin-folder.ts'
import { waitUntil } from '../../../testing/until.ts'

// Two services in separate processes, on one database.

const database = await createTestDatabase()
after(() => database.drop())
const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows

/** Number of boxes, each an assembly with its own lid, so that boxes are calculated after their lids. */
const BOXES = 500
await rows(
  `insert into part (name, assembly) select kind || ' ' || n, kind = 'Box' from generate_series(1, $1::integer) n, unnest(array['Box', 'Lid']) kind`,
  [BOXES],
)
await rows(
  `insert into bom_item (part, sub_part, quantity)
   select box.pk, lid.pk, 2 from part box join part lid on lid.name = replace(box.name, 'Box', 'Lid') where box.assembly`,
)
await rows(`
  create table worked_out (part integer, pid integer);
  create function note_worked_out() returns trigger language plpgsql as $$
  begin insert into worked_out values (new.part, pg_backend_pid()); return null; end $$;
  create trigger note_worked_out after update of updated on part_pricing for each row execute function note_worked_out()`)

const environment = () => ({ DATA_DIR: createPluginFolder().dataDir })
const nodes = [await startNodeProcess(database.url, environment()), await startNodeProcess(database.url, environment())]

/** Sets the price of all lids, queues all prices, and clears the records of earlier calculations. */
async function changePrices(amount: number): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin; delete from worked_out')
    await client.query(`update stock_item set purchase_price = $1`, [amount])
    await client.query(
      `insert into stock_item (part, quantity, purchase_price, purchase_price_currency)
       select pk, 1, $1, 'USD' from part where not assembly and not exists (select from stock_item where part = part.pk)`,
      [amount],
    )
    await client.query('select ask_for_prices(array(select pk from part)); commit')
  } finally {
    client.release()
  }
}
const isDone = async () =>
  (await rows('select from part_price_due')).length === 0 && (await rows('select from part_price_run')).length === 0
const readFigures = async () =>
  rows(
    `select assembly, overall_min::float as least, count(*)::integer as count from part join part_pricing on part_pricing.part = part.pk
     group by 1, 2 order by 1, 2`,
  )
const expected = (amount: number) => [
  { assembly: false, least: amount, count: BOXES },
  { assembly: true, least: 2 * amount, count: BOXES },
]

describe('prices on two nodes', () => {
  it('are calculated once each, components first', async () => {
    await changePrices(3)
    await waitUntil(isDone, 'not all is worked out', 60_000)
    assert.deepEqual(await readFigures(), expected(3))
    const often = await rows('select part from worked_out group by part having count(*) > 1')
    assert.deepEqual(often, [])
    assert.equal((await rows('select from worked_out')).length, 2 * BOXES)
  })

  it('are calculated by another node when their node dies', async () => {
    await nodes[1]?.stop()
    const holder = await database.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from part_pricing where part = (select max(pk) from part where assembly) for update')
      await changePrices(5)
      await waitUntil(async () => (await rows(WAITING)).length > 0, 'nobody comes to the part that is held', 30_000)
      await nodes[0]?.kill()
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    assert.ok((await rows('select from part_price_due')).length > 0)
    await startNodeProcess(database.url, environment())
    await waitUntil(async () => (await rows('select from part_price_due')).length === 0, 'not all is worked out', 90_000)
    assert.deepEqual(await readFigures(), expected(5))
  })
})

/** Statements that wait for locked prices of a part. */
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'part_pricing'`
