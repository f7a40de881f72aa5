import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import { OperatorError } from '../../operator-error.ts'

/** An element of a JSON list, as it appears in a file. */
export type Element = {
  /** The line of the file on which it begins. */
  line: number
  /** Offsets of its first byte in the file, and of its end. */
  start: number
  end: number
  source: string
  /** Whether a number in it may be one that JavaScript would write differently, such as 1.10 or one of twenty digits. */
  hasInexactNumbers: boolean
}

const CHUNK_BYTES = 1 << 20

/** The largest element that is read, in bytes: it is held in memory. */
const MAX_ELEMENT_BYTES = 16 << 20

/**
 * Reads the elements of a JSON list from a file of any size, holding at most one piece and one element in memory. It parses only the
 * structure of the list, and leaves the elements to `JSON.parse`; streaming JSON libraries do not report a value's offset and line.
 *
 * @param piece bytes of the file that are read at a time
 * @yields the elements that end in one piece of the file
 * @throws OperatorError when the file does not hold a JSON list, an element is not UTF-8 or too large, or the file ends before the list
 *   does
 */
export async function* readElements(file: FileHandle, piece = CHUNK_BYTES): AsyncGenerator<Element[]> {
  const scanner = new Scanner()
  const buffer = Buffer.allocUnsafe(piece)
  while (!scanner.hasEnded) {
    const { bytesRead } = await file.read(buffer, 0, piece, scanner.offset)
    if (bytesRead === 0) throw scanner.truncatedError()
    yield scanner.scan(buffer.subarray(0, bytesRead))
  }
}

const QUOTE = 34
const COMMA = 44
const MINUS = 45
const POINT = 46
const BACKSLASH = 92
const isSpace = (byte: number) => byte === 32 || byte === 10 || byte === 13 || byte === 9
const isOpening = (byte: number) => byte === 91 || byte === 123
const isClosing = (byte: number) => byte === 93 || byte === 125
const isDigit = (byte: number) => byte >= 48 && byte <= 57
const isExponent = (byte: number) => byte === 69 || byte === 101

/** Whole numbers with fewer digits than this are the same in JavaScript. */
const MIN_INEXACT_DIGITS = 16

class Scanner {
  /** Number of bytes of the file that were scanned. */
  offset = 0
  hasEnded = false
  private hasBegun = false
  private depth = 0
  private line = 1
  private isInString = false
  private isEscaped = false
  /** Number of consecutive digits outside strings. */
  private digits = 0
  /** The element that is being read; `start` is -1 between elements. */
  private element = { start: -1, line: 1, hasInexactNumbers: false }
  /** The bytes of that element in the previous pieces. */
  private pendingChunks: Buffer[] = []

  /** Returns the elements that end in a piece of the file. */
  scan(piece: Buffer): Element[] {
    const elements: Element[] = []
    let elementStart = 0
    for (let index = this.skipToList(piece); index < piece.length && !this.hasEnded; index++) {
      const byte = piece[index] as number
      if (byte === 10) this.line++
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false
        else if (byte === BACKSLASH) this.isEscaped = true
        else if (byte === QUOTE) this.isInString = false
        continue
      }
      const isOutside = this.depth === 1
      if (isOutside && this.element.start >= 0 && (byte === COMMA || isClosing(byte))) {
        elements.push(this.completeElement(piece.subarray(elementStart, index)))
      } else if (isOutside && this.element.start < 0 && !isSpace(byte) && byte !== COMMA && !isClosing(byte)) {
        this.element = { start: this.offset + index, line: this.line, hasInexactNumbers: false }
        elementStart = index
      }
      if (byte === QUOTE) this.isInString = true
      else if (isOpening(byte)) this.depth++
      else if (isClosing(byte)) this.hasEnded = --this.depth === 0
      else this.inspectNumberByte(byte)
    }
    this.offset += piece.length
    if (this.element.start >= 0) this.bufferBytes(piece.subarray(elementStart))
    return elements
  }

  truncatedError(): OperatorError {
    if (!this.hasBegun) return createNotAListError()
    return new OperatorError(`the dump is truncated: the record that starts on line ${this.element.line} is incomplete`)
  }

  /** Skips a byte order mark and white space. */
  private skipToList(piece: Buffer): number {
    if (this.hasBegun) return 0
    let index = 0
    for (; index < piece.length; index++) {
      const byte = piece[index] as number
      if (byte === 10) this.line++
      if (!isSpace(byte) && byte !== BYTE_ORDER_MARK[this.offset + index]) break
    }
    if (index === piece.length) return index
    if (piece[index] !== 91) throw createNotAListError()
    this.hasBegun = true
    return index
  }

  private inspectNumberByte(byte: number): void {
    const wasDigit = this.digits > 0
    this.digits = isDigit(byte) ? this.digits + 1 : 0
    if (byte === POINT || byte === MINUS || this.digits >= MIN_INEXACT_DIGITS || (wasDigit && isExponent(byte)))
      this.element.hasInexactNumbers = true
  }

  private completeElement(tail: Buffer): Element {
    const { start, line, hasInexactNumbers } = this.element
    const bytes = this.pendingChunks.length > 0 ? Buffer.concat([...this.pendingChunks, tail]) : tail
    this.pendingChunks = []
    this.element.start = -1
    if (!isUtf8(bytes)) throw new OperatorError(`the dump is damaged: the record that starts on line ${line} is not UTF-8`)
    return { line, start, end: start + bytes.length, source: bytes.toString('utf8'), hasInexactNumbers }
  }

  private bufferBytes(bytes: Buffer): void {
    if (this.offset - this.element.start > MAX_ELEMENT_BYTES)
      throw new OperatorError(`the record that starts on line ${this.element.line} is larger than ${MAX_ELEMENT_BYTES} bytes`)
    // the piece's buffer is reused for the next read
    this.pendingChunks.push(Buffer.from(bytes))
  }
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

const createNotAListError = () =>
  new OperatorError('the file is not a dump: it must contain a JSON list of { model, pk, fields }')
