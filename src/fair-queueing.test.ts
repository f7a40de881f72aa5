import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder, encodeForm } from './testing/files.ts'
import { type Client, type TestResponse, testService } from './testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, superuser } = service
await service.rows(`insert into part (name, assembly, component) select 'Part ' || n, n = 1, true from generate_series(1, 50) n`)

/** Fewer requests than may wait, and many more than run concurrently. */
const REQUEST_COUNT = 10

/**
 * Sends a request of another account while many requests of one account are in progress or wait.
 * @returns how many of these got their response before the other account did
 */
async function countResponsesBefore(send: (client: Client) => Promise<TestResponse>, status: number): Promise<number> {
  assert.equal((await send(superuser)).status, status, 'the request is valid')
  let responseCount = 0
  const requests = Array.from({ length: REQUEST_COUNT }, () =>
    send(member).then((response) => {
      responseCount++
      return response
    }),
  )
  // the first of them starts, and the others wait
  await Promise.race(requests)
  const before = responseCount
  const other = await send(superuser)
  const earlierCount = responseCount - before
  assert.equal(other.status, status, other.text.slice(0, 200))
  // on a slow machine some of these requests time out while they wait
  for (const { status: actual } of await Promise.all(requests)) assert.ok(actual === status || actual === 503, String(actual))
  return earlierCount
}

describe('an account that sends many expensive requests', () => {
  const table = encodeForm({
    data_file: { name: 'parts.csv', content: `Part IPN,Quantity\n${'A-1,1\n'.repeat(500)}` },
    part: '1',
    clear_existing_bom: 'false',
  })
  const requestKinds: Record<string, [(client: Client) => Promise<TestResponse>, number]> = {
    'list exports': [(client) => client.get('/api/part/?export=csv'), 200],
    'BOM uploads': [(client) => client.send('POST', '/api/bom/import/upload/', table.body, table.headers), 201],
  }
  for (const [kind, [send, status]] of Object.entries(requestKinds))
    it(`lets another account have its turn: ${kind}`, async () => {
      const earlierCount = await countResponsesBefore(send, status)
      assert.ok(earlierCount < REQUEST_COUNT / 2, `${earlierCount} of ${REQUEST_COUNT} got their response before`)
    })
})
