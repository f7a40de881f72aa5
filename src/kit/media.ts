import type { Expression } from './sql.ts'

/** The address of a stored file, from the column that holds its path below the media folder; null without a file. */
export const fileAddress = (path: Expression): Expression => `case when ${path} <> '' then '/media/' || ${path} end`

/** The picture that clients show in place of a missing one. */
const BLANK_THUMBNAIL = '/static/img/blank_image.thumbnail.png'

/** The address of the small form of a picture: `.thumbnail` before the file's ending; a blank picture where there is none. */
export const thumbnailAddress = (path: Expression): Expression =>
  `case when ${path} <> '' then '/media/' || regexp_replace(${path}, '(\\.[^./]+)?$', '.thumbnail\\1') else '${BLANK_THUMBNAIL}' end`
