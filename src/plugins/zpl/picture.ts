/** The conversion of gray to black or white: by a threshold, or by dithering, which looks gray from a distance. */
export type BinarizationOptions = { threshold: number; dithers: boolean }

/**
 * Converts a label to black and white: a bit for each dot, 1 is black, each row in whole bytes.
 * @param pixels a byte for each dot, 0 is black
 */
function binarize(pixels: Uint8Array, width: number, height: number, { threshold, dithers }: BinarizationOptions): Uint8Array {
  const bytes = Math.ceil(width / 8)
  const bits = new Uint8Array(bytes * height)
  // the error passed on to the dots on the right and in the next row (Floyd-Steinberg)
  let owed = new Float32Array(width + 2)
  for (let y = 0; y < height; y++) {
    const next = new Float32Array(width + 2)
    for (let x = 0; x < width; x++) {
      const grey = (pixels[y * width + x] as number) + (dithers ? (owed[x + 1] as number) : 0)
      const isBlack = grey < threshold
      if (isBlack) bits[y * bytes + (x >> 3)] = (bits[y * bytes + (x >> 3)] as number) | (0x80 >> (x & 7))
      if (!dithers) continue
      const error = grey - (isBlack ? 0 : 255)
      for (const [line, at, part] of [
        [owed, x + 2, 7],
        [next, x, 3],
        [next, x + 1, 5],
        [next, x + 2, 1],
      ] as const)
        line[at] = (line[at] as number) + (error * part) / 16
    }
    owed = next
  }
  return bits
}

/** The repeat count of a digit, in letters: `g` to `z` are twenties, `G` to `Y` are ones. */
function times(count: number): string {
  if (count === 1) return ''
  const twenties = Math.floor(count / 20)
  const ones = count % 20
  const fullRuns = 'z'.repeat(Math.floor(twenties / 20))
  const rest = twenties % 20
  return fullRuns + (rest ? String.fromCharCode(102 + rest) : '') + (ones ? String.fromCharCode(70 + ones) : '')
}

/** Compresses one row of hexadecimal digits for ZPL: `,` is white to its end, `!` black, and repeated digits are counted. */
function packedRow(digits: string): string {
  const last = digits.at(-1)
  const end = last === '0' ? ',' : last === 'F' ? '!' : ''
  const trimmedDigits = end ? digits.slice(0, digits.length - (/(0+|F+)$/.exec(digits)?.[0].length ?? 0)) : digits
  return trimmedDigits.replaceAll(/(.)\1*/g, (run, digit: string) => times(run.length) + digit) + end
}

/** The data of a graphic field (`^GFA`). A row equal to the previous one is `:`. */
function packed(bits: Uint8Array, bytesOfRow: number): string {
  let before: string | undefined
  let data = ''
  for (let at = 0; at < bits.length; at += bytesOfRow) {
    const row = Buffer.from(bits.subarray(at, at + bytesOfRow))
      .toString('hex')
      .toUpperCase()
    data += row === before ? ':' : packedRow(row)
    before = row
  }
  return data
}

/** Converts a picture to ZPL. */
export function pictureField(pixels: Uint8Array, width: number, height: number, blackening: BinarizationOptions): string {
  const bytes = Math.ceil(width / 8)
  const bits = binarize(pixels, width, height, blackening)
  return `^FO0,0^GFA,${bits.length},${bits.length},${bytes},${packed(bits, bytes)}^FS`
}
