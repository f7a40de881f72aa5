import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { buildFrame, FrameReader, FrameTooLong } from './frames.ts'

describe('Frames', () => {
  test('are reassembled wherever the stream is split', () => {
    const message = fc.tuple(fc.string({ unit: 'binary' }), fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 3 }))
    const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 30 }))
    fc.assert(
      fc.property(fc.array(message, { maxLength: 10 }), cuts, (messages, lengths) => {
        const stream = Buffer.concat(messages.map(([text, bytes]) => buildFrame(text, bytes)))
        const frames: [string, Buffer][] = []
        const reader = new FrameReader(10_000, (text, bytes) => frames.push([text, Buffer.from(bytes)]))
        for (let start = 0; start < stream.length; ) {
          const length = lengths.next().value
          reader.push(stream.subarray(start, start + length))
          start += length
        }
        // a lone surrogate is not valid text, and becomes the replacement character
        assert.deepEqual(
          frames,
          messages.map(([text, bytes]) => [text.toWellFormed(), Buffer.concat(bytes)]),
        )
      }),
    )
  })

  test('are rejected by their head if they are too long, or their text is longer than the frame', () => {
    const push = (maxBytes: number, ...lengths: [number, number]) => {
      const head = Buffer.alloc(8)
      head.writeUInt32LE(lengths[0], 0)
      head.writeUInt32LE(lengths[1], 4)
      new FrameReader(maxBytes, () => assert.fail('no frame is whole')).push(head)
    }
    assert.doesNotThrow(() => push(100, 100, 100))
    assert.throws(() => push(100, 101, 1), FrameTooLong)
    assert.throws(() => push(100, 0xffffffff, 0xffffffff), FrameTooLong)
    assert.throws(() => push(100, 10, 11), FrameTooLong)
  })
})
