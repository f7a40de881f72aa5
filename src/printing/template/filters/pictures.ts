import { PRINTED_SITE } from '../../../kit/services/printer.ts'
import { isObject } from '../../../kit/values/json.ts'
import type { Library } from '../../rendering.ts'
import { toText } from '../output.ts'
import { type FilterHandler, readOptions } from './filter.ts'

/** Shown instead of a missing picture. */
const BLANK_PICTURE = '/static/img/blank_image.png'
const BLANK_THUMBNAIL = '/static/img/blank_image.thumbnail.png'

/** Returns the URL in the printed document for a file of the service. */
export const toResourceUrl = (path: string): string =>
  PRINTED_SITE + path.split('/').filter(Boolean).map(encodeURIComponent).join('/')

/** Builds the query string with the size and rotation of a picture. */
function buildPictureQuery(args: readonly unknown[]): string {
  const parameters = Object.entries(readOptions(args, PICTURE_OPTIONS)).flatMap(([name, value]) => {
    const number = Number(toText(value))
    return Number.isFinite(number) && number !== 0 ? [`${name}=${number}`] : []
  })
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

const PICTURE_OPTIONS = ['width', 'height', 'rotate']

/**
 * Pictures and assets, as URLs for `src` and `url()`. A file named in this way becomes one that the printed document may show; no
 * other file does.
 */
export function pictureFilters(library: Pick<Library, 'asset'>, fileUrls: Set<string>): Record<string, FilterHandler> {
  const addUrl = (path: string, query = ''): string => {
    const url = toResourceUrl(path) + query
    fileUrls.add(url)
    return url
  }
  /**
   * Accepts only pictures from a field of an object: a string in the template could name any file, and so could values under names that
   * users entered, such as parameters.
   */
  const createPictureFilter =
    (field: string, blank: string): FilterHandler =>
    (value, ...args) => {
      const fieldPath = isObject(value) && typeof value.pk === 'number' ? value[field] : undefined
      return addUrl(typeof fieldPath === 'string' && fieldPath.startsWith('/media/') ? fieldPath : blank, buildPictureQuery(args))
    }
  return {
    /**
     * `{{ part | image }}`, `{{ supplier | image }}`: the picture of a part or company, or a blank one. `width: 200` and `height: 100` are
     * its size in pixels, `rotate: 90` rotates it clockwise.
     */
    image: createPictureFilter('image', BLANK_PICTURE),
    /** The thumbnail of the picture. */
    thumbnail: createPictureFilter('thumbnail', BLANK_THUMBNAIL),
    /** `{{ "logo.png" | asset }}`: a file of `/api/report/asset/`, by its bare name. */
    async asset(value) {
      const name = toText(value)
      const path = /^[^/\\]+$/.test(name) ? await library.asset(name) : undefined
      if (path === undefined) throw new Error(`The asset "${name.slice(0, 100)}" does not exist.`)
      return addUrl(`/media/${path}`)
    },
  }
}
