import { PRINTED_SITE } from '../../../kit/services/printer.ts'
import { isObject } from '../../../kit/values/json.ts'
import type { Library } from '../../rendering.ts'
import { textOf } from '../output.ts'
import { type FilterHandler, readOptions } from './filter.ts'

/** Shown instead of a missing picture. */
const BLANK = '/static/img/blank_image.png'
const BLANK_SMALL = '/static/img/blank_image.thumbnail.png'

/** Returns the address in the printed document for a file of the service. */
export const resourceUrl = (address: string): string =>
  PRINTED_SITE + address.split('/').filter(Boolean).map(encodeURIComponent).join('/')

/** Builds the query string with the size and rotation of a picture. */
function buildPictureQuery(args: readonly unknown[]): string {
  const parameters = Object.entries(readOptions(args, PICTURE_OPTIONS)).flatMap(([name, value]) => {
    const number = Number(textOf(value))
    return Number.isFinite(number) && number !== 0 ? [`${name}=${number}`] : []
  })
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

const PICTURE_OPTIONS = ['width', 'height', 'rotate']

/**
 * Pictures and assets, as addresses for `src` and `url()`. A file named in this way becomes one that the printed document may show; no
 * other file does.
 */
export function pictureFilters(library: Pick<Library, 'asset'>, fileUrls: Set<string>): Record<string, FilterHandler> {
  const address = (path: string, look = ''): string => {
    const url = resourceUrl(path) + look
    fileUrls.add(url)
    return url
  }
  /**
   * Accepts only pictures that an object states itself: a text of the template could name any file, and so could values under names that
   * people entered, such as parameters.
   */
  const picture =
    (field: string, blank: string): FilterHandler =>
    (value, ...args) => {
      const fieldPath = isObject(value) && typeof value.pk === 'number' ? value[field] : undefined
      return address(
        typeof fieldPath === 'string' && fieldPath.startsWith('/media/') ? fieldPath : blank,
        buildPictureQuery(args),
      )
    }
  return {
    /**
     * `{{ part | image }}`, `{{ supplier | image }}`: the picture of a part or company, or a blank one. `width: 200` and `height: 100` are
     * its size in pixels, `rotate: 90` rotates it clockwise.
     */
    image: picture('image', BLANK),
    /** The small form of the picture. */
    thumbnail: picture('thumbnail', BLANK_SMALL),
    /** `{{ "logo.png" | asset }}`: a file of `/api/report/asset/`, by its bare name. */
    async asset(value) {
      const name = textOf(value)
      const path = /^[^/\\]+$/.test(name) ? await library.asset(name) : undefined
      if (path === undefined) throw new Error(`The asset "${name.slice(0, 100)}" does not exist.`)
      return address(`/media/${path}`)
    },
  }
}
