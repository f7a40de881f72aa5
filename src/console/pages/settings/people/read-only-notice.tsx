import { t } from '../../../kit/language/language.ts'
import { isSuperuser } from '../settings-pages.ts'

/** Says to staff, who see accounts and groups, who can change them. */
export const ReadOnlyNotice = () => (isSuperuser() ? null : <p class="quiet-text">{t('people.read-only')}</p>)
