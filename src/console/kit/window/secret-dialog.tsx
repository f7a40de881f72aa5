import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { t } from '../language/language.ts'
import { Icon } from '../page/icon.tsx'
import { Dialog } from './dialog.tsx'

type Properties = {
  title: string
  /** The access that the value grants. */
  about: string
  label: string
  value: string
  help: string
  /** The button that closes it: that the value is stored elsewhere. */
  closeText: string
  onClose: () => void
}

/** Shows a key or a link that is not shown again: only its button closes the dialog. */
export function SecretDialog({ title, about, label, value, help, closeText, onClose }: Properties) {
  const id = useId()
  const isCopied = useSignal(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    isCopied.value = true
  }
  return (
    <Dialog title={title}>
      <p>{about}</p>
      <div class="field">
        <label for={id}>{label}</label>
        <input id={id} class="secret-value" readOnly value={value} onFocus={({ currentTarget }) => currentTarget.select()} />
      </div>
      <p class="help">{help}</p>
      <div class="buttons">
        {/* browsers have a clipboard on https only */}
        {'clipboard' in navigator && (
          <button type="button" onClick={copy}>
            <Icon name={isCopied.value ? 'check' : 'file'} />
            {t(isCopied.value ? 'account.copied' : 'account.copy')}
          </button>
        )}
        <button type="button" class="primary" onClick={onClose}>
          {closeText}
        </button>
      </div>
    </Dialog>
  )
}
