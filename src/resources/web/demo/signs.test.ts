import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../../../testing/until.ts'
import { withHeartbeat } from './heartbeat.ts'

const never = new AbortController().signal

describe('the heartbeat', () => {
  it('continues during silent work, even after a failed heartbeat, and stops when the work ends', async () => {
    let given = 0
    const sign = async () => {
      given++
      if (given === 2) throw new Error('the database was away')
    }
    const answer = await withHeartbeat(sign, { every: 1, signal: never }, async () => {
      await until(async () => given > 4, 'signs')
      return 'done'
    })
    const before = given
    await new Promise((resolve) => setTimeout(resolve, 30))
    assert.deepEqual([answer, given], ['done', before])
  })

  it('stops when the work fails or is aborted', async () => {
    let given = 0
    const sign = async () => {
      given++
    }
    const failing = withHeartbeat(sign, { every: 1, signal: never }, async () => {
      await until(async () => given > 0, 'a sign')
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    const ending = new AbortController()
    let before = 0
    await withHeartbeat(sign, { every: 1, signal: ending.signal }, async () => {
      await until(async () => given > 3, 'signs')
      ending.abort()
      before = given
      await new Promise((resolve) => setTimeout(resolve, 30))
    })
    assert.ok(given - before <= 1, `${given - before} signs after it was called off`)
  })
})
