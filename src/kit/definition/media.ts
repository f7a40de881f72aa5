import { Type } from 'typebox'
import { FieldError } from '../request/errors.ts'
import type { Expression } from '../sql/sql.ts'
import { type Field, writeOnly } from './field.ts'
import { type Input, url } from './input.ts'

/** Addresses of stored files begin so. */
const FILES = /^\/(media|static)\//

/** The address of a stored file, from the column that holds its path below the media folder; null without a file. */
export const fileAddress = (path: Expression): Expression => `case when ${path} <> '' then '/media/' || ${path} end`

/** The picture that clients show in place of a missing one. */
const BLANK_THUMBNAIL = '/static/img/blank_image.thumbnail.png'

/** The address of the small form of a picture: `.thumbnail` before the file's ending; a blank picture where there is none. */
export const thumbnailAddress = (path: Expression): Expression =>
  `case when ${path} <> '' then '/media/' || regexp_replace(${path}, '(\\.[^./]+)?$', '.thumbnail\\1') else '${BLANK_THUMBNAIL}' end`

/**
 * A picture in a body. Null takes it away; an address that this service gave is passed over, because clients send back what they
 * read. Anything else is refused: a new picture is uploaded, not written as text.
 */
export const pictureInput = (): Input<undefined> => ({
  schema: Type.Union([Type.String({ format: 'uri-reference' }), Type.Null()]),
  options: { type: 'image upload', max_length: 100 },
  help: 'The address of its picture; null for none. A change may take the picture away with null, but not name another by its address.',
  required: false,
  nullable: true,
  read(value) {
    if (typeof value === 'string' && FILES.test(value)) return undefined
    throw new FieldError('The submitted data was not a file.')
  },
})

/** The address of a picture elsewhere, which existing clients may send. What is none is refused here, the others by the resource. */
export const remotePicture = (): Field =>
  writeOnly(url({ blank: false }), {
    label: 'Remote Image',
    help: 'The address of a picture elsewhere. It is always refused: this service fetches nothing from other addresses.',
  })
