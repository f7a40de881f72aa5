import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../kit/language/language.ts'
import { isTyping } from '../../kit/navigation/keys.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { attempt, showToast } from '../../kit/page/toast.tsx'
import { change, toFileUrl } from '../../kit/service/api.ts'
import { useFileDrop } from '../../kit/window/file-drop.ts'

type Properties = {
  /** URL of the object. */
  url: string
  image: string | null
  name: string
  canChange: boolean
  onChanged: () => void
}

/** The picture of an object. It is replaced by dropping, pasting or selecting a file. */
export function Picture({ url, image, name, canChange, onChanged }: Properties) {
  /** The picture whose file is missing, as after an import without its media. */
  const missingImage = useSignal<string | null>(null)
  const isAvailable = image !== null && image !== missingImage.value
  const fileInput = useRef<HTMLInputElement>(null)
  async function upload(files: Iterable<File> | undefined | null): Promise<void> {
    const picture = [...(files ?? [])].find(({ type }) => type.startsWith('image/'))
    if (!picture) return
    const body = new FormData()
    body.set('image', picture)
    if (!(await attempt(() => change(url, body, undefined)))) return
    showToast(t('saved'))
    onChanged()
  }
  const drop = useFileDrop(upload)
  useEffect(() => {
    if (!canChange) return
    const paste = (event: ClipboardEvent) => {
      // a picture pasted over an open dialog is not meant for the page behind it
      if (!isTyping(event.target) && !document.querySelector('dialog[open]')) upload(event.clipboardData?.files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [canChange, url])
  const markMissing = () => {
    missingImage.value = image
  }
  const content = isAvailable ? (
    <img src={toFileUrl(image)} alt={t('parts.picture-of', { name })} onError={markMissing} />
  ) : (
    <Icon name="chip" />
  )
  if (!canChange) return isAvailable ? <div class="picture">{content}</div> : null
  return (
    <>
      <button
        type="button"
        class={drop.isOver ? 'picture over' : 'picture'}
        aria-label={isAvailable ? t('parts.change-picture') : t('parts.add-picture')}
        title={t('parts.picture-hint')}
        onClick={() => fileInput.current?.click()}
        {...drop.handlers}
      >
        {content}
      </button>
      <input ref={fileInput} type="file" accept="image/*" hidden onChange={(event) => upload(event.currentTarget.files)} />
    </>
  )
}
