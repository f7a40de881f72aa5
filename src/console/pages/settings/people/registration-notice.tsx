import { useSignal } from '@preact/signals'
import { t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { isSuperuser } from '../settings-pages.ts'
import { closeRegistration, REGISTRATION_SETTINGS_URL } from './registration.ts'

/** Says that anyone can register, while that is so, and lets superusers turn it off. */
export function RegistrationNotice() {
  const { data, reload } = useRead<{ setup: { registration: boolean } }>({ setup: '/api/web/setup/' })
  const isBusy = useSignal(false)
  if (!data || data.setup.body.registration) return null
  async function close() {
    if (isBusy.value) return
    isBusy.value = true
    if (await attempt(closeRegistration)) {
      showToast(t('people.registration-closed'))
      reload()
    }
    isBusy.value = false
  }
  return (
    <div class="notice">
      <p>{t('people.registration-open')}</p>
      {isSuperuser() ? (
        <div class="buttons">
          <button type="button" disabled={isBusy.value} onClick={close}>
            {t('people.registration-close')}
          </button>
          <a class="button" href={REGISTRATION_SETTINGS_URL}>
            {t('people.registration-settings')}
          </a>
        </div>
      ) : (
        <p class="quiet-text">{t('settings.for-superusers')}</p>
      )}
    </div>
  )
}
