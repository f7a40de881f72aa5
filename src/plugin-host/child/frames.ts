/** Size in bytes of the head of each frame: the length of the rest, and the length of the text at its beginning. */
const HEAD = 8

/** A frame longer than its reader accepts. */
export class TooLong extends Error {}

/** Builds a frame of a text, followed by raw bytes. */
export function frameOf(text: string, bytes: readonly Uint8Array[] = []): Buffer {
  const textLength = Buffer.byteLength(text)
  const length = bytes.reduce((sum, part) => sum + part.byteLength, textLength)
  const frame = Buffer.allocUnsafe(HEAD + length)
  frame.writeUInt32LE(length, 0)
  frame.writeUInt32LE(textLength, 4)
  let end = HEAD + frame.write(text, HEAD)
  for (const part of bytes) {
    frame.set(part, end)
    end += part.byteLength
  }
  return frame
}

/** Reassembles frames from a stream that may be split anywhere. */
export class FrameReader {
  readonly #most: number
  readonly #take: (text: string, bytes: Buffer) => void
  #chunks: Buffer[] = []
  #size = 0
  #needed = HEAD

  /**
   * @param most the maximum size of a frame in bytes
   * @param take called with each frame
   */
  constructor(most: number, take: (text: string, bytes: Buffer) => void) {
    this.#most = most
    this.#take = take
  }

  /** @throws TooLong before more of an oversized frame is buffered than its beginning */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    while (this.#size >= this.#needed) {
      const whole = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
      const end = HEAD + whole.readUInt32LE(0)
      const textEnd = HEAD + whole.readUInt32LE(4)
      if (end - HEAD > this.#most || textEnd > end) throw new TooLong()
      this.#chunks = [whole]
      this.#needed = end
      if (whole.length < end) return
      this.#chunks = [whole.subarray(end)]
      this.#size = whole.length - end
      this.#needed = HEAD
      this.#take(whole.toString('utf8', HEAD, textEnd), whole.subarray(textEnd, end))
    }
  }
}
