import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Sightings } from './sightings.ts'

/** Adds frames at an interval in milliseconds; returns the new codes of each. */
function addFrames(frames: string[][], interval: number): string[][] {
  const sightings = new Sightings()
  return frames.map((codes, index) => sightings.addFrame(codes, index * interval))
}

describe('codes in the camera image', () => {
  it('count once while they are visible, even if a frame misses them', () =>
    assert.deepEqual(addFrames([['a'], ['a'], [], ['a', 'b'], ['b', 'b'], ['a']], 300), [['a'], [], [], ['b'], [], []]))

  it('count once on a phone that takes seconds for each frame', () =>
    assert.deepEqual(addFrames([['a', 'a', ''], ['a'], [], ['a'], [], [], ['a']], 5_000), [['a'], [], [], [], [], [], []]))

  it('count again after they were out of view', () => {
    const outOfView = Array.from({ length: 16 }, () => [])
    assert.deepEqual(addFrames([['a'], ...outOfView, ['a']], 100).at(-1), ['a'])
    assert.deepEqual(addFrames([['a'], ...outOfView.slice(1), ['a']], 100).at(-1), [])
    assert.deepEqual(addFrames([['a'], [], [], [], ['a']], 5_000).at(-1), ['a'])
  })
})
