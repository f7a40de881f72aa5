/** A key that went down, as the browser tells it. */
export type Stroke = {
  key: string
  code: string
  ctrlKey: boolean
  altKey: boolean
  metaKey: boolean
  repeat: boolean
  isComposing: boolean
  /** Milliseconds. */
  timeStamp: number
  /** Whether AltGr is down. Windows tells of it as Ctrl and Alt, too. */
  altGraph: boolean
}

/** Runs something after so many milliseconds. What it returns calls that off. */
export type Wait = (milliseconds: number, then: () => void) => () => void

type Options<Held> = {
  /** Milliseconds within which the next key of a scan follows: the setting `BARCODE_INPUT_DELAY`. */
  delay: number
  wait: Wait
  /** Milliseconds, by the clock of the strokes. */
  now: () => number
  /** A code was scanned: with its control characters, without the key that ended it. */
  scanned: (code: string) => void
  /** What was held back was typed after all. */
  typed: (held: readonly Held[]) => void
  /** Whether a stroke goes to the page at once, as hardly a scan begins with it. One that does is told of as a whole all the same. */
  isForPage: (held: Held) => boolean
}

/** The fewest characters of a scan that Enter or Tab ends, and of one that ends with nothing. Nobody types as many at such a pace. */
const FEWEST_ENDED = 4
const FEWEST = 6
/**
 * How many delays of the clock pass until a scan is over that nothing ends. Its keys may have been made in time and come late, as the browser
 * was busy: it would be two scans of half a code each. Nobody waits for it so long that it matters.
 */
const UNENDED = 4
/** Where keys come late, the next may come later still: it is waited for so many times as long as the last one was late, but not longer than half a second. */
const AS_LATE = 2
const MOST_LATE = 250
/** After so many characters at the pace of a scanner, Ctrl and a key are a character of the code, whatever they do in the browser. */
export const MIN_SURE = 3

const GS = '\u001d'
const RS = '\u001e'
/** Ends a label that ends as the standard has it. */
const EOT = '\u0004'
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'Fn', 'Hyper', 'Super', 'OS'])

/** The control characters of keys that are no letters; those with a place on the keyboard stand there whatever its language writes on it. */
const CONTROLS: Readonly<Record<string, string>> = {
  '[': '\u001b',
  '\\': '\u001c',
  ']': GS,
  '^': RS,
  _: '\u001f',
  BracketRight: GS,
  Digit6: RS,
  Backslash: '\u001c',
}

/** The characters that a keyboard writes for accents which wait for a letter. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': '`',
  '\u0301': '´',
  '\u0302': '^',
  '\u0303': '~',
  '\u0308': '¨',
}

/**
 * Tells the scans of a scanner that types from what people type, by their pace. Characters are held back until it is known what they are: a
 * scan is told of as a whole and reaches nothing else; what was typed is given back, after `delay` milliseconds at most, in its order.
 *
 * Scanners send control characters as Ctrl and a key (Ctrl+] for GS, Ctrl+^ for RS, Ctrl+D for EOT), which become these characters.
 * @typeParam Held what is given back: the event of the stroke
 */
export class ScanKeys<Held> {
  readonly #options: Options<Held>
  #held: Held[] = []
  #code: string[] = []
  #last = 0
  /** How late the last one came, in milliseconds. */
  #late = 0
  #hasControls = false
  #isAfterAccent = false
  #waitedOnce = false
  /** Until when the end of a scan may still come, such as Enter after a code that was taken as over. */
  #endsUntil = Number.NEGATIVE_INFINITY
  #callOff: (() => void) | undefined

  constructor(options: Options<Held>) {
    this.#options = options
  }

  /**
   * Takes a stroke.
   * @returns whether it is kept from the page and the browser
   */
  press(stroke: Stroke, held: Held): boolean {
    this.goesOn(stroke)
    if (isModifier(stroke)) {
      if (this.#isHolding) this.#goOn(stroke)
      return false
    }
    const character = stroke.repeat || stroke.isComposing ? undefined : this.#characterOf(stroke)
    if (character === undefined) {
      if (isEnd(stroke)) return this.#end(stroke)
      this.settle()
      return false
    }
    if (character === '\r' || character === '\n' || character === '\t') return this.#end(stroke)
    const isKept = this.#isHolding || !this.#options.isForPage(held)
    if (isKept) this.#held.push(held)
    this.#code.push(character)
    this.#hasControls ||= character < ' ' && character !== ''
    this.#isAfterAccent = stroke.key === 'Dead'
    this.#goOn(stroke)
    return isKept
  }

  /** Decides what is held back, as nothing more comes. */
  settle(): void {
    if (!this.#isHolding) return
    const isScan = this.#isScan(FEWEST)
    if (isScan) this.#endsUntil = this.#last + this.#patience + 2 * this.#options.delay
    this.#giveOut(isScan)
  }

  /** Whether a stroke goes on with characters that are held back. Decides what these are where it comes too late for that. */
  goesOn({ timeStamp }: Stroke): boolean {
    if (this.#isHolding && timeStamp - this.#last > this.#patience) this.settle()
    return this.#isHolding
  }

  get #isHolding(): boolean {
    return this.#code.length > 0
  }

  /**
   * Milliseconds within which the next key follows. Nobody types the control characters of a label: where there are some, a scanner that
   * falters on the air is waited for, as the beginning of a label would pass for another label.
   */
  get #patience(): number {
    const isOpen = this.#hasControls && this.#code.at(-1) !== EOT
    return isOpen ? 3 * this.#options.delay : this.#options.delay
  }

  #isScan(fewest: number): boolean {
    return this.#code.length >= (this.#hasControls ? FEWEST_ENDED : fewest)
  }

  /** A key that ends a scan, or is on its own. */
  #end(stroke: Stroke): boolean {
    if (this.#isHolding && this.#isScan(FEWEST_ENDED)) {
      // some scanners send two
      this.#endsUntil = stroke.timeStamp + this.#options.delay
      this.#giveOut(true)
      return true
    }
    this.settle()
    return stroke.timeStamp <= this.#endsUntil
  }

  /** Waits for the next stroke. */
  #goOn(stroke: Stroke): void {
    this.#last = stroke.timeStamp
    this.#late = Math.min(Math.max(this.#options.now() - stroke.timeStamp, 0), MOST_LATE)
    this.#waitedOnce = false
    this.#arm()
  }

  #arm(): void {
    const { delay, wait, now } = this.#options
    const patience = this.#patience
    const until = AS_LATE * this.#late + (this.#isScan(FEWEST) ? Math.max(patience, UNENDED * delay) : patience)
    this.#callOff?.()
    this.#callOff = wait(until, () => {
      // the page was busy: strokes that were made in time may wait behind this
      const isLate = now() - this.#last > until + 0.5 * patience
      if (isLate && !this.#waitedOnce) {
        this.#waitedOnce = true
        this.#arm()
      } else this.settle()
    })
  }

  #giveOut(isScan: boolean): void {
    const { scanned, typed } = this.#options
    const [held, code] = [this.#held, this.#code.join('')]
    this.#callOff?.()
    this.#held = []
    this.#code = []
    this.#hasControls = false
    this.#isAfterAccent = false
    if (isScan) scanned(code)
    else typed(held)
  }

  /** The character that a stroke is, were it of a scan; empty for an accent that waits for its letter; undefined for none. */
  #characterOf(stroke: Stroke): string | undefined {
    const { key, ctrlKey, altKey, metaKey, altGraph, timeStamp } = stroke
    if (metaKey) return undefined
    const isWithin = this.#isHolding
    // the browser puts the letter under it by itself
    if (key === 'Dead') return isWithin ? '' : undefined
    const isThirdLevel = altGraph || (ctrlKey && altKey)
    if (ctrlKey && !altKey) return controlOf(stroke, this.#code.length >= MIN_SURE || timeStamp <= this.#endsUntil)
    if ([...key].length !== 1) return undefined
    // Alt alone is for the browser; keyboards of Apple write with it
    if (altKey && !isThirdLevel && !isWithin) return undefined
    // what no code begins with, and buttons are pressed by
    if (key === ' ' && !isWithin) return undefined
    return this.#isAfterAccent ? apart(key) : key
  }
}

/**
 * The control character that Ctrl and a key stand for in a code; undefined for a shortcut.
 * @param isOfScan whether all of them do: else those alone that are no shortcuts of browsers
 */
export function controlOf({ key, code }: Stroke, isOfScan: boolean): string | undefined {
  const character = /^[a-z]$/i.test(key) ? String.fromCharCode(key.toUpperCase().charCodeAt(0) & 31) : CONTROLS[key]
  if (character === GS || character === RS) return character
  return isOfScan ? (character ?? CONTROLS[code]) : undefined
}

/** Whether it is a key that changes others, such as Shift. */
export const isModifier = ({ key }: Stroke): boolean => MODIFIERS.has(key)

/** Whether it is a key that may end a scan. */
export const isEnd = ({ key, ctrlKey, altKey, metaKey, repeat }: Stroke): boolean =>
  (key === 'Enter' || key === 'Tab') && !ctrlKey && !altKey && !metaKey && !repeat

/** A letter under an accent as the two characters that stand on the label. */
function apart(key: string): string {
  const [letter = '', accent = ''] = key.normalize('NFD')
  const written = ACCENTS[accent]
  return written ? `${written}${letter}` : key
}
