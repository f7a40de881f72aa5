import { t } from '../../kit/language/language.ts'
import { mustEnrol } from '../../kit/service/api.ts'
import { account, signOut, startSession } from '../../kit/service/session.ts'
import { Enrolment } from './enrolment.tsx'

/** Enrolls an account without a second factor if all accounts need one (`LOGIN_ENFORCE_MFA`); nothing else is available before that. */
export const Enrol = () => (
  <>
    <Enrolment intro={t('enrol.text')} onDone={continueSession} />
    <button
      type="button"
      class="link"
      onClick={async () => {
        await signOut()
        mustEnrol.value = false
      }}
    >
      {t('sign-out')}
    </button>
  </>
)

async function continueSession(): Promise<void> {
  const previousAccount = account.value?.pk
  await startSession()
  // the open page belongs to another account
  if (previousAccount !== undefined && previousAccount !== account.value?.pk) window.location.reload()
}
