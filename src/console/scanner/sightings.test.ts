import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Sightings } from './sightings.ts'

describe('codes that a camera sees', () => {
  it('count once while they are in sight, also when a picture misses them', () => {
    const sightings = new Sightings()
    const seen = [['a'], ['a'], [], ['a', 'b'], ['b', 'b'], ['a']].map((codes, at) => sightings.see(codes, at * 300))
    assert.deepEqual(seen, [['a'], [], [], ['b'], [], []])
  })

  it('count once more after they were out of sight', () => {
    const sightings = new Sightings()
    assert.deepEqual(sightings.see(['a', 'a', ''], 0), ['a'])
    assert.deepEqual(sightings.see(['a'], 1_400), [])
    assert.deepEqual(sightings.see(['a'], 3_000), ['a'])
  })
})
