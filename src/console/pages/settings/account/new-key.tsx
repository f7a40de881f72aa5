import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { t } from '../../../kit/language/language.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { Dialog } from '../../../kit/window/dialog.tsx'

type Properties = { title: string; token: string; onClose: () => void }

/** Shows the key of a new token, which is not shown again: only its button closes the dialog. */
export function NewKey({ title, token, onClose }: Properties) {
  const id = useId()
  const isCopied = useSignal(false)
  return (
    <Dialog title={title}>
      <p>{t('account.token-created.about')}</p>
      <div class="field">
        <label for={id}>{t('account.key')}</label>
        <input id={id} class="new-key" readOnly value={token} onFocus={({ currentTarget }) => currentTarget.select()} />
      </div>
      <p class="help">{t('account.token-created.use')}</p>
      <div class="buttons">
        {/* browsers have a clipboard on https only */}
        {'clipboard' in navigator && (
          <button
            type="button"
            onClick={async () => {
              await navigator.clipboard.writeText(token)
              isCopied.value = true
            }}
          >
            <Icon name={isCopied.value ? 'check' : 'file'} />
            {t(isCopied.value ? 'account.copied' : 'account.copy')}
          </button>
        )}
        <button type="button" class="primary" onClick={onClose}>
          {t('account.key-stored')}
        </button>
      </div>
    </Dialog>
  )
}
