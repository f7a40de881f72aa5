import { useId, useRef } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'

type Properties = {
  title: string
  /** The access that the value grants. */
  about: string
  label: string
  value: string
  help: string
  /** What keeps the value from working. */
  warning?: string
  /** The button that closes it: that the value is stored elsewhere. */
  closeText: string
  onClose: () => void
}

/** Shows a key or a link that is not shown again: only its button closes the dialog. */
export function SecretDialog({ title, about, label, value, help, warning, closeText, onClose }: Properties) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog title={title}>
      <p>{about}</p>
      <div class="field">
        <label for={id}>{label}</label>
        <input
          ref={field}
          id={id}
          class="secret-value"
          readOnly
          value={value}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
      <p class="help">{help}</p>
      {warning && <p class="notice">{warning}</p>}
      <div class="buttons">
        <CopyButton text={value} source={field} />
        <button type="button" class="primary" onClick={onClose}>
          {closeText}
        </button>
      </div>
    </Dialog>
  )
}
