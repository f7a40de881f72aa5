import { t } from '../../../kit/language/language.ts'
import { SettingsPage } from '../settings-page.tsx'
import { LinkedSignIns } from './linked-sign-ins.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** `/settings/security/`: the second factor, the sessions, and the accounts at providers that sign in. */
export const SecurityPage = () => (
  <SettingsPage title={t('account.security')}>
    <SecondFactor />
    <Sessions />
    <LinkedSignIns />
  </SettingsPage>
)
