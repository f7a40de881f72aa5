import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import type { Form } from './form.tsx'

type Properties = {
  form: Pick<Form, 'problem' | 'isBusy'>
  /** Label of the button. */
  children: ComponentChildren
  isDangerous?: boolean
  /** Whether there is nothing to send yet. */
  isDisabled?: boolean
  onCancel?: () => void
  /** Label of the cancel button, if it is not "Cancel". */
  cancel?: string
}

/** The footer of a form: errors of the form as a whole, the submit button, and the cancel button. */
export const FormFooter = ({ form, children, isDangerous, isDisabled, onCancel, cancel }: Properties) => (
  <>
    <Problem form={form} />
    <div class="buttons">
      <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={form.isBusy.value || isDisabled}>
        {children}
      </button>
      {onCancel && (
        <button type="button" onClick={onCancel}>
          {cancel ?? t('cancel')}
        </button>
      )}
    </div>
  </>
)

/** The service's error for the whole form. Screen readers announce it. */
export const Problem = ({ form: { problem } }: { form: Pick<Form, 'problem'> }) => (
  <div role="alert">{problem.value && <p class="problem">{problem.value}</p>}</div>
)
