import { useSignal } from '@preact/signals'
import { t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { formatProgress, setSetupDismissed } from '../home/setup-checklist.tsx'
import { hasOpenStep, SETUP_PATH, type SetupState } from '../home/setup-steps.ts'

/** For staff, on the overview of the settings: the progress of the set-up, and the way back to its checklist. */
export function SetupPanel() {
  const { data } = useRead<{ setup: SetupState }>({ setup: SETUP_PATH })
  const isBusy = useSignal(false)
  const state = data?.setup.body
  if (!state) return null
  async function show() {
    if (isBusy.value) return
    isBusy.value = true
    if (await attempt(() => setSetupDismissed(false))) navigate('/')
    isBusy.value = false
  }
  return (
    <section class="panel">
      <header>
        <h2>
          <Icon name="check" />
          {t('setup.title')}
        </h2>
      </header>
      <p>{formatProgress(state)}</p>
      {!hasOpenStep(state) ? null : state.is_dismissed ? (
        <div class="buttons">
          <button type="button" disabled={isBusy.value} onClick={show}>
            {t('setup.show')}
          </button>
        </div>
      ) : (
        <p>
          <a href="/">{t('setup.on-home')}</a>
        </p>
      )}
    </section>
  )
}
