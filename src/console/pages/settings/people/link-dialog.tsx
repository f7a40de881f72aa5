import { t } from '../../../kit/language/language.ts'
import { SecretDialog } from '../../../kit/window/secret-dialog.tsx'

type Properties = {
  title: string
  /** The purpose of the link, and how long it is valid. */
  about: string
  url: string
  onClose: () => void
}

/** Shows a link that gives access, once. */
export const LinkDialog = ({ url, ...properties }: Properties) => (
  <SecretDialog
    {...properties}
    label={t('people.link')}
    value={url}
    help={t('people.link.help')}
    closeText={t('people.link.stored')}
  />
)
