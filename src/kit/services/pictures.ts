import type { Sharp } from 'sharp'
import { requestErrors } from '../request/request-errors.ts'
import type { ErrorMessage } from '../values/message.ts'
import { pictureErrors } from '../values/value-errors.ts'
import { isPath } from './files.ts'
import { Semaphore } from './semaphore.ts'
import type { Services } from './services.ts'

/** How many pixels a picture has at most, all frames together: more are not unpacked, however few bytes they are packed into. */
const PIXELS = 50_000_000

/** The quality in which a picture is packed again that has to be turned or stripped. */
const QUALITY = 92

/** Smaller forms of a picture: what their names have before their ending, and how many pixels they are high and wide at most. */
const SMALL = { thumbnail: 128, preview: 256 } as const
type Small = keyof typeof SMALL

/** A picture takes memory by its pixels, and all of a processor: three are worked on at once, two of one account. */
const work = new Semaphore(3, 10_000, requestErrors.too_many_pictures, 100, 2)

/** Whose request it is, by the key of the account: accounts take turns. */
type Account = number | undefined

/** What was sent is no picture that is taken. */
export class NoPicture extends Error {
  readonly reason: ErrorMessage

  constructor(reason: ErrorMessage) {
    super(reason.message)
    this.reason = reason
  }
}

/** The ending for a picture by how its file begins; undefined for what is none of a kind that is taken. */
export function pictureExtension(head: Buffer): 'png' | 'jpg' | 'gif' | 'webp' | undefined {
  const start = head.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpg'
  if (/^GIF8[79]a/.test(start)) return 'gif'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'webp' : undefined
}

/** What works on pictures; it is loaded when there is one. */
export async function pictureTool(): Promise<typeof import('sharp').default> {
  const { default: sharp } = await import('sharp')
  // what is worked on once is not worked on again
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** Opens a picture as often as it is wanted. */
type Open = (bytes: Uint8Array, animated: boolean) => Sharp

/** Lends what opens pictures, when it is its turn. */
const working = <Result>(account: Account, act: (open: Open) => Promise<Result>): Promise<Result> => {
  const begin = async () => {
    const sharp = await pictureTool()
    return act((bytes, animated) => sharp(bytes, { limitInputPixels: PIXELS, failOn: 'error', animated }))
  }
  return work.run(begin, { account })
}

/**
 * A picture upright, and without what a camera wrote into it, such as the place where it was taken; as it came where there is nothing to
 * change. All of it is read, so that what is kept can be shown.
 * @throws NoPicture, Problem 503
 */
export function normalPicture(bytes: Buffer, account: Account): Promise<Buffer> {
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
      throw new NoPicture(isTooLarge ? pictureErrors.max_pixels({ max_pixels: PIXELS }) : pictureErrors.unreadable_picture)
    }
  })
}

/** Pixels of a picture that is drawn anew, in either direction. */
const MOST_PIXELS = 4_000

/**
 * A picture of another size, turned clockwise by degrees. Of width and height, both in pixels, one alone keeps its form, and both do not.
 * @throws Problem 503
 */
export function reshapedPicture(
  bytes: Buffer,
  { width, height, rotate = 0 }: { width?: number; height?: number; rotate?: number },
  account: Account,
): Promise<Buffer> {
  const within = (pixels: number | undefined) => pixels && Math.min(Math.max(Math.round(pixels), 1), MOST_PIXELS)
  return working(account, async (open) => {
    const sized = open(bytes, false)
      .autoOrient()
      .resize({ width: within(width), height: within(height), fit: width && height ? 'fill' : 'inside' })
    // turned after it has its size, whatever the order in which it is asked for
    const turned = rotate % 360 === 0 ? sized : open(await sized.png().toBuffer(), false).rotate(rotate, { background: '#0000' })
    return turned.png().toBuffer()
  })
}

/** The paths of the smaller forms of a picture. */
export const smallPaths = (path: string): string[] =>
  Object.keys(SMALL)
    .map((form) => path.replace(/(\.[^./]+)?$/, `.${form}$1`))
    .filter(isPath)

/** A picture, and which smaller form of it is meant. */
type Large = { path: string; form: Small }

/** The picture of which a path is that of a smaller form, and which. */
export function largePath(path: string): Large | undefined {
  const [, stem, form, ending = ''] = /^(.+)\.(thumbnail|preview)(\.[^./]+)?$/.exec(path) ?? []
  return stem === undefined ? undefined : { path: stem + ending, form: form as Small }
}

/** What is being made, by path. */
const making = new Map<string, Promise<boolean>>()

/**
 * Makes a smaller form of a picture, unless it is there.
 * @returns whether there is one: none of what is no picture, or is not there
 */
export async function makeSmall(
  services: Pick<Services, 'files'>,
  path: string,
  large: Large,
  account: Account,
): Promise<boolean> {
  if (await services.files.find(path)) return true
  const made = making.get(path) ?? make(services, path, large, account).finally(() => making.delete(path))
  making.set(path, made)
  return made
}

async function make({ files }: Pick<Services, 'files'>, path: string, large: Large, account: Account): Promise<boolean> {
  if (!(await files.find(large.path))) return false
  const size = SMALL[large.form]
  const small = await working(account, async (open) => {
    const given = await files.bytes(large.path)
    if (!pictureExtension(given)) return undefined
    const options = { width: size, height: size, fit: 'inside', withoutEnlargement: true } as const
    return open(given, false)
      .autoOrient()
      .resize(options)
      .toBuffer()
      .catch(() => undefined)
  })
  if (!small) return false
  await files.write(path, [small])
  // who removed the picture meanwhile found no smaller form to remove
  if (await files.find(large.path)) return true
  await files.remove(path)
  return false
}
