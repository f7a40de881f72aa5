import type { Sharp } from 'sharp'
import { requestErrors } from '../request/request-errors.ts'
import type { ErrorMessage } from '../values/message.ts'
import { pictureErrors } from '../values/value-errors.ts'
import { isPath } from './files.ts'
import { Semaphore } from './semaphore.ts'
import type { Services } from './services.ts'

/** Maximum number of pixels in a picture, all frames together: larger ones are not decoded, however small their files are. */
const MAX_PIXELS = 50_000_000

/** The quality for encoding a picture that has to be rotated or stripped of metadata. */
const QUALITY = 92

/** Smaller versions of a picture: the part of their names before the extension, and their maximum height and width in pixels. */
const SMALL_SIZES = { thumbnail: 128, preview: 256 } as const
type Small = keyof typeof SMALL_SIZES

/** Memory use grows with the pixel count, and one conversion uses a full core: at most three run concurrently, two for one account. */
const conversionSlots = new Semaphore(3, 10_000, requestErrors.too_many_pictures, 100, 2)

/** The key of the request's account: accounts take turns. */
type Account = number | undefined

/** The upload is not a picture of an accepted type. */
export class InvalidPicture extends Error {
  readonly reason: ErrorMessage

  constructor(reason: ErrorMessage) {
    super(reason.message)
    this.reason = reason
  }
}

/** The extension for a picture by the first bytes of its file; undefined if its type is not accepted. */
export function pictureExtension(head: Buffer): 'png' | 'jpg' | 'gif' | 'webp' | undefined {
  const start = head.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpg'
  if (/^GIF8[79]a/.test(start)) return 'gif'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'webp' : undefined
}

/** Loads the picture library on first use. */
export async function loadSharp(): Promise<typeof import('sharp').default> {
  const { default: sharp } = await import('sharp')
  // no picture is processed twice
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** Opens a picture, once per call. */
type Open = (bytes: Uint8Array, animated: boolean) => Sharp

/** Runs work with a function that opens pictures, when it is the account's turn. */
const runConversion = <Result>(account: Account, convert: (open: Open) => Promise<Result>): Promise<Result> => {
  const start = async () => {
    const sharp = await loadSharp()
    return convert((bytes, animated) => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', animated }))
  }
  return conversionSlots.run(start, { account })
}

/**
 * Rotates a picture upright, and removes camera metadata, such as the location where it was taken; returns it unchanged if there is nothing
 * to do. All of it is decoded, so that a stored picture can be shown.
 * @throws InvalidPicture, Problem 503
 */
export function normalizePicture(bytes: Buffer, account: Account): Promise<Buffer> {
  return runConversion(account, async (open) => {
    try {
      const { format, exif, xmp, iptc, orientation = 1 } = await open(bytes, true).metadata()
      if (exif || xmp || iptc || orientation > 1) {
        const upright = open(bytes, true).autoOrient().keepIccProfile()
        return await (format === 'jpeg' || format === 'webp' ? upright[format]({ quality: QUALITY }) : upright).toBuffer()
      }
      await open(bytes, true).stats()
      return bytes
    } catch (error) {
      throw toInvalidPicture(error)
    }
  })
}

const toInvalidPicture = (error: unknown): InvalidPicture =>
  new InvalidPicture(
    /pixel limit/i.test((error as Error).message)
      ? pictureErrors.max_pixels({ max_pixels: MAX_PIXELS })
      : pictureErrors.unreadable_picture,
  )

/**
 * Encodes the first frame of a picture again, as a PNG without metadata, reduced to a width and height in pixels.
 * @throws InvalidPicture, Problem 503
 */
export async function encodePicture(bytes: Buffer, maxSidePixels: number, account: Account): Promise<Buffer> {
  if (!pictureExtension(bytes)) throw new InvalidPicture(pictureErrors.unsupported_picture)
  return runConversion(account, async (open) => {
    try {
      const size = { width: maxSidePixels, height: maxSidePixels, fit: 'inside', withoutEnlargement: true } as const
      return await open(bytes, false).autoOrient().resize(size).png().toBuffer()
    } catch (error) {
      throw toInvalidPicture(error)
    }
  })
}

/** Maximum pixels of a resized picture, in either direction. */
const MAX_SIDE_PIXELS = 4_000

/**
 * Resizes a picture and rotates it clockwise by degrees. Width or height alone, in pixels, keeps its aspect ratio; both together do not.
 * @throws Problem 503
 */
export function resizePicture(
  bytes: Buffer,
  { width, height, rotate = 0 }: { width?: number; height?: number; rotate?: number },
  account: Account,
): Promise<Buffer> {
  const clampSide = (pixels: number | undefined) => pixels && Math.min(Math.max(Math.round(pixels), 1), MAX_SIDE_PIXELS)
  return runConversion(account, async (open) => {
    const resized = open(bytes, false)
      .autoOrient()
      .resize({ width: clampSide(width), height: clampSide(height), fit: width && height ? 'fill' : 'inside' })
    // rotated after resizing, in whatever order they are requested
    const rotated =
      rotate % 360 === 0 ? resized : open(await resized.png().toBuffer(), false).rotate(rotate, { background: '#0000' })
    return rotated.png().toBuffer()
  })
}

/** The paths of the smaller versions of a picture. */
export const listSmallPaths = (path: string): string[] =>
  Object.keys(SMALL_SIZES)
    .map((size) => path.replace(/(\.[^./]+)?$/, `.${size}$1`))
    .filter(isPath)

/** A smaller version of a picture: the path of the picture, and the size. */
type SmallVersion = { path: string; size: Small }

/** The picture and version that the path of a smaller version belongs to. */
export function parseSmallPath(path: string): SmallVersion | undefined {
  const [, stem, size, extension = ''] = /^(.+)\.(thumbnail|preview)(\.[^./]+)?$/.exec(path) ?? []
  return stem === undefined ? undefined : { path: stem + extension, size: size as Small }
}

/** Versions that are being created, by path. */
const pendingConversions = new Map<string, Promise<boolean>>()

/**
 * Creates a smaller version of a picture, unless it exists.
 * @returns whether there is one: none for a file that is not a picture, or does not exist
 */
export async function createSmallVersion(
  services: Pick<Services, 'files'>,
  path: string,
  version: SmallVersion,
  account: Account,
): Promise<boolean> {
  if (await services.files.find(path)) return true
  const conversion =
    pendingConversions.get(path) ??
    convertToSmall(services, path, version, account).finally(() => pendingConversions.delete(path))
  pendingConversions.set(path, conversion)
  return conversion
}

async function convertToSmall(
  { files }: Pick<Services, 'files'>,
  path: string,
  version: SmallVersion,
  account: Account,
): Promise<boolean> {
  if (!(await files.find(version.path))) return false
  const size = SMALL_SIZES[version.size]
  const small = await runConversion(account, async (open) => {
    const original = await files.bytes(version.path)
    if (!pictureExtension(original)) return undefined
    const options = { width: size, height: size, fit: 'inside', withoutEnlargement: true } as const
    return open(original, false)
      .autoOrient()
      .resize(options)
      .toBuffer()
      .catch(() => undefined)
  })
  if (!small) return false
  await files.write(path, [small])
  // if the picture was deleted in between, its smaller version was not yet there to be deleted
  if (await files.find(version.path)) return true
  await files.remove(path)
  return false
}
