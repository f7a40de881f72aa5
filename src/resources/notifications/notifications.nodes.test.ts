import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createTestDatabase } from '../../testing/database.ts'
import { startNodeProcess } from '../../testing/node-process.ts'
import { createPluginFolder } from '../../testing/plugin-folder.ts'
import { waitUntil } from '../../testing/until.ts'

// Two services, each in its own process, on one database.

const database = await createTestDatabase()
after(() => database.drop())
const queryRows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows

const createEnvironment = () => ({
  DATA_DIR: createPluginFolder().dataDir,
  ADMIN_USERNAME: 'admin',
  ADMIN_PASSWORD: 'a password of tests',
})
const nodes = [
  await startNodeProcess(database.url, createEnvironment()),
  await startNodeProcess(database.url, createEnvironment()),
]

const [{ pk: company }] = await queryRows(
  `insert into company (name, currency, is_supplier) values ('Acme', 'USD', true) returning pk`,
)
const [{ pk: owner }] = await queryRows('select o.pk from owner o join user_account u on u.pk = o."user"')

/** Creates orders with a responsible owner, and for each a notice of a kind that is delivered every time. */
const createOrders = async (count: number, reference: string) =>
  queryRows(
    `with inserted as (
       insert into purchase_order (reference, supplier, responsible, total_price_currency)
       select $1 || n, $2, $3, 'USD' from generate_series(1, $4::integer) n returning pk
     ) insert into notice (kind, model, target) select 'responsible', 'purchaseorder', pk from inserted`,
    [reference, company, owner, count],
  )

const readNotifiedKeys = async (reference: string): Promise<number[]> =>
  (
    await queryRows(`select (target->>'pk')::integer as pk from notification where target->>'name' like $1 order by pk`, [
      `${reference}%`,
    ])
  ).map(({ pk }) => pk)

describe('notices with two nodes', () => {
  it('are each delivered once', async () => {
    await createOrders(300, 'BOTH-')
    await waitUntil(async () => (await queryRows('select from notice')).length === 0, 'not all notices are delivered')
    const pks = await readNotifiedKeys('BOTH-')
    assert.deepEqual([pks.length, new Set(pks).size], [300, 300])
  })

  it('are delivered once by the other node if the one delivering them dies', async () => {
    const holder = await database.pool.connect()
    await holder.query('begin; lock table notification in exclusive mode')
    await createOrders(20, 'DIES-')
    // both are delivering, each holding a notice
    const waitingQuery = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'insert into notification'`
    await waitUntil(async () => (await queryRows(waitingQuery)).length === 2, 'the nodes do not both deliver')
    await nodes[0]?.kill()
    await holder.query('rollback')
    holder.release()
    await waitUntil(async () => (await queryRows('select from notice')).length === 0, 'not all notices are delivered', 60_000)
    const pks = await readNotifiedKeys('DIES-')
    assert.deepEqual([pks.length, new Set(pks).size], [20, 20])
  })
})
