import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitUntil } from '../testing/until.ts'
import { withHeartbeat } from './heartbeat.ts'

const never = new AbortController().signal

describe('the heartbeat', () => {
  it('continues during silent work, even after a failed heartbeat, and stops when the work ends', async () => {
    let signCount = 0
    const sign = async () => {
      signCount++
      if (signCount === 2) throw new Error('the database was away')
    }
    const result = await withHeartbeat(sign, { intervalMs: 1, signal: never }, async () => {
      await waitUntil(async () => signCount > 4, 'signs')
      return 'done'
    })
    const before = signCount
    await new Promise((resolve) => setTimeout(resolve, 30))
    assert.deepEqual([result, signCount], ['done', before])
  })

  it('stops when the work fails or is aborted', async () => {
    let signCount = 0
    const sign = async () => {
      signCount++
    }
    const failing = withHeartbeat(sign, { intervalMs: 1, signal: never }, async () => {
      await waitUntil(async () => signCount > 0, 'a sign')
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    const controller = new AbortController()
    let before = 0
    await withHeartbeat(sign, { intervalMs: 1, signal: controller.signal }, async () => {
      await waitUntil(async () => signCount > 3, 'signs')
      controller.abort()
      before = signCount
      await new Promise((resolve) => setTimeout(resolve, 30))
    })
    assert.ok(signCount - before <= 1, `${signCount - before} signs after it was called off`)
  })
})
