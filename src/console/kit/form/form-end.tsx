import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import type { Form } from './form.tsx'

type Properties = {
  form: Pick<Form, 'problem' | 'isBusy'>
  /** What the button says. */
  children: ComponentChildren
  isDangerous?: boolean
  /** There is nothing to send yet. */
  isOff?: boolean
  onCancel?: () => void
  /** What the way out is called, where that is not "Cancel". */
  cancel?: string
}

/** The end of a form: what is wrong with the whole of it, the button that sends it, and the way out. */
export const FormEnd = ({ form, children, isDangerous, isOff, onCancel, cancel }: Properties) => (
  <>
    <Problem form={form} />
    <div class="buttons">
      <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={form.isBusy.value || isOff}>
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

/** What the service said of the whole form. It is read out when it comes. */
export const Problem = ({ form: { problem } }: { form: Pick<Form, 'problem'> }) => (
  <div role="alert">{problem.value && <p class="problem">{problem.value}</p>}</div>
)
