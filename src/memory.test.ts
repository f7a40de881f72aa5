import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createSuperuser } from './resources/user/first-account.ts'
import { createTestDatabase } from './testing/database.ts'
import { type NodeProcess, startNodeProcess } from './testing/node-process.ts'
import { scaleTimeout } from './testing/slowness.ts'

// The service as started by `npm start`, on its second start with the same folder, with no plugin enabled.

/** Maximum memory in megabytes, with a proportional share of memory shared with other processes. */
const MAX_IDLE_MEGABYTES = 220
const MAX_MEGABYTES_AFTER_PAGES = 500
const PAGE_COUNT = 20_000
const CLIENT_COUNT = 8

const readMegabytes = (pid: number | undefined): number => {
  const [, kibibytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}

const isSupported = process.platform === 'linux'
const account = { username: 'reader', password: 'a password of tests' }

async function startService(): Promise<NodeProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-memory-'))
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  const { pool, url, drop } = await createTestDatabase()
  after(drop)
  await createSuperuser(pool, { ...account, email: '' })
  await pool.query(`insert into part (pk, name, description) values (1, 'Screw', 'One of many')`)
  const insertItemsSql = `insert into stock_item (part, quantity, purchase_price_currency) select 1, i, 'EUR' from generate_series(1, 50) i`
  await pool.query(insertItemsSql)
  // as in production, without the compile cache of tests
  const environment = { DATA_DIR: folder, NODE_COMPILE_CACHE: '' }
  const first = await startNodeProcess(url, environment)
  await first.stop()
  return startNodeProcess(url, environment)
}

const service = isSupported ? await startService() : undefined

describe('memory', { skip: !isSupported }, () => {
  it('stays within its limit in an idle service', () => {
    const usedMegabytes = readMegabytes(service?.process.pid)
    assert.ok(usedMegabytes <= MAX_IDLE_MEGABYTES, `${usedMegabytes.toFixed()} MB`)
  })

  it('stays within its limit after enough different pages to fill the caches', { timeout: scaleTimeout(400_000) }, async () => {
    const basic = `Basic ${btoa(`${account.username}:${account.password}`)}`
    const response = await fetch(`${service?.url}/api/user/token/?name=memory`, { headers: { authorization: basic } })
    const authorization = `Token ${((await response.json()) as { token: string }).token}`
    let nextPage = 0
    const read = async () => {
      // a different filter each time, which matches all rows
      for (let page = nextPage++; page < PAGE_COUNT; page = nextPage++) {
        const response = await fetch(`${service?.url}/api/stock/?limit=25&max_stock=${1000 + page}`, {
          headers: { authorization },
        })
        assert.equal(response.status, 200)
        await response.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: CLIENT_COUNT }, read))
    const usedMegabytes = readMegabytes(service?.process.pid)
    assert.ok(usedMegabytes <= MAX_MEGABYTES_AFTER_PAGES, `${usedMegabytes.toFixed()} MB`)
  })
})
