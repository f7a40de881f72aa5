import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { t } from '../../../kit/language/language.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { Dialog } from '../../../kit/window/dialog.tsx'

type Properties = {
  title: string
  /** What the link is for, and how long it is valid. */
  about: string
  url: string
  onClose: () => void
}

/** Shows a link that gives access, once: only its button closes the dialog. */
export function LinkDialog({ title, about, url, onClose }: Properties) {
  const id = useId()
  const isCopied = useSignal(false)
  return (
    <Dialog title={title}>
      <p>{about}</p>
      <div class="field">
        <label for={id}>{t('people.link')}</label>
        <input id={id} class="new-key" readOnly value={url} onFocus={({ currentTarget }) => currentTarget.select()} />
      </div>
      <p class="help">{t('people.link.help')}</p>
      <div class="buttons">
        {/* browsers have a clipboard on https only */}
        {'clipboard' in navigator && (
          <button
            type="button"
            onClick={async () => {
              await navigator.clipboard.writeText(url)
              isCopied.value = true
            }}
          >
            <Icon name={isCopied.value ? 'check' : 'file'} />
            {t(isCopied.value ? 'account.copied' : 'account.copy')}
          </button>
        )}
        <button type="button" class="primary" onClick={onClose}>
          {t('people.link.stored')}
        </button>
      </div>
    </Dialog>
  )
}
