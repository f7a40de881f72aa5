import type { PgColumn } from 'drizzle-orm/pg-core'
import { FieldError } from '../request/errors.ts'
import { FetchError } from '../services/download.ts'
import { getExtension } from '../services/files.ts'
import { InvalidPicture, normalizePicture, pictureExtension } from '../services/pictures.ts'
import type { Upload } from '../services/uploads.ts'
import type { Expression } from '../sql/sql.ts'
import { pictureErrors } from '../values/value-errors.ts'
import { type Field, writeOnly } from './field.ts'
import { buildFileUrlSql, createFileInput, type FileValue, file, MEDIA_URL_PREFIX, replaceUpload, storeFile } from './file.ts'
import { type Input, type UploadContext, url } from './input.ts'

/** The picture that clients show instead of a missing one. */
const BLANK_THUMBNAIL = '/static/img/blank_image.thumbnail.png'

/** The URL of a picture's thumbnail: `.thumbnail` before the file's extension; a blank picture if there is none. */
export const buildThumbnailUrlSql = (path: Expression): Expression =>
  `case when ${path} <> '' then '${MEDIA_URL_PREFIX}' || uri_path(regexp_replace(${path}, '(\\.[^./]+)?$', '.thumbnail\\1')) else '${BLANK_THUMBNAIL}' end`

/** Prepares a picture for storage: upright, without camera metadata, with the extension of its type. */
async function preparePicture(
  upload: Upload,
  context: UploadContext,
  target: { column: PgColumn; folder: string },
): Promise<Upload> {
  const { services, caller } = context
  const { files } = services
  try {
    const extension = pictureExtension(upload.head)
    if (!extension) throw new InvalidPicture(pictureErrors.unsupported_picture)
    const original = await files.bytes(upload.path)
    const content = await normalizePicture(original, caller?.pk)
    if (content === original && getExtension(upload.path) === extension) return upload
    return replaceUpload(upload, context, { ...target, extension }, content)
  } catch (error) {
    if (error instanceof InvalidPicture) throw new FieldError(error.reason)
    throw error
  }
}

/** A picture: a stored file whose URL is relative in both wire forms, since it appears inside other objects too. */
export const picture = (column: PgColumn, folder: string): Field => ({
  ...file(column, buildPictureOptions(column, folder)),
  sql: buildFileUrlSql(`{${column.name}}`),
})

/** A picture in the body of an action, for this column. */
export const createPictureInput = (column: PgColumn, folder: string): Input<FileValue> =>
  createFileInput(column, buildPictureOptions(column, folder))

const buildPictureOptions = (column: PgColumn, folder: string) => ({
  folder,
  required: column.notNull,
  type: 'image upload' as const,
  prepare: (upload: Upload, context: UploadContext) => preparePicture(upload, context, { column, folder }),
  help: 'Its image: PNG, JPEG, GIF or WebP.',
})

/** The URL of a picture on another site, which is downloaded, if a setting allows it, and replaces the picture. */
export function remotePicture(column: PgColumn, folder: string): Field {
  const urlInput = url({ blank: false })
  return writeOnly(
    {
      ...urlInput,
      targetColumn: column,
      async prepareUpload(value, context) {
        const { settings, download, config } = context.services
        const pictureUrl = urlInput.read(value, { references: [], services: context.services }, () => {})
        if (settings.get('INVENTREE_DOWNLOAD_FROM_URL') !== true) throw new FieldError(pictureErrors.fetching_disabled)
        const limit = Math.min(Number(settings.get('INVENTREE_DOWNLOAD_IMAGE_MAX_SIZE')) * 1_048_576, config.maxFileBytes)
        const userAgent = String(settings.get('INVENTREE_DOWNLOAD_FROM_URL_USER_AGENT') || 'Stockroom')
        const content = await download(pictureUrl, { limit, userAgent }).catch((error) => {
          throw error instanceof FetchError ? new FieldError(pictureErrors.not_fetched({ reasons: [error.reason] })) : error
        })
        const name = new URL(pictureUrl).pathname.split('/').at(-1) || column.name
        return preparePicture(await storeFile(context, { column, folder, name }, content), context, { column, folder })
      },
      // by now the value is the downloaded file, not the URL
      read: (value) => value as string,
    },
    {
      label: 'Remote Image',
      help: 'The URL of an image on the public internet, which is downloaded and stored as its image, if the service allows that.',
    },
  )
}
