import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitUntil } from '../testing/until.ts'
import { withHeartbeat } from './heartbeat.ts'

const neverAborted = new AbortController().signal

describe('the heartbeat', () => {
  it('continues during silent work, even after a failed heartbeat, and stops when the work ends', async () => {
    let beatCount = 0
    const beat = async () => {
      beatCount++
      if (beatCount === 2) throw new Error('the database was unreachable')
    }
    const result = await withHeartbeat(beat, { intervalMs: 1, signal: neverAborted }, async () => {
      await waitUntil(async () => beatCount > 4, 'heartbeats')
      return 'done'
    })
    const before = beatCount
    await new Promise((resolve) => setTimeout(resolve, 30))
    assert.deepEqual([result, beatCount], ['done', before])
  })

  it('stops when the work fails or is aborted', async () => {
    let beatCount = 0
    const beat = async () => {
      beatCount++
    }
    const failing = withHeartbeat(beat, { intervalMs: 1, signal: neverAborted }, async () => {
      await waitUntil(async () => beatCount > 0, 'a heartbeat')
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    const controller = new AbortController()
    let before = 0
    await withHeartbeat(beat, { intervalMs: 1, signal: controller.signal }, async () => {
      await waitUntil(async () => beatCount > 3, 'heartbeats')
      controller.abort()
      before = beatCount
      await new Promise((resolve) => setTimeout(resolve, 30))
    })
    assert.ok(beatCount - before <= 1, `${beatCount - before} heartbeats after it was aborted`)
  })
})
