import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from './paths.ts'
import { findFreePort } from './testing/free-port.ts'
import { installBrowser } from './testing/printing.ts'
import { scaleTimeout } from './testing/slowness.ts'

// The real service in a process of its own, on a real disk with fsync, killed without warning while it receives goods.

/** Number of kills. KILL_ROUNDS can set more than the suite runs. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 10)
const CLIENT_COUNT = 6
const PACK_QUANTITY = 10

const folder = mkdtempSync(join(tmpdir(), 'stockroom-kill-'))
await installBrowser(folder)
const port = await findFreePort()
const baseUrl = `http://127.0.0.1:${port}`
const authorization = `Basic ${btoa('admin:a password of tests')}`
let service: ChildProcess | undefined
let serviceExit: Promise<unknown> = Promise.resolve()
let logTail = ''

after(() => {
  service?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

async function startService(): Promise<void> {
  const environment = {
    ...process.env,
    DATA_DIR: folder,
    PORT: String(port),
    LOG_LEVEL: 'fatal',
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: 'a password of tests',
    // a login counts as failed until it succeeds: on a slow machine each kill interrupts some
    WRONG_CREDENTIALS: '100000',
  }
  service = spawn(process.execPath, [join(ROOT, 'src/stockroom.js'), 'serve'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  serviceExit = once(service, 'close')
  for (const output of [service.stdout, service.stderr]) {
    output?.on('data', (data) => {
      logTail = (logTail + data).slice(-2000)
    })
  }
  for (const until = Date.now() + 60_000; Date.now() < until; await pause(25)) {
    if (service.exitCode !== null || service.signalCode !== null) {
      await serviceExit
      throw new Error(`the service exited while it started (${service.exitCode ?? service.signalCode}): ${logTail}`)
    }
    if ((await fetch(`${baseUrl}/readyz`).catch(() => undefined))?.ok) return
  }
  throw new Error(`the service does not become ready: ${logTail}`)
}

type JsonResponse = { status: number; body: any }

/** Sends one request; undefined if the connection broke, so that its result is unknown. */
async function send(method: string, path: string, body?: unknown, key?: string): Promise<JsonResponse | undefined> {
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  } catch {
    return undefined
  }
}

async function createObject(path: string, body: unknown): Promise<number> {
  const created = await send('POST', path, body)
  assert.equal(created?.status, 201, JSON.stringify(created?.body))
  return created?.body.pk
}

/** The PID of the embedded server, from its own lock file. */
const readPostmasterPid = (): number => Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

test(`a service and a database killed ${ROUNDS} times while receiving lose nothing and leave nothing half done`, {
  timeout: scaleTimeout(240_000),
}, async () => {
  await startService()
  const supplier = await createObject('/api/company/', { name: 'Supplier', is_supplier: true })
  const category = await createObject('/api/part/category/', { name: 'Parts' })
  const part = await createObject('/api/part/', { name: 'Part', category, purchaseable: true })
  const supplierPart = await createObject('/api/company/part/', {
    part,
    supplier,
    SKU: 'S',
    pack_quantity: String(PACK_QUANTITY),
  })
  const location = await createObject('/api/stock/location/', { name: 'Shelf' })
  const order = await createObject('/api/order/po/', { reference: 'PO-0001', supplier })
  const lines = [
    await createObject('/api/order/po-line/', { order, part: supplierPart, quantity: 1_000_000, merge_items: false }),
    await createObject('/api/order/po-line/', { order, part: supplierPart, quantity: 1_000_000, merge_items: false }),
  ]
  assert.equal((await send('POST', `/api/order/po/${order}/issue/`))?.status, 201)

  let acknowledgedCount = 0
  let requestCount = 0
  let isRunning = true
  let isFinishing = false
  // each client receives one pack at a time, and retries with the same key until it gets a response
  const runClient = async () => {
    while (isRunning && !isFinishing) {
      const key = `receive-${requestCount++}`
      const body = { location, items: [{ line_item: lines[requestCount % 2], quantity: 1 }] }
      while (isRunning) {
        const response = await send('POST', `/api/order/po/${order}/receive/`, body, key)
        if (response?.status === 201) break
        assert.ok(
          response === undefined || [409, 503].includes(response.status),
          `${response?.status} ${JSON.stringify(response?.body)}`,
        )
        await pause(20)
      }
      acknowledgedCount++
    }
  }
  let failure: unknown
  const clients = Array.from({ length: CLIENT_COUNT }, () =>
    runClient().catch((error) => {
      failure ??= error
      isRunning = false
    }),
  )
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const before = acknowledgedCount
      await pause(50 + Math.random() * 200)
      if (round % 2) {
        process.kill(readPostmasterPid(), 'SIGKILL')
      } else {
        service?.kill('SIGKILL')
        await serviceExit
        await startService()
      }
      for (const until = Date.now() + 30_000; isRunning && acknowledgedCount <= before + CLIENT_COUNT && Date.now() < until; )
        await pause(25)
      assert.ok(service?.exitCode === null, `round ${round}: the service ended: ${logTail}`)
      if (failure) throw failure
      assert.ok(acknowledgedCount > before, `round ${round}: nothing is received any more`)
    }
    isFinishing = true
    await Promise.all(clients)
    if (failure) throw failure
  } finally {
    isRunning = false
  }

  const received = (await send('GET', `/api/order/po-line/?order=${order}`))?.body.results.reduce(
    (sum: number, line: { received: number }) => sum + line.received,
    0,
  )
  assert.equal(received, requestCount, 'every request was carried out once')
  assert.equal(acknowledgedCount, requestCount)
  const stock = (await send('GET', `/api/stock/?part=${part}&limit=1`))?.body.count
  assert.equal(stock, requestCount, 'one stock item for each')
  const quantity = (await send('GET', `/api/part/${part}/`))?.body.in_stock
  assert.equal(quantity, requestCount * PACK_QUANTITY)
  assert.equal((await send('GET', '/api/stock/track/?limit=1'))?.body.count, requestCount, 'one history entry for each')
})

test('a batch of scans that is interrupted is completed by sending it again, and counts nothing twice', {
  timeout: scaleTimeout(240_000),
}, async () => {
  // the previous test may have left it running
  service?.kill('SIGKILL')
  await serviceExit
  await startService()
  const category = await createObject('/api/part/category/', { name: 'Scanned parts' })
  const part = await createObject('/api/part/', { name: 'Scanned part', category })
  const location = await createObject('/api/stock/location/', { name: 'Scanned shelf' })
  const created = await send('POST', '/api/stock/', { part, location, quantity: 1000 })
  const item = created?.body.pk ?? created?.body[0]?.pk
  const readQuantity = async () => Number((await send('GET', `/api/stock/${item}/`))?.body.quantity)
  const time = new Date().toISOString()
  const items = Array.from({ length: 200 }, (_, index) => ({
    id: `scan ${index}`,
    time,
    action: index % 20 === 19 ? 'move' : 'remove',
    barcode: `{"stockitem": ${item}}`,
    ...(index % 20 === 19 ? { location } : { quantity: 1 }),
  }))
  let response: JsonResponse | undefined
  let interruptionCount = 0
  while (response === undefined) {
    const before = await readQuantity()
    const sending = send('POST', '/api/barcode/batch/', { items })
    if (interruptionCount < 2) {
      // while the batch is running, if it still is
      for (const until = Date.now() + 5_000; (await readQuantity()) >= before && Date.now() < until; ) await pause(5)
      service?.kill('SIGKILL')
      await serviceExit
      await startService()
      interruptionCount++
    }
    response = await sending
  }
  assert.equal(response.status, 200, JSON.stringify(response.body).slice(0, 500))
  assert.deepEqual(new Set(response.body.items.map(({ status }: JsonResponse) => status)), new Set([201]))
  assert.equal(await readQuantity(), 1000 - 190)
  assert.equal((await send('GET', '/api/barcode/history/?limit=1'))?.body.count, items.length)
  const history = (await send('GET', `/api/stock/track/?item=${item}&limit=1000`))?.body.results
  assert.equal(history.filter(({ tracking_type }: { tracking_type: number }) => tracking_type === 12).length, 190)
})
