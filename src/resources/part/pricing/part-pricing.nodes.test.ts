import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createTestDatabase } from '../../../testing/database.ts'
import { startNodeProcess } from '../../../testing/node-process.ts'
import { createPluginFolder } from '../../../testing/plugin-folder.ts'
import { waitUntil } from '../../../testing/until.ts'

// Two services in separate processes, on one database.

const database = await createTestDatabase()
after(() => database.drop())
const queryRows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows

/** Number of boxes, each an assembly with its own lid, so that boxes are calculated after their lids. */
const BOX_COUNT = 500
await queryRows(
  `insert into part (name, assembly) select kind || ' ' || n, kind = 'Box' from generate_series(1, $1::integer) n, unnest(array['Box', 'Lid']) kind`,
  [BOX_COUNT],
)
await queryRows(
  `insert into bom_item (part, sub_part, quantity)
   select box.pk, lid.pk, 2 from part box join part lid on lid.name = replace(box.name, 'Box', 'Lid') where box.assembly`,
)
await queryRows(`
  create table calculation (part integer, pid integer);
  create function note_calculation() returns trigger language plpgsql as $$
  begin insert into calculation values (new.part, pg_backend_pid()); return null; end $$;
  create trigger note_calculation after update of updated on part_pricing for each row execute function note_calculation()`)

const createEnvironment = () => ({ DATA_DIR: createPluginFolder().dataDir })
const nodes = [
  await startNodeProcess(database.url, createEnvironment()),
  await startNodeProcess(database.url, createEnvironment()),
]

/** Sets the price of all lids, queues all prices, and clears the records of earlier calculations. */
async function changePrices(amount: number): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin; delete from calculation')
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
  (await queryRows('select from part_price_due')).length === 0 && (await queryRows('select from part_price_run')).length === 0
const readFigures = async () =>
  queryRows(
    `select assembly, overall_min::float as minimum, count(*)::integer as count from part join part_pricing on part_pricing.part = part.pk
     group by 1, 2 order by 1, 2`,
  )
const createExpectedFigures = (amount: number) => [
  { assembly: false, minimum: amount, count: BOX_COUNT },
  { assembly: true, minimum: 2 * amount, count: BOX_COUNT },
]

describe('prices on two nodes', () => {
  it('are calculated once each, components first', async () => {
    await changePrices(3)
    await waitUntil(isDone, 'not all prices are calculated', 60_000)
    assert.deepEqual(await readFigures(), createExpectedFigures(3))
    const repeatedParts = await queryRows('select part from calculation group by part having count(*) > 1')
    assert.deepEqual(repeatedParts, [])
    assert.equal((await queryRows('select from calculation')).length, 2 * BOX_COUNT)
  })

  it('are calculated by another node when their node dies', async () => {
    await nodes[1]?.stop()
    const holder = await database.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from part_pricing where part = (select max(pk) from part where assembly) for update')
      await changePrices(5)
      await waitUntil(async () => (await queryRows(WAITING_QUERY)).length > 0, 'no node reaches the locked part', 30_000)
      await nodes[0]?.kill()
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    assert.ok((await queryRows('select from part_price_due')).length > 0)
    await startNodeProcess(database.url, createEnvironment())
    await waitUntil(
      async () => (await queryRows('select from part_price_due')).length === 0,
      'not all prices are calculated',
      90_000,
    )
    assert.deepEqual(await readFigures(), createExpectedFigures(5))
  })
})

/** Statements that wait for locked prices of a part. */
const WAITING_QUERY = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'part_pricing'`
