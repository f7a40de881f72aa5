import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { MIGRATIONS } from '../../paths.ts'
import { testService } from '../../testing/service.ts'

const service = await testService()

/** Messages of earlier versions, and those of today. */
const MESSAGES = {
  'The new sales order SO-7 - Songbird Audio is yours to look after.':
    'You are responsible for the new sales order SO-7 - Songbird Audio.',
  'The build order BO-7 - Lamp is yours to look after from now on.': 'You are now responsible for the build order BO-7 - Lamp.',
  'The purchase order PO-7 - A, B & Co., which you look after, was canceled.':
    'The purchase order PO-7 - A, B & Co., for which you are responsible, was canceled.',
  'The return order RMA-7 is overdue since 2026-03-04.': 'The return order RMA-7 has been overdue since 2026-03-04.',
  'For the new build order BO-8 - Lamp there is too little in stock of Bulb (3 of 5), Wire (1.5 of 4 m).':
    'Stock is short for the new build order BO-8 - Lamp: Bulb (3 of 5), Wire (1.5 of 4 m).',
  'Of Felt there are 2.5 m in stock, fewer than 5 m.': 'Felt is low on stock: 2.5 m in stock, minimum 5 m.',
  'It could not be printed. The printer is off.': 'Printing failed. The printer is off.',
  'Nobody knows whether it was printed; it is not printed again.':
    'It is unknown whether it was printed; it is not printed again.',
  'The report of a stocktake of 1 part is there.': 'The stocktake report of 1 part is ready.',
  'The report of a stocktake of 12 parts is there.': 'The stocktake report of 12 parts is ready.',
  // of today, and of others
  'Items of the purchase order PO-7 were received.': 'Items of the purchase order PO-7 were received.',
  'Of course there are some in stock.': 'Of course there are some in stock.',
}

describe('the migration of notification texts', () => {
  it('turns the sentences of earlier versions into those of today, and leaves others alone', async () => {
    await service.rows(
      `insert into notification ("user", category, name, message) select $1, 'test', 'Test', message from unnest($2::text[]) message`,
      [service.getPk('member'), Object.keys(MESSAGES)],
    )
    const migration = readFileSync(join(MIGRATIONS, '0104_notification_texts.sql'), 'utf8')
    await service.rows(migration)
    const readMessages = async () =>
      (await service.member.get('/api/notifications/?ordering=pk')).body.results.map(
        ({ message }: { message: string }) => message,
      )
    assert.deepEqual(await readMessages(), Object.values(MESSAGES))
    await service.rows(migration)
    assert.deepEqual(await readMessages(), Object.values(MESSAGES))
  })
})
