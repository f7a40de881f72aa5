import { useSignal } from '@preact/signals'
import { t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Panel } from '../../kit/page/page.tsx'
import { attempt, showToast } from '../../kit/page/toast.tsx'
import { change } from '../../kit/service/api.ts'
import { isStaff } from '../settings/settings-pages.ts'
import { countDone, SETUP_PATH, SETUP_STEPS, type SetupState, type SetupStep } from './setup-steps.ts'

/** Dismisses the checklist for all accounts, or shows it again. @throws ApiError */
export const setSetupDismissed = (isDismissed: boolean): Promise<unknown> =>
  change(SETUP_PATH, { is_dismissed: isDismissed }, undefined)

type Properties = { state: SetupState; onChanged: () => void }

/** The steps to set up the installation: what is done, where each is done, and who can do it. Staff can dismiss it. */
export function SetupChecklist({ state, onChanged }: Properties) {
  const isBusy = useSignal(false)
  async function dismiss() {
    if (isBusy.value) return
    isBusy.value = true
    if (await attempt(() => setSetupDismissed(true))) {
      showToast(t('setup.dismissed'), () => setSetupDismissed(false))
      onChanged()
    }
    isBusy.value = false
  }
  return (
    <Panel
      class="setup"
      title={t('setup.title')}
      actions={
        <>
          <span class="quiet-text">{formatProgress(state)}</span>
          {isStaff() && (
            <button type="button" class="quiet" disabled={isBusy.value} onClick={dismiss}>
              {t('setup.dismiss')}
            </button>
          )}
        </>
      }
    >
      <ol class="steps">
        {SETUP_STEPS.map((step) => (
          <Step key={step.name} step={step} isDone={state[step.name]} onDone={onChanged} />
        ))}
      </ol>
    </Panel>
  )
}

/** The number of steps that are done, of all. */
export const formatProgress = (state: SetupState): string =>
  t('setup.progress', { done: countDone(state), all: SETUP_STEPS.length })

function Step({ step, isDone, onDone }: { step: SetupStep; isDone: boolean; onDone: () => void }) {
  const { icon, title, about, to, other, action, isAllowed, requirement } = step
  const isBusy = useSignal(false)
  async function run() {
    if (isBusy.value || !action) return
    isBusy.value = true
    if (await attempt(action.run)) {
      showToast(t('setup.step-done', { step: t(title) }))
      onDone()
    }
    isBusy.value = false
  }
  return (
    <li class={isDone ? 'done' : undefined}>
      <Icon name={isDone ? 'check' : icon} />
      <span>
        {isAllowed() ? <a href={to}>{t(title)}</a> : <span>{t(title)}</span>}
        {isDone && <span class="visually-hidden"> ({t('setup.done')})</span>}
        {!isDone && (
          <small>
            {t(about)}
            {isAllowed() && other && (
              <>
                {' '}
                <a href={other.to}>{t(other.title)}</a>
              </>
            )}
          </small>
        )}
        {!isDone && isAllowed() && action && (
          <button type="button" disabled={isBusy.value} onClick={run}>
            {t(action.title)}
          </button>
        )}
      </span>
      {!isDone && !isAllowed() && <Badge>{requirement()}</Badge>}
    </li>
  )
}
