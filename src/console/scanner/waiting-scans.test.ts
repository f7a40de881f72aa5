import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type ScanEntry, type ScanResponse, type SendScans, WaitingScans } from './waiting-scans.ts'

let account = 0
let lastId = 0

const createEntry = (barcode: string): ScanEntry => ({
  id: `id ${++lastId}`,
  time: new Date().toISOString(),
  action: 'receive',
  barcode,
})

/** A fake service that processes each ID once, with a record of its requests. */
function createService() {
  const processed = new Map<string, ScanResponse>()
  const batches: number[] = []
  let isOffline = false
  const send: SendScans = async (entries) => {
    if (isOffline) throw new Error('away')
    batches.push(entries.length)
    return entries.map(({ id, barcode }) => {
      const isRejected = barcode.startsWith('bad')
      const response = { id, status: isRejected ? 400 : 201, history: 1, body: isRejected ? { error: 'No' } : { success: 'Yes' } }
      if (!processed.has(id)) processed.set(id, response)
      return processed.get(id) as ScanResponse
    })
  }
  return {
    processed,
    batches,
    send,
    goOffline: () => {
      isOffline = true
    },
    goOnline: () => {
      isOffline = false
    },
  }
}

const openScans = (accountKey = ++account) => WaitingScans.open(accountKey, () => {})
const listBarcodes = async (scans: WaitingScans) => (await scans.list()).map((scan) => scan.entry.barcode)

describe('pending scans', () => {
  it('are stored while the network is down, across a reload, and are sent in order when it is back', async () => {
    const { send, processed, goOffline, goOnline } = createService()
    const scans = await openScans()
    goOffline()
    for (const code of ['a', 'b', 'c']) {
      await scans.add(createEntry(code))
      await assert.rejects(scans.send(send), /away/)
    }
    const reopened = await openScans(account)
    assert.deepEqual(await listBarcodes(reopened), ['a', 'b', 'c'])
    goOnline()
    const sentScans = await reopened.send(send)
    assert.deepEqual(
      sentScans.map(([scan, { status }]) => [scan.entry.barcode, status]),
      [
        ['a', 201],
        ['b', 201],
        ['c', 201],
      ],
    )
    assert.deepEqual([await listBarcodes(reopened), processed.size], [[], 3])
  })

  it('belong to the account that scanned them', async () => {
    const { send } = createService()
    const [ownScans, otherScans] = [await openScans(), await openScans()]
    await ownScans.add(createEntry('mine'))
    assert.deepEqual(await otherScans.send(send), [])
    assert.deepEqual([await listBarcodes(ownScans), await listBarcodes(otherScans)], [['mine'], []])
  })

  it('stay when they are rejected or require an answer, until the user decides', async () => {
    const { send, processed } = createService()
    const scans = await openScans()
    for (const code of ['bad 1', 'good', 'bad 2']) await scans.add(createEntry(code))
    await scans.send(send)
    const [first, second] = await scans.list()
    assert.deepEqual([first?.refused?.body, second?.refused?.status], [{ error: 'No' }, 400])
    assert.deepEqual(await scans.send(send), [], 'a rejected scan is not sent by itself')
    await scans.remove(first as never)
    await scans.retry(second as never, 'another id', { barcode: 'good now', allow_over_receipt: true })
    const [[scan, response] = []] = await scans.send(send)
    assert.deepEqual([scan?.entry.barcode, scan?.entry.allow_over_receipt, response?.status], ['good now', true, 201])
    assert.deepEqual([await listBarcodes(scans), processed.has('another id')], [[], true])
    const questionScans = await openScans()
    await questionScans.add(createEntry('says too little'))
    await questionScans.send(async (entries) =>
      entries.map(({ id }) => ({ id, status: 200, history: 1, body: { action_required: 'More', lineitem: { pk: 1 } } })),
    )
    assert.equal((await questionScans.list())[0]?.refused?.body.action_required, 'More')
  })

  it('are sent in batches, and those with a response are done if the next batch fails', async () => {
    const { send, batches } = createService()
    const scans = await openScans()
    for (let index = 0; index < 260; index++) await scans.add(createEntry(`code ${index}`))
    let batch = 0
    await assert.rejects(scans.send((entries) => (++batch === 2 ? Promise.reject(new Error('away')) : send(entries))))
    assert.deepEqual([batches, (await listBarcodes(scans)).length], [[250], 10])
    await scans.send(send)
    assert.deepEqual([batches, await listBarcodes(scans)], [[250, 10], []])
  })

  it('are processed once and in order, whenever the network fails, the page reloads or a response is lost', async () => {
    const step = fc.constantFrom('scan', 'scan', 'send', 'lost', 'away', 'back', 'reload')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { send, processed, goOffline, goOnline } = createService()
        const ownAccount = ++account
        let scans = await openScans(ownAccount)
        const scannedIds: string[] = []
        for (const step of steps) {
          if (step === 'away') goOffline()
          if (step === 'back') goOnline()
          if (step === 'scan') {
            const scan = createEntry('good')
            scannedIds.push(scan.id)
            await scans.add(scan)
          }
          if (step === 'send') await scans.send(send).catch(() => {})
          if (step === 'lost')
            await scans.send((entries) => send(entries).then(() => Promise.reject(new Error('lost')))).catch(() => {})
          if (step === 'reload') scans = await openScans(ownAccount)
        }
        goOnline()
        await scans.send(send)
        assert.deepEqual([...processed.keys()], scannedIds)
        assert.deepEqual(await scans.list(), [])
      }),
      { numRuns: 50 },
    )
  })

  it('can be undone before they are sent, and not while they are', async () => {
    const { send, processed } = createService()
    const scans = await openScans()
    const [first, second] = [createEntry('first'), createEntry('second')]
    await scans.add(first)
    assert.equal(await scans.undo(first.id), true)
    await scans.add(second)
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const sending = scans.send((entries) => gate.then(() => send(entries)))
    const undoing = scans.undo(second.id)
    release()
    await sending
    assert.deepEqual([await undoing, [...processed.keys()], await listBarcodes(scans)], [false, [second.id], []])
  })

  it('are sent by one sender at a time', async () => {
    const scans = await openScans()
    await scans.add(createEntry('once'))
    const { send, batches } = createService()
    await Promise.all([scans.send(send), scans.send(send), scans.send(send)])
    assert.deepEqual(batches, [1])
  })
})
