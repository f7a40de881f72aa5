import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import { Semaphore } from './semaphore.ts'

/** Starts work that ends on command, and records the order in which it started. */
function createHarness(semaphore: Semaphore) {
  const running: { name: string; end: () => void }[] = []
  const started: string[] = []
  const endOne = async (name = running[0]?.name): Promise<void> => {
    const index = running.findIndex((one) => one.name === name)
    running.splice(index, 1)[0]?.end()
    await setImmediate()
  }
  return {
    started,
    endOne,
    async endAll(): Promise<void> {
      while (running.length > 0) await endOne()
    },
    running: () => running.map(({ name }) => name),
    request(name: string, account?: number, size?: number): Promise<void> {
      const work = () =>
        new Promise<void>((end) => {
          started.push(name)
          running.push({ name, end })
        })
      return semaphore.run(work, { account, size })
    },
  }
}

const isBusy = (error: unknown) => error instanceof Problem && error.status === 503 && error.headers['retry-after'] === '60'

describe('Semaphore', () => {
  it('serves unknown callers in the order of their arrival', async () => {
    const { request, endOne, started, running } = createHarness(new Semaphore(2, 60_000, requestErrors.service_changing))
    for (const name of ['a', 'b', 'c', 'd', 'e']) void request(name)
    assert.deepEqual(running(), ['a', 'b'])
    for (const _ of started.slice()) await endOne()
    await endOne()
    assert.deepEqual(started, ['a', 'b', 'c', 'd', 'e'])
  })

  it('gives accounts turns in rotation, however many requests one of them sends', async () => {
    const { request, endOne, started } = createHarness(new Semaphore(1, 60_000, requestErrors.service_changing))
    for (const index of [1, 2, 3, 4]) void request(`a${index}`, 1)
    for (const index of [1, 2]) void request(`b${index}`, 2)
    void request('c1', 3)
    for (let count = 0; count < 7; count++) await endOne()
    assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('leaves a slot for others, however many requests one account sends', async () => {
    const { request, endOne, endAll, running } = createHarness(new Semaphore(3, 60_000, requestErrors.service_changing, 100, 2))
    for (const index of [1, 2, 3, 4]) void request(`a${index}`, 1)
    assert.deepEqual(running(), ['a1', 'a2'])
    void request('b1', 2)
    assert.deepEqual(running(), ['a1', 'a2', 'b1'])
    void request('b2', 2)
    await endOne('b1')
    assert.deepEqual(running(), ['a1', 'a2', 'b2'])
    await endOne('a1')
    assert.deepEqual(running(), ['a2', 'b2', 'a3'])
    await endAll()
  })

  it('rejects work whose turn does not come, and excess work of one account, without affecting others', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const { request, endOne, running } = createHarness(new Semaphore(1, 60_000, requestErrors.service_changing, 2))
    void request('a1', 1)
    const waiting = request('a2', 1)
    const large = request('b1', 2, 100)
    await assert.rejects(request('b2', 2), isBusy)
    const last = request('a3', 1)
    await assert.rejects(request('a4', 1), isBusy)
    context.mock.timers.tick(60_000)
    for (const pending of [waiting, large, last]) await assert.rejects(pending, isBusy)
    void request('a5', 1)
    await endOne()
    assert.deepEqual(running(), ['a5'])
  })

  it('releases a slot when work fails', async () => {
    const semaphore = new Semaphore(1, 60_000, requestErrors.service_changing)
    await assert.rejects(
      semaphore.run(() => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.equal(await semaphore.run(async () => 'yes'), 'yes')
  })

  it('never leaves a slot idle while work waits, nor exceeds its limit', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.boolean()), { maxLength: 40 }), async (steps) => {
        const { request, endOne, endAll, running, started } = createHarness(
          new Semaphore(3, 60_000, requestErrors.service_changing, 100, 2),
        )
        const requests: number[] = []
        for (const [account, isEnd] of steps) {
          if (isEnd && running().length > 0) await endOne(running()[account % running().length])
          else {
            requests.push(account)
            void request(String(account), account)
          }
          const counts = [1, 2, 3].map((one) => running().filter((name) => name === String(one)).length)
          const waitingCounts = [1, 2, 3].map(
            (one) => requests.filter((name) => name === one).length - started.filter((name) => name === String(one)).length,
          )
          assert.ok(running().length <= 3 && counts.every((count) => count <= 2))
          if (running().length < 3) assert.ok(waitingCounts.every((count, index) => count === 0 || counts[index] === 2))
        }
        await endAll()
        assert.equal(started.length, requests.length)
      }),
      { numRuns: 200 },
    ))
})
