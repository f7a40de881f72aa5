import type { PgColumn } from 'drizzle-orm/pg-core'
import { FieldError } from '../request/errors.ts'
import { extensionOf } from '../services/files.ts'
import { NoPicture, normalPicture, pictureExtension } from '../services/pictures.ts'
import type { Upload } from '../services/uploads.ts'
import type { Expression } from '../sql/sql.ts'
import { type Field, writeOnly } from './field.ts'
import { file, fileAddress, MEDIA, replace } from './file.ts'
import { type Arrival, url } from './input.ts'

/** The picture that clients show in place of a missing one. */
const BLANK_THUMBNAIL = '/static/img/blank_image.thumbnail.png'

/** The address of the small form of a picture: `.thumbnail` before the file's ending; a blank picture where there is none. */
export const thumbnailAddress = (path: Expression): Expression =>
  `case when ${path} <> '' then '${MEDIA}' || uri_path(regexp_replace(${path}, '(\\.[^./]+)?$', '.thumbnail\\1')) else '${BLANK_THUMBNAIL}' end`

/** A picture as it is kept: upright, without what a camera wrote into it, its name ending as its kind does. */
async function preparePicture(upload: Upload, arrival: Arrival, at: { of: PgColumn; folder: string }): Promise<Upload> {
  const { files } = arrival.services
  try {
    const extension = pictureExtension(upload.head)
    if (!extension) throw new NoPicture('Only pictures in PNG, JPEG, GIF or WebP are taken.')
    const given = await files.bytes(upload.path)
    const content = await normalPicture(given)
    if (content === given && extensionOf(upload.path) === extension) return upload
    return replace(upload, arrival, { ...at, extension }, content)
  } catch (error) {
    if (error instanceof NoPicture) throw new FieldError(error.message)
    throw error
  }
}

/** A picture: a stored file whose address is relative in both wire forms, since it stands inside other objects too. */
export const picture = (of: PgColumn, folder: string): Field => ({
  ...file(of, {
    folder,
    type: 'image upload',
    prepare: (upload, arrival) => preparePicture(upload, arrival, { of, folder }),
    help: 'Its picture: PNG, JPEG, GIF or WebP, by multipart/form-data or as a data: URI; answers show its address. Null takes it away, in a form an empty text.',
  }),
  sql: fileAddress(`{${of.name}}`),
})

/** The address of a picture elsewhere, which existing clients may send. What is none is refused here, the others by the resource. */
export const remotePicture = (): Field =>
  writeOnly(url({ blank: false }), {
    label: 'Remote Image',
    help: 'The address of a picture elsewhere. It is always refused: this service fetches nothing from other addresses.',
  })
