import type { PgColumn } from 'drizzle-orm/pg-core'
import { FieldError } from '../request/errors.ts'
import { NotFetched } from '../services/download.ts'
import { extensionOf } from '../services/files.ts'
import { InvalidPicture, normalizePicture, pictureExtension } from '../services/pictures.ts'
import type { Upload } from '../services/uploads.ts'
import type { Expression } from '../sql/sql.ts'
import { pictureErrors } from '../values/value-errors.ts'
import { type Field, writeOnly } from './field.ts'
import { type FileValue, file, fileAddress, fileInput, MEDIA, replace, storeFile } from './file.ts'
import { type Arrival, type Input, url } from './input.ts'

/** The picture that clients show instead of a missing one. */
const BLANK_THUMBNAIL = '/static/img/blank_image.thumbnail.png'

/** The URL of a picture's thumbnail: `.thumbnail` before the file's extension; a blank picture if there is none. */
export const thumbnailAddress = (path: Expression): Expression =>
  `case when ${path} <> '' then '${MEDIA}' || uri_path(regexp_replace(${path}, '(\\.[^./]+)?$', '.thumbnail\\1')) else '${BLANK_THUMBNAIL}' end`

/** Prepares a picture for storage: upright, without camera metadata, with the extension of its type. */
async function preparePicture(upload: Upload, arrival: Arrival, at: { of: PgColumn; folder: string }): Promise<Upload> {
  const { services, caller } = arrival
  const { files } = services
  try {
    const extension = pictureExtension(upload.head)
    if (!extension) throw new InvalidPicture(pictureErrors.unsupported_picture)
    const original = await files.bytes(upload.path)
    const content = await normalizePicture(original, caller?.pk)
    if (content === original && extensionOf(upload.path) === extension) return upload
    return replace(upload, arrival, { ...at, extension }, content)
  } catch (error) {
    if (error instanceof InvalidPicture) throw new FieldError(error.reason)
    throw error
  }
}

/** A picture: a stored file whose URL is relative in both wire forms, since it appears inside other objects too. */
export const picture = (of: PgColumn, folder: string): Field => ({
  ...file(of, pictureOptions(of, folder)),
  sql: fileAddress(`{${of.name}}`),
})

/** A picture in the body of an action, for this column. */
export const pictureInput = (of: PgColumn, folder: string): Input<FileValue> => fileInput(of, pictureOptions(of, folder))

const pictureOptions = (of: PgColumn, folder: string) => ({
  folder,
  required: of.notNull,
  type: 'image upload' as const,
  prepare: (upload: Upload, arrival: Arrival) => preparePicture(upload, arrival, { of, folder }),
  help: 'Its image: PNG, JPEG, GIF or WebP.',
})

/** The URL of a picture elsewhere, which is fetched, if a setting allows it, and replaces the picture. */
export function remotePicture(of: PgColumn, folder: string): Field {
  const address = url({ blank: false })
  return writeOnly(
    {
      ...address,
      into: of,
      async arrives(value, arrival) {
        const { settings, download, config } = arrival.services
        const from = address.read(value, { references: [], services: arrival.services }, () => {})
        if (settings.get('INVENTREE_DOWNLOAD_FROM_URL') !== true) throw new FieldError(pictureErrors.fetching_disabled)
        const limit = Math.min(Number(settings.get('INVENTREE_DOWNLOAD_IMAGE_MAX_SIZE')) * 1_048_576, config.maxFileBytes)
        const userAgent = String(settings.get('INVENTREE_DOWNLOAD_FROM_URL_USER_AGENT') || 'Stockroom')
        const content = await download(from, { limit, userAgent }).catch((error) => {
          throw error instanceof NotFetched ? new FieldError(pictureErrors.not_fetched({ reasons: [error.reason] })) : error
        })
        const name = new URL(from).pathname.split('/').at(-1) || of.name
        return preparePicture(await storeFile(arrival, { of, folder, name }, content), arrival, { of, folder })
      },
      // the value is the fetched file by now, not a URL
      read: (value) => value as string,
    },
    {
      label: 'Remote Image',
      help: 'The URL of an image on the public internet, which is downloaded and stored as its image, if the service allows that.',
    },
  )
}
