import { Confirm } from '../../../kit/form/confirm.tsx'
import { count, t } from '../../../kit/language/language.ts'
import { useGet } from '../../../kit/page/data.ts'
import type { Page } from '../../../kit/service/api.ts'

/** The setting that requires a second factor of all accounts. */
export const ENFORCE_MFA = 'LOGIN_ENFORCE_MFA'

/** Asks before everybody without a second factor has to set one up, which interrupts their work. */
export function AskEnforceMfa({ onConfirm, onClose }: { onConfirm: () => Promise<void>; onClose: () => void }) {
  const others = useGet<Page<unknown>>('/api/user/?is_active=true&second_factor=false&limit=1').data
  const own = useGet<{ enabled: boolean }>('/api/auth/mfa/').data
  return (
    <Confirm title={t('settings.enforce-mfa-ask')} button={t('settings.enforce-mfa')} onConfirm={onConfirm} onClose={onClose}>
      {others && <p>{count('settings.enforce-mfa.people', others.body.count)}</p>}
      {own?.body.enabled === false && (
        <p>
          {t('settings.enforce-mfa.own')} <a href="/settings/security/">{t('enrol.title')}</a>
        </p>
      )}
    </Confirm>
  )
}
