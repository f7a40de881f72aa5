import { t } from '../../../kit/language/language.ts'
import { SecretDialog } from '../../../kit/window/secret-dialog.tsx'

type Properties = {
  title: string
  /** The purpose of the link, and how long it is valid. */
  about: string
  url: string
  onClose: () => void
}

/** Hosts that name the computer itself. */
const LOOPBACK = /^(localhost|127\..+|\[::1\])$/

/** Shows a link that gives access, once. */
export const LinkDialog = ({ url, ...properties }: Properties) => (
  <SecretDialog
    {...properties}
    label={t('people.link')}
    value={url}
    help={t('people.link.help')}
    warning={LOOPBACK.test(new URL(url).hostname) ? t('people.link.local') : undefined}
    closeText={t('people.link.stored')}
  />
)
