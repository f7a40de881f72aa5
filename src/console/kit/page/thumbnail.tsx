import { toFileUrl } from '../service/api.ts'
import { Icon, type IconName } from './icon.tsx'

/** The picture that the service names for an object without one. */
const BLANK_PATH = '/static/img/blank_image'

/**
 * The small picture of an object, before its name. Screen readers skip it. Without a picture it is a gap, but only in a list in which
 * another object has one.
 * @param url `thumbnail` of the object
 */
export function Thumbnail({ url }: { url: string | null | undefined }) {
  return isPicture(url) ? <Picture url={url} /> : <span class="thumbnail" />
}

/** The small picture of an object; without one, the icon of its kind. */
export const ThumbnailOrIcon = ({ url, icon }: { url: string | null | undefined; icon: IconName }) =>
  isPicture(url) ? <Picture url={url} /> : <Icon name={icon} />

const isPicture = (url: string | null | undefined): url is string => Boolean(url) && !url?.includes(BLANK_PATH)

function Picture({ url }: { url: string }) {
  return (
    <img
      class="thumbnail"
      src={toFileUrl(url)}
      alt=""
      loading="lazy"
      decoding="async"
      onError={({ currentTarget }) => {
        // its file is missing, as after an import without files
        currentTarget.style.visibility = 'hidden'
      }}
    />
  )
}
