/** Size in bytes of the head of each frame: the length of the rest, and the length of the text at its beginning. */
const HEADER_BYTES = 8

/** A frame longer than its reader accepts. */
export class FrameTooLong extends Error {}

/** Builds a frame from a string, followed by raw bytes. */
export function buildFrame(text: string, bytes: readonly Uint8Array[] = []): Buffer {
  const textLength = Buffer.byteLength(text)
  const length = bytes.reduce((sum, part) => sum + part.byteLength, textLength)
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length)
  frame.writeUInt32LE(length, 0)
  frame.writeUInt32LE(textLength, 4)
  let end = HEADER_BYTES + frame.write(text, HEADER_BYTES)
  for (const part of bytes) {
    frame.set(part, end)
    end += part.byteLength
  }
  return frame
}

/** Reassembles frames from a stream that may be split anywhere. */
export class FrameReader {
  readonly #maxBytes: number
  readonly #onFrame: (text: string, bytes: Buffer) => void
  #chunks: Buffer[] = []
  #size = 0
  #neededBytes = HEADER_BYTES

  /**
   * @param maxBytes the maximum size of a frame in bytes
   * @param onFrame called with each frame
   */
  constructor(maxBytes: number, onFrame: (text: string, bytes: Buffer) => void) {
    this.#maxBytes = maxBytes
    this.#onFrame = onFrame
  }

  /** @throws FrameTooLong for an oversized frame, of which only the beginning is buffered */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    while (this.#size >= this.#neededBytes) {
      const buffer = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
      const end = HEADER_BYTES + buffer.readUInt32LE(0)
      const textEnd = HEADER_BYTES + buffer.readUInt32LE(4)
      if (end - HEADER_BYTES > this.#maxBytes || textEnd > end) throw new FrameTooLong()
      this.#chunks = [buffer]
      this.#neededBytes = end
      if (buffer.length < end) return
      this.#chunks = [buffer.subarray(end)]
      this.#size = buffer.length - end
      this.#neededBytes = HEADER_BYTES
      this.#onFrame(buffer.toString('utf8', HEADER_BYTES, textEnd), buffer.subarray(textEnd, end))
    }
  }
}
