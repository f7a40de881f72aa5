import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { samples } from '../../resources/barcode/sample-codes.ts'
import { ScanKeys, type Stroke } from './scan-keys.ts'

const DELAY_MS = 50
/** Milliseconds after which a scan without an end key is complete. */
const SCAN_TIMEOUT_MS = 5 * DELAY_MS
/** A key that the page handles immediately. */
const PAGE_KEY = 'ß'

type KeyPress = Partial<Stroke> & { key: string }

const CONTROL_KEYS: Readonly<Record<string, string>> = { '\u001d': ']', '\u001e': '^', '\u0004': 'd', '\u001c': '\\' }

/** The keys that a scanner sends for a code. */
const toStrokes = (code: string): KeyPress[] =>
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
function createPage({ isInWords = false } = {}) {
  let clock = 0
  let timer: { time: number; callback: () => void } | undefined
  const seen = { codes: [] as string[], field: '', passed: [] as string[] }
  const keys = new ScanKeys<string>({
    delay: DELAY_MS,
    now: () => clock,
    wait(milliseconds, callback) {
      const task = { time: clock + milliseconds, callback }
      timer = task
      return () => {
        if (timer === task) timer = undefined
      }
    },
    onScan: (code) => seen.codes.push(code),
    onTyped: (heldKeys) => {
      seen.field += heldKeys.join('')
    },
    isForPage: (heldKey) => heldKey === PAGE_KEY,
    isInWords: () => isInWords,
  })
  /** Advances the time. */
  function advance(milliseconds: number): void {
    const until = clock + milliseconds
    while (timer && timer.time <= until) {
      clock = Math.max(clock, timer.time)
      const { callback } = timer
      timer = undefined
      callback()
    }
    clock = until
  }
  function press(stroke: KeyPress): void {
    const defaults = {
      code: '',
      ctrlKey: false,
      altKey: false,
      metaKey: false,
      altGraph: false,
      repeat: false,
      isComposing: false,
    }
    const isHeld = keys.press({ ...defaults, timeStamp: clock, ...stroke }, stroke.key === 'Dead' ? '' : stroke.key)
    if (isHeld || stroke.key === 'Control' || stroke.key === 'Shift') return
    if ([...stroke.key].length === 1 && !stroke.ctrlKey) seen.field += stroke.key
    else seen.passed.push(`${stroke.ctrlKey ? 'Ctrl+' : ''}${stroke.key}`)
  }
  return {
    seen,
    advance,
    press,
    /** Types with a number of milliseconds between two keys. */
    type(strokes: readonly KeyPress[], pace: number) {
      for (const stroke of strokes) {
        press(stroke)
        advance(pace)
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

describe('distinguishing a scan from typing', () => {
  it('waits for a scanner that stalls within a label, as its beginning would be taken for another label', () => {
    const label = '[)>\u001e06\u001dP296-LM358-ND\u001dKPO-101\u001dQ10\u001e\u0004'
    const { seen, type, advance } = createPage()
    const strokes = toStrokes(label)
    type(strokes.slice(0, 24), 5)
    advance(2 * DELAY_MS)
    type(strokes.slice(24), 5)
    advance(10 * DELAY_MS)
    assert.deepEqual(seen, { codes: [label], field: '', passed: [] })
    // a code of letters and digits ends with the pause: people type them, too
    type(toStrokes('ABC-12345'), 5)
    advance(2 * DELAY_MS)
    type(toStrokes('DEF-67890'), 5)
    advance(SCAN_TIMEOUT_MS)
    assert.deepEqual(seen.codes, [label, 'ABC-12345', 'DEF-67890'])
  })

  it('continues with keys that were pressed in time and arrive late because the browser was busy', () => {
    const { seen, press, advance } = createPage()
    const strokes = [...toStrokes('{"stockitem":12}'), ENTER]
    for (const [index, stroke] of strokes.entries()) {
      press({ ...stroke, timeStamp: index })
      if (index === 9) advance(3 * DELAY_MS)
    }
    assert.deepEqual(seen, { codes: ['{"stockitem":12}'], field: '', passed: [] })
  })

  it('waits longer for the keys of a busy browser, even if the first one is late itself', () => {
    const { seen, press, advance } = createPage()
    const strokes = [...toStrokes('{"stockitem":12}'), ENTER]
    advance(100)
    for (const [index, stroke] of strokes.entries()) {
      press({ ...stroke, timeStamp: 20 + index })
      if (index === 1) advance(4 * DELAY_MS)
    }
    assert.deepEqual(seen, { codes: ['{"stockitem":12}'], field: '', passed: [] })
  })

  it('takes every label unchanged, with its separators, and passes none of it to the page', () => {
    for (const code of Object.values(samples))
      for (const end of [[ENTER], [TAB], [ENTER, ENTER], []]) {
        const { seen, type, advance } = createPage()
        type([...toStrokes(code), ...end], 3)
        advance(SCAN_TIMEOUT_MS)
        assert.deepEqual(seen, { codes: [code], field: '', passed: [] })
      }
  })

  it('accepts Enter after the code was considered complete', () => {
    const { seen, type, advance, press } = createPage()
    type(toStrokes('INV-PA10'), 3)
    advance(80)
    press(ENTER)
    advance(1_000)
    press(ENTER)
    assert.deepEqual(seen, { codes: ['INV-PA10'], field: '', passed: ['Enter'] })
  })

  it('releases typed text of any length, in order with the keys that are not held', () => {
    const { seen, type, advance } = createPage()
    type([...toStrokes('a word'), { key: 'Backspace' }, ENTER], 70)
    advance(DELAY_MS)
    assert.deepEqual(seen, { codes: [], field: 'a word', passed: ['Backspace', 'Enter'] })
  })

  it('holds no key that the page handles, and still takes a scan that starts with it as a whole', () => {
    const { seen, press, advance, type } = createPage()
    press({ key: PAGE_KEY })
    assert.equal(seen.field, PAGE_KEY)
    advance(1_000)
    type([...toStrokes(`${PAGE_KEY}${PAGE_KEY}-1234`), ENTER], 10)
    assert.deepEqual(seen, { codes: [`${PAGE_KEY}${PAGE_KEY}-1234`], field: PAGE_KEY.repeat(2), passed: [] })
    type([{ key: PAGE_KEY }, { key: 'x' }], 20)
    advance(1_000)
    assert.equal(seen.field, `${PAGE_KEY.repeat(3)}x`)
  })

  it('releases a few keys that arrive together before the key that follows them', () => {
    const { seen, type } = createPage()
    type([{ key: 'o' }, { key: 'f' }, ENTER], 20)
    assert.deepEqual(seen, { codes: [], field: 'of', passed: ['Enter'] })
  })

  it('leaves shortcuts, repeated keys and input method composition to the browser', () => {
    const { seen, type } = createPage()
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
    const repeating = createPage()
    repeating.type(
      [{ key: 'x' }, ...Array(20).fill({ key: 'x', repeat: true }), ...Array(8).fill({ key: 'n', isComposing: true })],
      30,
    )
    repeating.advance(DELAY_MS)
    assert.deepEqual([repeating.seen.codes, repeating.seen.field], [[], `${'x'.repeat(21)}nnnnnnnn`])
  })

  it('lets no Ctrl+D, Ctrl+J or Ctrl+M of a scan reach the browser', () => {
    const { seen, type, advance } = createPage()
    type([...toStrokes('[)>\u001e06\u001dPX\u001e\u0004'), { key: 'm', ctrlKey: true }, { key: 'j', ctrlKey: true }], 4)
    advance(SCAN_TIMEOUT_MS)
    assert.deepEqual(seen, { codes: ['[)>\u001e06\u001dPX\u001e\u0004'], field: '', passed: [] })
  })

  it('recognizes the keys of control characters by position if the keyboard layout has others there', () => {
    const { seen, type, advance } = createPage()
    type([...toStrokes('[)>'), { key: '&', code: 'Digit6', ctrlKey: true }, { key: '+', code: 'BracketRight', ctrlKey: true }], 4)
    type([...toStrokes('PX')], 4)
    advance(SCAN_TIMEOUT_MS)
    assert.deepEqual(seen, { codes: ['[)>\u001e\u001dPX'], field: '', passed: [] })
  })

  it('accepts characters written with AltGr, as reported by Linux and by Windows, and with dead keys', () => {
    const { seen, type, advance } = createPage()
    type([{ key: '[', altGraph: true }, { key: ')' }, { key: '>' }, { key: '{', altGraph: true, ctrlKey: true, altKey: true }], 4)
    type([{ key: 'Dead' }, { key: 'ê' }, { key: 'Dead' }, { key: '^' }, { key: 'ü' }], 4)
    advance(SCAN_TIMEOUT_MS)
    assert.deepEqual(seen, { codes: ['[)>{^e^ü'], field: '', passed: [] })
    const typing = createPage()
    typing.type([{ key: 'Dead' }, { key: 'ê' }, { key: '@', altGraph: true }], 90)
    assert.deepEqual(typing.seen, { codes: [], field: 'ê@', passed: ['Dead'] })
  })

  it('presses a button with the space bar immediately', () => {
    const { seen, press } = createPage()
    press({ key: ' ' })
    assert.equal(seen.field, ' ')
  })

  it('leaves words that people type fast in a field there, and takes a scan with an end key', () => {
    const { seen, type, advance } = createPage({ isInWords: true })
    type([...toStrokes('supplier'), ENTER], 40)
    assert.deepEqual(seen, { codes: [], field: 'supplier', passed: ['Enter'] })
    // faster than people, but without an end key
    type(toStrokes('vendor'), 20)
    advance(SCAN_TIMEOUT_MS)
    assert.deepEqual([seen.codes, seen.field], [[], 'suppliervendor'])
    type([...toStrokes('INV-PA10'), ENTER], 20)
    assert.deepEqual([seen.codes, seen.field], [['INV-PA10'], 'suppliervendor'])
    const label = '[)>\u001e06\u001dPX\u001e\u0004'
    type(toStrokes(label), 4)
    advance(SCAN_TIMEOUT_MS)
    assert.deepEqual(seen.codes, ['INV-PA10', label])
  })

  it('does not split a code while the page is busy', () => {
    const { seen, press, advance, block } = createPage()
    const strokes = toStrokes('INV-SI1234')
    for (const [index, stroke] of strokes.entries()) {
      press({ ...stroke, timeStamp: index * 4 })
      // the timer fires late, and before the waiting keys
      if (index === 4) block(300)
      if (index === 4) advance(0)
    }
    // the last ones arrived very late
    advance(6 * SCAN_TIMEOUT_MS)
    assert.deepEqual(seen, { codes: ['INV-SI1234'], field: '', passed: [] })
  })

  it('loses and reorders nothing when typing and scanning alternate', () => {
    const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 })
    const code = fc.constantFrom(...Object.values(samples), 'INV-PA10', '4006381333931')
    const turn = fc.oneof(
      fc.record({ kind: fc.constant('typing' as const), text, pace: fc.integer({ min: DELAY_MS + 1, max: 300 }) }),
      fc.record({ kind: fc.constant('scan' as const), text: code, pace: fc.integer({ min: 0, max: DELAY_MS - 1 }) }),
    )
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 8 }), (turns) => {
        const { seen, type, advance } = createPage()
        for (const { kind, text, pace } of turns) {
          type(kind === 'scan' ? [...toStrokes(text), ENTER] : [...text].map((key) => ({ key })), pace)
          advance(200)
        }
        const listTexts = (kind: string) => turns.filter((one) => one.kind === kind).map((one) => one.text)
        assert.deepEqual(seen, { codes: listTexts('scan'), field: listTexts('typing').join(''), passed: [] })
      }),
    )
  })
})
