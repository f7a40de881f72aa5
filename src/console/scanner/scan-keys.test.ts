import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { samples } from '../../resources/barcode/sample-codes.ts'
import { ScanKeys, type Stroke } from './scan-keys.ts'

const DELAY = 50
/** Milliseconds after which a scan without an end key is complete. */
const SCAN_TIMEOUT_MS = 5 * DELAY
/** A key that the page handles immediately. */
const FOR_PAGE = 'ß'

type KeyPress = Partial<Stroke> & { key: string }

const CONTROL_KEYS: Readonly<Record<string, string>> = { '\u001d': ']', '\u001e': '^', '\u0004': 'd', '\u001c': '\\' }

/** The keys that a scanner sends for a code. */
const strokesOf = (code: string): KeyPress[] =>
  [...code].flatMap((character) => {
    const key = CONTROL_KEYS[character]
    return key
      ? [
          { key: 'Control', ctrlKey: true },
          { key, ctrlKey: true },
        ]
      : [{ key: character }]
  })

/** A page with a focused field, and a record of its keys. */
function page() {
  let clock = 0
  let timer: { at: number; then: () => void } | undefined
  const seen = { codes: [] as string[], field: '', passed: [] as string[] }
  const keys = new ScanKeys<string>({
    delay: DELAY,
    now: () => clock,
    wait(milliseconds, then) {
      const task = { at: clock + milliseconds, then }
      timer = task
      return () => {
        if (timer === task) timer = undefined
      }
    },
    onScan: (code) => seen.codes.push(code),
    onTyped: (held) => {
      seen.field += held.join('')
    },
    isForPage: (held) => held === FOR_PAGE,
  })
  /** Advances the time. */
  function rest(milliseconds: number): void {
    const until = clock + milliseconds
    while (timer && timer.at <= until) {
      clock = Math.max(clock, timer.at)
      const { then } = timer
      timer = undefined
      then()
    }
    clock = until
  }
  function press(stroke: KeyPress): void {
    const none = { code: '', ctrlKey: false, altKey: false, metaKey: false, altGraph: false, repeat: false, isComposing: false }
    const isKept = keys.press({ ...none, timeStamp: clock, ...stroke }, stroke.key === 'Dead' ? '' : stroke.key)
    if (isKept || stroke.key === 'Control' || stroke.key === 'Shift') return
    if ([...stroke.key].length === 1 && !stroke.ctrlKey) seen.field += stroke.key
    else seen.passed.push(`${stroke.ctrlKey ? 'Ctrl+' : ''}${stroke.key}`)
  }
  return {
    seen,
    rest,
    press,
    /** Types with a number of milliseconds between two keys. */
    type(strokes: readonly KeyPress[], pace: number) {
      for (const stroke of strokes) {
        press(stroke)
        rest(pace)
      }
    },
    /** Simulates a busy page: time advances without timers. */
    block(milliseconds: number) {
      clock += milliseconds
    },
  }
}

const ENTER = { key: 'Enter' }
const TAB = { key: 'Tab' }

describe('telling a scan from typing', () => {
  it('waits for a scanner that stalls within a label, as its beginning would be taken for another label', () => {
    const label = '[)>\u001e06\u001dP296-LM358-ND\u001dKPO-101\u001dQ10\u001e\u0004'
    const { seen, type, rest } = page()
    const strokes = strokesOf(label)
    type(strokes.slice(0, 24), 5)
    rest(2 * DELAY)
    type(strokes.slice(24), 5)
    rest(10 * DELAY)
    assert.deepEqual(seen, { codes: [label], field: '', passed: [] })
    // a code of letters and digits ends with the pause: people type them, too
    type(strokesOf('ABC-12345'), 5)
    rest(2 * DELAY)
    type(strokesOf('DEF-67890'), 5)
    rest(SCAN_TIMEOUT_MS)
    assert.deepEqual(seen.codes, [label, 'ABC-12345', 'DEF-67890'])
  })

  it('continues with keys that were pressed in time and arrive late because the browser was busy', () => {
    const { seen, press, rest } = page()
    const strokes = [...strokesOf('{"stockitem":12}'), ENTER]
    for (const [at, stroke] of strokes.entries()) {
      press({ ...stroke, timeStamp: at })
      if (at === 9) rest(3 * DELAY)
    }
    assert.deepEqual(seen, { codes: ['{"stockitem":12}'], field: '', passed: [] })
  })

  it('waits longer for the keys of a busy browser from the first one on, which is late itself', () => {
    const { seen, press, rest } = page()
    const strokes = [...strokesOf('{"stockitem":12}'), ENTER]
    rest(100)
    for (const [at, stroke] of strokes.entries()) {
      press({ ...stroke, timeStamp: 20 + at })
      if (at === 1) rest(4 * DELAY)
    }
    assert.deepEqual(seen, { codes: ['{"stockitem":12}'], field: '', passed: [] })
  })

  it('takes every label unchanged, with its separators, and passes none of it to the page', () => {
    for (const code of Object.values(samples))
      for (const end of [[ENTER], [TAB], [ENTER, ENTER], []]) {
        const { seen, type, rest } = page()
        type([...strokesOf(code), ...end], 3)
        rest(SCAN_TIMEOUT_MS)
        assert.deepEqual(seen, { codes: [code], field: '', passed: [] })
      }
  })

  it('accepts Enter after the code was considered complete', () => {
    const { seen, type, rest, press } = page()
    type(strokesOf('INV-PA10'), 3)
    rest(80)
    press(ENTER)
    rest(1_000)
    press(ENTER)
    assert.deepEqual(seen, { codes: ['INV-PA10'], field: '', passed: ['Enter'] })
  })

  it('releases typed text of any length, in order with the keys that are not held', () => {
    const { seen, type, rest } = page()
    type([...strokesOf('a word'), { key: 'Backspace' }, ENTER], 70)
    rest(DELAY)
    assert.deepEqual(seen, { codes: [], field: 'a word', passed: ['Backspace', 'Enter'] })
  })

  it('holds no key that the page handles, and still takes a scan that starts with it as a whole', () => {
    const { seen, press, rest, type } = page()
    press({ key: FOR_PAGE })
    assert.equal(seen.field, FOR_PAGE)
    rest(1_000)
    type([...strokesOf(`${FOR_PAGE}${FOR_PAGE}-1234`), ENTER], 10)
    assert.deepEqual(seen, { codes: [`${FOR_PAGE}${FOR_PAGE}-1234`], field: FOR_PAGE.repeat(2), passed: [] })
    type([{ key: FOR_PAGE }, { key: 'x' }], 20)
    rest(1_000)
    assert.equal(seen.field, `${FOR_PAGE.repeat(3)}x`)
  })

  it('releases a few keys that arrive together before the key that follows them', () => {
    const { seen, type } = page()
    type([{ key: 'o' }, { key: 'f' }, ENTER], 20)
    assert.deepEqual(seen, { codes: [], field: 'of', passed: ['Enter'] })
  })

  it('leaves shortcuts, repeated keys and input method composition to the browser', () => {
    const { seen, type } = page()
    type(
      [
        { key: 'd', ctrlKey: true },
        { key: 'k', ctrlKey: true },
        { key: 'Enter', ctrlKey: true },
        { key: 'F5' },
        { key: 'a', metaKey: true },
      ],
      5,
    )
    assert.deepEqual(seen.passed, ['Ctrl+d', 'Ctrl+k', 'Ctrl+Enter', 'F5'])
    const held = page()
    held.type(
      [{ key: 'x' }, ...Array(20).fill({ key: 'x', repeat: true }), ...Array(8).fill({ key: 'n', isComposing: true })],
      30,
    )
    held.rest(DELAY)
    assert.deepEqual([held.seen.codes, held.seen.field], [[], `${'x'.repeat(21)}nnnnnnnn`])
  })

  it('lets no Ctrl+D, Ctrl+J or Ctrl+M of a scan reach the browser', () => {
    const { seen, type, rest } = page()
    type([...strokesOf('[)>\u001e06\u001dPX\u001e\u0004'), { key: 'm', ctrlKey: true }, { key: 'j', ctrlKey: true }], 4)
    rest(SCAN_TIMEOUT_MS)
    assert.deepEqual(seen, { codes: ['[)>\u001e06\u001dPX\u001e\u0004'], field: '', passed: [] })
  })

  it('recognizes the keys of control characters by position if the keyboard layout has others there', () => {
    const { seen, type, rest } = page()
    type([...strokesOf('[)>'), { key: '&', code: 'Digit6', ctrlKey: true }, { key: '+', code: 'BracketRight', ctrlKey: true }], 4)
    type([...strokesOf('PX')], 4)
    rest(SCAN_TIMEOUT_MS)
    assert.deepEqual(seen, { codes: ['[)>\u001e\u001dPX'], field: '', passed: [] })
  })

  it('accepts characters written with AltGr, as reported by Linux and by Windows, and with dead keys', () => {
    const { seen, type, rest } = page()
    type([{ key: '[', altGraph: true }, { key: ')' }, { key: '>' }, { key: '{', altGraph: true, ctrlKey: true, altKey: true }], 4)
    type([{ key: 'Dead' }, { key: 'ê' }, { key: 'Dead' }, { key: '^' }, { key: 'ü' }], 4)
    rest(SCAN_TIMEOUT_MS)
    assert.deepEqual(seen, { codes: ['[)>{^e^ü'], field: '', passed: [] })
    const typing = page()
    typing.type([{ key: 'Dead' }, { key: 'ê' }, { key: '@', altGraph: true }], 90)
    assert.deepEqual(typing.seen, { codes: [], field: 'ê@', passed: ['Dead'] })
  })

  it('presses a button with the space bar immediately', () => {
    const { seen, press } = page()
    press({ key: ' ' })
    assert.equal(seen.field, ' ')
  })

  it('does not split a code while the page is busy', () => {
    const { seen, press, rest, block } = page()
    const strokes = strokesOf('INV-SI1234')
    for (const [at, stroke] of strokes.entries()) {
      press({ ...stroke, timeStamp: at * 4 })
      // the timer fires late, and before the waiting keys
      if (at === 4) block(300)
      if (at === 4) rest(0)
    }
    // the last ones arrived very late
    rest(6 * SCAN_TIMEOUT_MS)
    assert.deepEqual(seen, { codes: ['INV-SI1234'], field: '', passed: [] })
  })

  it('loses and reorders nothing when typing and scanning alternate', () => {
    const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 })
    const code = fc.constantFrom(...Object.values(samples), 'INV-PA10', '4006381333931')
    const turn = fc.oneof(
      fc.record({ kind: fc.constant('typing' as const), text, pace: fc.integer({ min: DELAY + 1, max: 300 }) }),
      fc.record({ kind: fc.constant('scan' as const), text: code, pace: fc.integer({ min: 0, max: DELAY - 1 }) }),
    )
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 8 }), (turns) => {
        const { seen, type, rest } = page()
        for (const { kind, text, pace } of turns) {
          type(kind === 'scan' ? [...strokesOf(text), ENTER] : [...text].map((key) => ({ key })), pace)
          rest(200)
        }
        const all = (kind: string) => turns.filter((one) => one.kind === kind).map((one) => one.text)
        assert.deepEqual(seen, { codes: all('scan'), field: all('typing').join(''), passed: [] })
      }),
    )
  })
})
