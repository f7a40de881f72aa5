import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Sightings } from './sightings.ts'

describe('codes in the camera image', () => {
  it('count once while they are visible, even if a frame misses them', () => {
    const sightings = new Sightings()
    const results = [['a'], ['a'], [], ['a', 'b'], ['b', 'b'], ['a']].map((codes, index) =>
      sightings.addFrame(codes, index * 300),
    )
    assert.deepEqual(results, [['a'], [], [], ['b'], [], []])
  })

  it('count again after they were out of view', () => {
    const sightings = new Sightings()
    assert.deepEqual(sightings.addFrame(['a', 'a', ''], 0), ['a'])
    assert.deepEqual(sightings.addFrame(['a'], 1_400), [])
    assert.deepEqual(sightings.addFrame(['a'], 3_000), ['a'])
  })
})
