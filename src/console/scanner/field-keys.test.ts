import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FieldKeys } from './field-keys.ts'
import type { Stroke } from './scan-keys.ts'

const DELAY_MS = 50
const NO_MODIFIERS = {
  code: '',
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  altGraph: false,
  repeat: false,
  isComposing: false,
}

/** Presses keys one after the other. @param pauses milliseconds before each @returns the classification of the last one */
function press(
  keys: FieldKeys,
  strokes: readonly (Partial<Stroke> & { key: string })[],
  pauses: readonly number[],
  startTime = 0,
) {
  let timeStamp = startTime
  let last: ReturnType<FieldKeys['press']>
  for (const [index, stroke] of strokes.entries()) {
    timeStamp += pauses[index] ?? 0
    last = keys.press({ ...NO_MODIFIERS, timeStamp, ...stroke })
  }
  return { last, timeStamp }
}
const toStrokes = (text: string, end = 'Enter') => [...[...text].map((key) => ({ key })), { key: end }]
const code = fc.stringMatching(/^[A-Z0-9-]{4,20}$/)
const end = fc.constantFrom('Enter', 'Tab')

describe('keys in a text field', () => {
  it('include the end key of a scan at every pace of a scanner', () => {
    fc.assert(
      fc.property(
        code,
        end,
        fc.integer({ min: 1, max: 300 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 15 })),
        (text, key, pace, jitter) => {
          const strokes = toStrokes(text, key)
          const pauses = strokes.map(() => pace + (jitter.next().value as number))
          assert.equal(press(new FieldKeys(DELAY_MS), strokes, pauses).last, 'end')
        },
      ),
    )
  })

  it('leave Enter to people, who pause before it, hesitate between two keys or type little', () => {
    for (const [text, pauses] of [
      ['Resistor', [0, 120, 180, 95, 210, 130, 160, 140, 420]],
      ['Box 7', [0, 140, 90, 300, 110, 150]],
      ['120', [0, 130, 140, 150]],
      ['7', [0, 200]],
      ['', [0]],
    ] as const)
      assert.equal(press(new FieldKeys(DELAY_MS), toStrokes(text), pauses).last, undefined, text)
  })

  it('leave Enter to people who correct their input', () => {
    const strokes = [...toStrokes('W-904').slice(0, -1), { key: 'Backspace' }, { key: 'Enter' }]
    assert.equal(
      press(
        new FieldKeys(DELAY_MS),
        strokes,
        strokes.map(() => 20),
      ).last,
      undefined,
    )
  })

  it('ignore the second of two keys that end a scan, but not that of the next scan', () => {
    fc.assert(
      fc.property(code, fc.integer({ min: 1, max: 300 }), (text, pace) => {
        const keys = new FieldKeys(DELAY_MS)
        const { timeStamp } = press(
          keys,
          toStrokes(text),
          [...toStrokes(text)].map(() => pace),
        )
        assert.equal(press(keys, [{ key: 'Enter' }], [pace], timeStamp).last, 'repeated-end')
        assert.equal(
          press(
            keys,
            toStrokes(text),
            [...toStrokes(text)].map(() => pace),
            timeStamp + pace,
          ).last,
          'end',
        )
      }),
    )
  })

  it('become control characters of a label unless they are shortcuts of people', () => {
    const keys = new FieldKeys(DELAY_MS)
    const GS = { key: ']', ctrlKey: true, code: 'BracketRight' }
    assert.deepEqual(press(keys, [...toStrokes(']d201').slice(0, -1), GS], [0, 5, 5, 5, 5, 5]).last, { control: '\u001d' })
    // German keyboards have + there, which zooms in browsers
    const plus = { ...GS, key: '+' }
    assert.deepEqual(press(new FieldKeys(DELAY_MS), [...toStrokes('[)>06').slice(0, -1), plus], [0, 5, 5, 5, 5, 5]).last, {
      control: '\u001d',
    })
    assert.equal(press(new FieldKeys(DELAY_MS), [plus], [0]).last, undefined)
    const save = { key: 'd', ctrlKey: true, code: 'KeyD' }
    assert.equal(
      press(new FieldKeys(DELAY_MS), [...toStrokes('Resistor').slice(0, -1), save], [0, 120, 180, 95, 210, 130, 160, 140, 150])
        .last,
      undefined,
    )
    assert.deepEqual(
      press(
        new FieldKeys(DELAY_MS),
        [...toStrokes('Resistor').slice(0, -1), save],
        toStrokes('Resistor').map(() => 4),
      ).last,
      {
        control: '\u0004',
      },
    )
  })
})
