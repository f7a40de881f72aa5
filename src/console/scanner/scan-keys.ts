/** A keydown event. */
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
  /** Whether AltGr is down. Windows reports it as Ctrl and Alt, too. */
  altGraph: boolean
}

/** Runs a callback after a number of milliseconds. Returns a function that cancels it. */
export type Wait = (milliseconds: number, then: () => void) => () => void

type Options<Held> = {
  /** Maximum time until the next key of a scan, in milliseconds: the setting `BARCODE_INPUT_DELAY`. */
  delay: number
  wait: Wait
  /** Milliseconds, on the clock of the events. */
  now: () => number
  /** Called with a scanned code: with its control characters, without the end key. */
  onScan: (code: string) => void
  /** Called with held keys that were typed. */
  onTyped: (held: readonly Held[]) => void
  /** Whether the page handles a key immediately, as a scan is unlikely to start with it. A scan that does is still reported as a whole. */
  isForPage: (held: Held) => boolean
  /** Whether a key is pressed in a field for words, where text without an end key, or at the pace of people, is never a scan. */
  isInWords: (held: Held) => boolean
}

/** Minimum number of characters of a scan with Enter or Tab at its end, and of one without an end key. No human types that many at such a pace. */
const MIN_TERMINATED_LENGTH = 4
const MIN_UNTERMINATED_LENGTH = 6
/** Maximum median pause between two keys of a scan into a field for words, in milliseconds: fast people type a key every 40 ms. */
const MAX_PAUSE_IN_WORDS_MS = 30
/**
 * Number of delays after which a scan without an end key is complete. More than one, as keys pressed in time may arrive late in a busy
 * browser, which would split the code into two scans. The wait is too short to notice.
 */
const UNTERMINATED_DELAYS = 4
/** If a key arrives late, the next may be even later: the wait is extended by this multiple of the last lateness, up to half a second. */
const LATENESS_FACTOR = 2
const MAX_LATENESS_MS = 250
/** After this number of characters at the pace of a scanner, Ctrl and a key are a character of the code, whatever they do in the browser. */
export const MIN_CERTAIN_LENGTH = 3

const GS = '\u001d'
const RS = '\u001e'
/** Ends a label that follows the standard. */
const EOT = '\u0004'
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'Fn', 'Hyper', 'Super', 'OS'])

/** The control characters of non-letter keys, by character or by key code; a key code is the same position in every keyboard layout. */
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

/** The characters that dead keys produce. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': '`',
  '\u0301': '´',
  '\u0302': '^',
  '\u0303': '~',
  '\u0308': '¨',
}

/**
 * Distinguishes the scans of a keyboard scanner from typing, by their pace. Characters are held until they are classified: a scan is
 * reported as a whole and reaches nothing else; typed keys are released in order, after `delay` milliseconds at most.
 *
 * Scanners send control characters as Ctrl and a key (Ctrl+] for GS, Ctrl+^ for RS, Ctrl+D for EOT), which become these characters.
 * @typeParam Held the released object: the event of the key
 */
export class ScanKeys<Held> {
  readonly #options: Options<Held>
  #buffer: Held[] = []
  #code: string[] = []
  #lastKeyTime = 0
  /** Lateness of the last key, in milliseconds. */
  #latenessMs = 0
  #pauses: number[] = []
  #hasControls = false
  #isInWords = false
  #isAfterAccent = false
  #hasWaited = false
  /** Time until which the end of a scan may still arrive, such as Enter after a code that was considered complete. */
  #terminatorDeadline = Number.NEGATIVE_INFINITY
  #cancelTimer: (() => void) | undefined

  constructor(options: Options<Held>) {
    this.#options = options
  }

  /**
   * Handles a key.
   * @returns whether it is held back from the page and the browser
   */
  press(stroke: Stroke, held: Held): boolean {
    this.continuesScan(stroke)
    if (isModifier(stroke)) {
      if (this.#isBuffering) this.#awaitNext(stroke)
      return false
    }
    const character = stroke.repeat || stroke.isComposing ? undefined : this.#readCharacter(stroke)
    if (character === undefined) {
      if (isTerminator(stroke)) return this.#terminate(stroke)
      this.flush()
      return false
    }
    if (character === '\r' || character === '\n' || character === '\t') return this.#terminate(stroke)
    const isHeld = this.#isBuffering || !this.#options.isForPage(held)
    if (isHeld) this.#buffer.push(held)
    if (this.#isBuffering) this.#pauses.push(stroke.timeStamp - this.#lastKeyTime)
    else this.#isInWords = this.#options.isInWords(held)
    this.#code.push(character)
    this.#hasControls ||= character < ' ' && character !== ''
    this.#isAfterAccent = stroke.key === 'Dead'
    this.#awaitNext(stroke)
    return isHeld
  }

  /** Classifies held keys when no more follow. */
  flush(): void {
    if (!this.#isBuffering) return
    const isScan = this.#isScan(MIN_UNTERMINATED_LENGTH) && (!this.#isInWords || this.#hasControls)
    if (isScan) this.#terminatorDeadline = this.#lastKeyTime + this.#timeoutMs + 2 * this.#options.delay
    this.#deliver(isScan)
  }

  /** Whether a key continues held characters. Classifies those if the key is too late. */
  continuesScan({ timeStamp }: Stroke): boolean {
    if (this.#isBuffering && timeStamp - this.#lastKeyTime > this.#timeoutMs) this.flush()
    return this.#isBuffering
  }

  get #isBuffering(): boolean {
    return this.#code.length > 0
  }

  /**
   * Maximum time until the next key, in milliseconds. It is longer after a control character, which no human types: a wireless scanner may
   * stall, and half a label would be taken for another label.
   */
  get #timeoutMs(): number {
    const isOpen = this.#hasControls && this.#code.at(-1) !== EOT
    return isOpen ? 3 * this.#options.delay : this.#options.delay
  }

  #isScan(minLength: number): boolean {
    return this.#code.length >= (this.#hasControls ? MIN_TERMINATED_LENGTH : minLength)
  }

  /** Whether the held keys are words that people typed in a field. @param endTime of the key that ends them */
  #isTypedIn(endTime: number): boolean {
    if (!this.#isInWords || this.#hasControls) return false
    return getMedian([...this.#pauses, endTime - this.#lastKeyTime]) > MAX_PAUSE_IN_WORDS_MS
  }

  /** Handles a key that ends a scan, or stands alone. */
  #terminate(stroke: Stroke): boolean {
    if (this.#isBuffering && this.#isScan(MIN_TERMINATED_LENGTH) && !this.#isTypedIn(stroke.timeStamp)) {
      // some scanners send two
      this.#terminatorDeadline = stroke.timeStamp + this.#options.delay
      this.#deliver(true)
      return true
    }
    this.flush()
    return stroke.timeStamp <= this.#terminatorDeadline
  }

  /** Waits for the next key. */
  #awaitNext(stroke: Stroke): void {
    this.#lastKeyTime = stroke.timeStamp
    this.#latenessMs = Math.min(Math.max(this.#options.now() - stroke.timeStamp, 0), MAX_LATENESS_MS)
    this.#hasWaited = false
    this.#startTimer()
  }

  #startTimer(): void {
    const { delay, wait, now } = this.#options
    const timeoutMs = this.#timeoutMs
    const waitMs =
      LATENESS_FACTOR * this.#latenessMs +
      (this.#isScan(MIN_UNTERMINATED_LENGTH) ? Math.max(timeoutMs, UNTERMINATED_DELAYS * delay) : timeoutMs)
    this.#cancelTimer?.()
    this.#cancelTimer = wait(waitMs, () => {
      // the page was busy: keys pressed in time may be queued behind this timer
      const isLate = now() - this.#lastKeyTime > waitMs + 0.5 * timeoutMs
      if (isLate && !this.#hasWaited) {
        this.#hasWaited = true
        this.#startTimer()
      } else this.flush()
    })
  }

  #deliver(isScan: boolean): void {
    const { onScan, onTyped } = this.#options
    const [held, code] = [this.#buffer, this.#code.join('')]
    this.#cancelTimer?.()
    this.#buffer = []
    this.#code = []
    this.#pauses = []
    this.#hasControls = false
    this.#isAfterAccent = false
    if (isScan) onScan(code)
    else onTyped(held)
  }

  /** The character of a key within a scan; empty for a dead key; undefined for any other key. */
  #readCharacter(stroke: Stroke): string | undefined {
    const { key, ctrlKey, altKey, metaKey, altGraph, timeStamp } = stroke
    if (metaKey) return undefined
    const isWithinScan = this.#isBuffering
    // the browser combines it with the letter itself
    if (key === 'Dead') return isWithinScan ? '' : undefined
    const isThirdLevel = altGraph || (ctrlKey && altKey)
    if (ctrlKey && !altKey)
      return getControlCharacter(stroke, this.#code.length >= MIN_CERTAIN_LENGTH || timeStamp <= this.#terminatorDeadline)
    if ([...key].length !== 1) return undefined
    // Alt alone belongs to the browser; Apple keyboards type characters with it
    if (altKey && !isThirdLevel && !isWithinScan) return undefined
    // no code starts with a space, and it presses buttons
    if (key === ' ' && !isWithinScan) return undefined
    return this.#isAfterAccent ? decompose(key) : key
  }
}

/**
 * The control character that Ctrl and a key stand for in a code; undefined for a shortcut.
 * @param belongsToScan whether the key is part of a scan; if not, only combinations that are no browser shortcuts count
 */
export function getControlCharacter({ key, code }: Stroke, belongsToScan: boolean): string | undefined {
  const character = /^[a-z]$/i.test(key) ? String.fromCharCode(key.toUpperCase().charCodeAt(0) & 31) : CONTROLS[key]
  if (character === GS || character === RS) return character
  return belongsToScan ? (character ?? CONTROLS[code]) : undefined
}

/** Whether it is a modifier key, such as Shift. */
export const isModifier = ({ key }: Stroke): boolean => MODIFIERS.has(key)

/** Whether the key may end a scan. */
export const isTerminator = ({ key, ctrlKey, altKey, metaKey, repeat }: Stroke): boolean =>
  (key === 'Enter' || key === 'Tab') && !ctrlKey && !altKey && !metaKey && !repeat

export const getMedian = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

/** Splits an accented letter into the two characters on the label. */
function decompose(key: string): string {
  const [letter = '', accent = ''] = key.normalize('NFD')
  const spacingAccent = ACCENTS[accent]
  return spacingAccent ? `${spacingAccent}${letter}` : key
}
