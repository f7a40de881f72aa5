import type { Sharp } from 'sharp'
import { requestErrors } from '../request/request-errors.ts'
import type { ErrorMessage } from '../values/message.ts'
import { pictureErrors } from '../values/value-errors.ts'
import { isPath } from './files.ts'
import { Semaphore } from './semaphore.ts'
import type { Services } from './services.ts'

/** Maximum number of pixels in a picture, all frames together: larger ones are not decoded, however small their files are. */
const PIXELS = 50_000_000

/** The quality for encoding a picture that has to be rotated or stripped of metadata. */
const QUALITY = 92

/** Smaller versions of a picture: the part of their names before the extension, and their maximum height and width in pixels. */
const SMALL = { thumbnail: 128, preview: 256 } as const
type Small = keyof typeof SMALL

/** A picture needs memory by its pixels, and all of a processor: three are processed concurrently, at most two for one account. */
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
const working = <Result>(account: Account, act: (open: Open) => Promise<Result>): Promise<Result> => {
  const begin = async () => {
    const sharp = await loadSharp()
    return act((bytes, animated) => sharp(bytes, { limitInputPixels: PIXELS, failOn: 'error', animated }))
  }
  return conversionSlots.run(begin, { account })
}

/**
 * Rotates a picture upright, and removes camera metadata, such as the location where it was taken; returns it unchanged if there is nothing
 * to do. All of it is decoded, so that a stored picture can be shown.
 * @throws NoPicture, Problem 503
 */
export function normalizePicture(bytes: Buffer, account: Account): Promise<Buffer> {
  return working(account, async (open) => {
    try {
      const { format, exif, xmp, iptc, orientation = 1 } = await open(bytes, true).metadata()
      if (exif || xmp || iptc || orientation > 1) {
        const upright = open(bytes, true).autoOrient().keepIccProfile()
        return await (format === 'jpeg' || format === 'webp' ? upright[format]({ quality: QUALITY }) : upright).toBuffer()
      }
      await open(bytes, true).stats()
      return bytes
    } catch (error) {
      const isTooLarge = /pixel limit/i.test((error as Error).message)
      throw new InvalidPicture(isTooLarge ? pictureErrors.max_pixels({ max_pixels: PIXELS }) : pictureErrors.unreadable_picture)
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
  const within = (pixels: number | undefined) => pixels && Math.min(Math.max(Math.round(pixels), 1), MAX_SIDE_PIXELS)
  return working(account, async (open) => {
    const sized = open(bytes, false)
      .autoOrient()
      .resize({ width: within(width), height: within(height), fit: width && height ? 'fill' : 'inside' })
    // rotated after resizing, in whatever order they are requested
    const turned = rotate % 360 === 0 ? sized : open(await sized.png().toBuffer(), false).rotate(rotate, { background: '#0000' })
    return turned.png().toBuffer()
  })
}

/** The paths of the smaller versions of a picture. */
export const smallPaths = (path: string): string[] =>
  Object.keys(SMALL)
    .map((form) => path.replace(/(\.[^./]+)?$/, `.${form}$1`))
    .filter(isPath)

/** A picture, and one of its smaller versions. */
type Large = { path: string; form: Small }

/** The picture and version that the path of a smaller version belongs to. */
export function largePath(path: string): Large | undefined {
  const [, stem, form, extension = ''] = /^(.+)\.(thumbnail|preview)(\.[^./]+)?$/.exec(path) ?? []
  return stem === undefined ? undefined : { path: stem + extension, form: form as Small }
}

/** Versions that are being created, by path. */
const pendingConversions = new Map<string, Promise<boolean>>()

/**
 * Creates a smaller version of a picture, unless it exists.
 * @returns whether there is one: none for a file that is not a picture, or does not exist
 */
export async function makeSmall(
  services: Pick<Services, 'files'>,
  path: string,
  large: Large,
  account: Account,
): Promise<boolean> {
  if (await services.files.find(path)) return true
  const conversion =
    pendingConversions.get(path) ?? make(services, path, large, account).finally(() => pendingConversions.delete(path))
  pendingConversions.set(path, conversion)
  return conversion
}

async function make({ files }: Pick<Services, 'files'>, path: string, large: Large, account: Account): Promise<boolean> {
  if (!(await files.find(large.path))) return false
  const size = SMALL[large.form]
  const small = await working(account, async (open) => {
    const original = await files.bytes(large.path)
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
  if (await files.find(large.path)) return true
  await files.remove(path)
  return false
}
