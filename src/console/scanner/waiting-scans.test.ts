import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type ScanEntry, type ScanResponse, type SendScans, WaitingScans } from './waiting-scans.ts'

let account = 0
let last = 0

const entry = (barcode: string): ScanEntry => ({
  id: `id ${++last}`,
  time: new Date().toISOString(),
  action: 'receive',
  barcode,
})

/** A fake service that processes each ID once, with a record of its requests. */
function service() {
  const worked = new Map<string, ScanResponse>()
  const batches: number[] = []
  let isAway = false
  const send: SendScans = async (entries) => {
    if (isAway) throw new Error('away')
    batches.push(entries.length)
    return entries.map(({ id, barcode }) => {
      const isRefused = barcode.startsWith('bad')
      const response = { id, status: isRefused ? 400 : 201, history: 1, body: isRefused ? { error: 'No' } : { success: 'Yes' } }
      if (!worked.has(id)) worked.set(id, response)
      return worked.get(id) as ScanResponse
    })
  }
  return {
    worked,
    batches,
    send,
    goAway: () => {
      isAway = true
    },
    comeBack: () => {
      isAway = false
    },
  }
}

const open = (of = ++account) => WaitingScans.open(of, () => {})
const barcodes = async (scans: WaitingScans) => (await scans.list()).map((scan) => scan.entry.barcode)

describe('pending scans', () => {
  it('are stored while the network is down, across a reload, and are sent in order when it is back', async () => {
    const { send, worked, goAway, comeBack } = service()
    const scans = await open()
    goAway()
    for (const code of ['a', 'b', 'c']) {
      await scans.add(entry(code))
      await assert.rejects(scans.send(send), /away/)
    }
    const reopened = await open(account)
    assert.deepEqual(await barcodes(reopened), ['a', 'b', 'c'])
    comeBack()
    const sentScans = await reopened.send(send)
    assert.deepEqual(
      sentScans.map(([scan, { status }]) => [scan.entry.barcode, status]),
      [
        ['a', 201],
        ['b', 201],
        ['c', 201],
      ],
    )
    assert.deepEqual([await barcodes(reopened), worked.size], [[], 3])
  })

  it('belong to the account that made them', async () => {
    const { send } = service()
    const [ownScans, otherScans] = [await open(), await open()]
    await ownScans.add(entry('mine'))
    assert.deepEqual(await otherScans.send(send), [])
    assert.deepEqual([await barcodes(ownScans), await barcodes(otherScans)], [['mine'], []])
  })

  it('stay when they are rejected or require an answer, until the user decides', async () => {
    const { send, worked } = service()
    const scans = await open()
    for (const code of ['bad 1', 'good', 'bad 2']) await scans.add(entry(code))
    await scans.send(send)
    const [first, second] = await scans.list()
    assert.deepEqual([first?.refused?.body, second?.refused?.status], [{ error: 'No' }, 400])
    assert.deepEqual(await scans.send(send), [], 'what was refused is not sent by itself')
    await scans.remove(first as never)
    await scans.retry(second as never, 'another id', { barcode: 'good now', allow_over_receipt: true })
    const [[scan, response] = []] = await scans.send(send)
    assert.deepEqual([scan?.entry.barcode, scan?.entry.allow_over_receipt, response?.status], ['good now', true, 201])
    assert.deepEqual([await barcodes(scans), worked.has('another id')], [[], true])
    const waits = await open()
    await waits.add(entry('says too little'))
    await waits.send(async (entries) =>
      entries.map(({ id }) => ({ id, status: 200, history: 1, body: { action_required: 'More', lineitem: { pk: 1 } } })),
    )
    assert.equal((await waits.list())[0]?.refused?.body.action_required, 'More')
  })

  it('are sent in batches, and those with a response are done if the next batch fails', async () => {
    const { send, batches } = service()
    const scans = await open()
    for (let at = 0; at < 260; at++) await scans.add(entry(`code ${at}`))
    let turn = 0
    await assert.rejects(scans.send((entries) => (++turn === 2 ? Promise.reject(new Error('away')) : send(entries))))
    assert.deepEqual([batches, (await barcodes(scans)).length], [[250], 10])
    await scans.send(send)
    assert.deepEqual([batches, await barcodes(scans)], [[250, 10], []])
  })

  it('are processed once and in order, whenever the network fails, the page reloads or a response is lost', async () => {
    const step = fc.constantFrom('scan', 'scan', 'send', 'lost', 'away', 'back', 'reload')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { send, worked, goAway, comeBack } = service()
        const ownScans = ++account
        let scans = await open(ownScans)
        const made: string[] = []
        for (const step of steps) {
          if (step === 'away') goAway()
          if (step === 'back') comeBack()
          if (step === 'scan') {
            const scan = entry('good')
            made.push(scan.id)
            await scans.add(scan)
          }
          if (step === 'send') await scans.send(send).catch(() => {})
          if (step === 'lost')
            await scans.send((entries) => send(entries).then(() => Promise.reject(new Error('lost')))).catch(() => {})
          if (step === 'reload') scans = await open(ownScans)
        }
        comeBack()
        await scans.send(send)
        assert.deepEqual([...worked.keys()], made)
        assert.deepEqual(await scans.list(), [])
      }),
      { numRuns: 50 },
    )
  })

  it('can be undone before they are sent, and not while they are', async () => {
    const { send, worked } = service()
    const scans = await open()
    const [first, second] = [entry('first'), entry('second')]
    await scans.add(first)
    assert.equal(await scans.undo(first.id), true)
    await scans.add(second)
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const sending = scans.send((entries) => gate.then(() => send(entries)))
    const takingBack = scans.undo(second.id)
    goOn()
    await sending
    assert.deepEqual([await takingBack, [...worked.keys()], await barcodes(scans)], [false, [second.id], []])
  })

  it('are sent by one sender at a time', async () => {
    const scans = await open()
    await scans.add(entry('once'))
    const { send, batches } = service()
    await Promise.all([scans.send(send), scans.send(send), scans.send(send)])
    assert.deepEqual(batches, [1])
  })
})
