import { brotliDecompressSync } from 'node:zlib'

/** Ranges of code points, both ends included, in ascending order. */
export type Ranges = readonly (readonly [first: number, last: number])[]

/** Known tables by number (WOFF2, section 4.1); all others are followed by their name. */
const GLYF = 10
const LOCA = 11
const CMAP = 0
const EXPLICIT_TAG = 63
const HEADER_LENGTH = 48

/**
 * Reads the characters that a font has glyphs for, from its table `cmap`. The `unicode-range` of a style sheet tells where to look for a
 * character, and not that the file has it.
 * @throws Error when it is not a WOFF2 font of one face, or has no table of Unicode characters
 */
export function readCharacters(woff2: Buffer): Ranges {
  if (woff2.toString('latin1', 0, 4) !== 'wOF2') throw new Error('not a WOFF2 font')
  let position = HEADER_LENGTH
  const readLength = (): number => {
    for (let value = 0; ; ) {
      const byte = woff2.readUInt8(position++)
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
  }
  let offset = 0
  let cmap: { start: number; length: number } | undefined
  for (let remaining = woff2.readUInt16BE(12); remaining > 0; remaining--) {
    const flags = woff2.readUInt8(position++)
    const tagIndex = flags & 0x3f
    if (tagIndex === EXPLICIT_TAG) position += 4
    const version = flags >> 6
    let length = readLength()
    const isTransformed = tagIndex === GLYF || tagIndex === LOCA ? version !== 3 : version !== 0
    if (isTransformed) length = readLength()
    if (tagIndex === CMAP) cmap = { start: offset, length }
    offset += length
  }
  if (!cmap) throw new Error('the font has no table of characters')
  const tables = brotliDecompressSync(woff2.subarray(position, position + woff2.readUInt32BE(20)))
  return readRanges(tables.subarray(cmap.start, cmap.start + cmap.length))
}

/** Reads the ranges of the largest table of Unicode characters. */
function readRanges(cmap: Buffer): Ranges {
  const tables = new Map<number, Buffer>()
  for (let entry = 0; entry < cmap.readUInt16BE(2); entry++) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + entry * 8 + 4))
    tables.set(table.readUInt16BE(0), table)
  }
  const [all, basic] = [tables.get(12), tables.get(4)]
  if (all) return readGroups(all)
  if (basic) return readSegments(basic)
  throw new Error('the font has no table of Unicode characters')
}

/** Format 12: groups of characters anywhere. */
const readGroups = (table: Buffer): Ranges =>
  Array.from({ length: table.readUInt32BE(12) }, (_, group) => {
    const position = 16 + group * 12
    return [table.readUInt32BE(position), table.readUInt32BE(position + 4)] as const
  })

/** Format 4: segments of the basic plane, in each of which single characters may be missing. */
function readSegments(table: Buffer): Ranges {
  const count = table.readUInt16BE(6) / 2
  const [ends, starts, deltas, offsets] = [0, 1, 2, 3].map((part) => 14 + part * count * 2 + (part > 0 ? 2 : 0)) as [
    number,
    number,
    number,
    number,
  ]
  const ranges: [number, number][] = []
  for (let segment = 0; segment < count; segment++) {
    const [start, end] = [table.readUInt16BE(starts + segment * 2), table.readUInt16BE(ends + segment * 2)]
    const [delta, offset] = [table.readUInt16BE(deltas + segment * 2), table.readUInt16BE(offsets + segment * 2)]
    for (let code = start; code <= end && code < 0xffff; code++) {
      const glyph = offset === 0 ? code : table.readUInt16BE(offsets + segment * 2 + offset + (code - start) * 2)
      if (glyph === 0 && offset !== 0) continue
      if (((glyph + delta) & 0xffff) === 0) continue
      const last = ranges.at(-1)
      if (last && last[1] === code - 1) last[1] = code
      else ranges.push([code, code])
    }
  }
  return ranges
}

/** Whether a code point is in one of the ranges. */
export function isInRanges(ranges: Ranges, code: number): boolean {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const [first, last] = ranges[middle] as readonly [number, number]
    if (code < first) high = middle - 1
    else if (code > last) low = middle + 1
    else return true
  }
  return false
}
