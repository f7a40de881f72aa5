/** The conversion of gray to black or white: by a threshold, or by dithering, which looks gray from a distance. */
export type BinarizationOptions = { threshold: number; usesDithering: boolean }

/**
 * Converts a label to black and white: a bit for each dot, 1 is black, each row in whole bytes.
 * @param pixels a byte for each dot, 0 is black
 */
function binarize(
  pixels: Uint8Array,
  width: number,
  height: number,
  { threshold, usesDithering }: BinarizationOptions,
): Uint8Array {
  const bytesPerRow = Math.ceil(width / 8)
  const bits = new Uint8Array(bytesPerRow * height)
  // the error passed on to the dots on the right and in the next row (Floyd-Steinberg)
  let rowError = new Float32Array(width + 2)
  for (let y = 0; y < height; y++) {
    const next = new Float32Array(width + 2)
    for (let x = 0; x < width; x++) {
      const gray = (pixels[y * width + x] as number) + (usesDithering ? (rowError[x + 1] as number) : 0)
      const isBlack = gray < threshold
      if (isBlack) bits[y * bytesPerRow + (x >> 3)] = (bits[y * bytesPerRow + (x >> 3)] as number) | (0x80 >> (x & 7))
      if (!usesDithering) continue
      const error = gray - (isBlack ? 0 : 255)
      for (const [line, position, part] of [
        [rowError, x + 2, 7],
        [next, x, 3],
        [next, x + 1, 5],
        [next, x + 2, 1],
      ] as const)
        line[position] = (line[position] as number) + (error * part) / 16
    }
    rowError = next
  }
  return bits
}

/** The repeat count of a digit, in letters: `g` to `z` are twenties, `G` to `Y` are ones. */
function formatRepeatCount(count: number): string {
  if (count === 1) return ''
  const twenties = Math.floor(count / 20)
  const ones = count % 20
  const fullRuns = 'z'.repeat(Math.floor(twenties / 20))
  const rest = twenties % 20
  return fullRuns + (rest ? String.fromCharCode(102 + rest) : '') + (ones ? String.fromCharCode(70 + ones) : '')
}

/** Compresses one row of hexadecimal digits for ZPL: `,` is white to its end, `!` black, and repeated digits are counted. */
function packRow(digits: string): string {
  const last = digits.at(-1)
  const end = last === '0' ? ',' : last === 'F' ? '!' : ''
  const trimmedDigits = end ? digits.slice(0, digits.length - (/(0+|F+)$/.exec(digits)?.[0].length ?? 0)) : digits
  return trimmedDigits.replaceAll(/(.)\1*/g, (run, digit: string) => formatRepeatCount(run.length) + digit) + end
}

/** The data of a graphic field (`^GFA`). A row equal to the previous one is `:`. */
function packBits(bits: Uint8Array, bytesPerRow: number): string {
  let previousRow: string | undefined
  let data = ''
  for (let position = 0; position < bits.length; position += bytesPerRow) {
    const row = Buffer.from(bits.subarray(position, position + bytesPerRow))
      .toString('hex')
      .toUpperCase()
    data += row === previousRow ? ':' : packRow(row)
    previousRow = row
  }
  return data
}

/** Converts a picture to ZPL. */
export function formatPictureField(pixels: Uint8Array, width: number, height: number, options: BinarizationOptions): string {
  const bytesPerRow = Math.ceil(width / 8)
  const bits = binarize(pixels, width, height, options)
  return `^FO0,0^GFA,${bits.length},${bits.length},${bytesPerRow},${packBits(bits, bytesPerRow)}^FS`
}
