import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'

/** Maximum size of a stored picture in bytes: pages of documentation load several. */
export const MAX_PICTURE_BYTES = 200_000

/** Fraction of the pixels below which two pictures count as the same: letters differ slightly between processors. */
const MAX_DIFFERENCE = 0.001

/** Difference of a color value (0 to 255) up to which two pixels count as the same. */
const TOLERANCE = 16

export type Outcome = 'new' | 'changed' | 'unchanged'

/**
 * Compares a picture with the stored one, and replaces that one if they differ.
 * @param png as a browser returns it; it is stored with at most 256 colors
 * @param options.writes false to compare only
 * @throws Error when the picture would be larger than `MAX_PICTURE_BYTES`
 */
export async function storePicture(path: string, png: Buffer, { writes = true } = {}): Promise<Outcome> {
  const picture = await sharp(png).png({ palette: true, effort: 10, compressionLevel: 9, dither: 0 }).toBuffer()
  if (picture.length > MAX_PICTURE_BYTES)
    throw new Error(`${path} would have ${picture.length} bytes: at most ${MAX_PICTURE_BYTES} are allowed`)
  const stored = existsSync(path) ? await readFile(path) : undefined
  if (stored && (await measureDifference(stored, picture)) < MAX_DIFFERENCE) return 'unchanged'
  if (writes) await writeFile(path, picture)
  return stored ? 'changed' : 'new'
}

/** The fraction of the pixels that differ, from 0 to 1; 1 for pictures of different sizes. */
async function measureDifference(one: Buffer, other: Buffer): Promise<number> {
  const [first, second] = await Promise.all(
    [one, other].map((picture) => sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  )
  if (!first || !second) return 1
  const { width, height, channels } = first.info
  if (second.info.width !== width || second.info.height !== height || second.info.channels !== channels) return 1
  let differing = 0
  for (let pixel = 0; pixel < first.data.length; pixel += channels)
    for (let channel = pixel; channel < pixel + channels; channel++)
      if (Math.abs((first.data[channel] as number) - (second.data[channel] as number)) > TOLERANCE) {
        differing++
        break
      }
  return differing / (width * height)
}
