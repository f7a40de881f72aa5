import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { change, fileAddress, Refusal } from '../../kit/api.ts'
import { Icon } from '../../kit/icon.tsx'
import { isTyping } from '../../kit/keys.ts'
import { t } from '../../kit/language.ts'
import { tell, warn } from '../../kit/toast.tsx'

type Properties = {
  /** The address of the object. */
  url: string
  image: string | null
  name: string
  mayChange: boolean
  onChanged: () => void
}

/** The picture of an object. Another is dropped on it, pasted, or chosen by a press. */
export function Picture({ url, image, name, mayChange, onChanged }: Properties) {
  const chooser = useRef<HTMLInputElement>(null)
  const isOver = useSignal(false)
  async function put(files: Iterable<File> | undefined | null): Promise<void> {
    const picture = [...(files ?? [])].find(({ type }) => type.startsWith('image/'))
    if (!picture) return
    const body = new FormData()
    body.set('image', picture)
    try {
      await change(url, body, undefined)
      tell(t('saved'))
      onChanged()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(error.fields.image?.join(' ') ?? error.message)
    }
  }
  useEffect(() => {
    if (!mayChange) return
    const paste = (event: ClipboardEvent) => {
      // what is pasted over a window that is open is not meant for what is behind it
      if (!isTyping(event.target) && !document.querySelector('dialog[open]')) put(event.clipboardData?.files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [mayChange, url])
  const shown = image ? <img src={fileAddress(image)} alt={t('parts.picture-of', { name })} /> : <Icon name="chip" />
  if (!mayChange) return image ? <div class="picture">{shown}</div> : null
  return (
    <>
      <button
        type="button"
        class={isOver.value ? 'picture over' : 'picture'}
        aria-label={image ? t('parts.change-picture') : t('parts.add-picture')}
        title={t('parts.picture-hint')}
        onClick={() => chooser.current?.click()}
        onDragOver={(event) => {
          event.preventDefault()
          isOver.value = true
        }}
        onDragLeave={() => {
          isOver.value = false
        }}
        onDrop={(event) => {
          event.preventDefault()
          isOver.value = false
          put(event.dataTransfer?.files)
        }}
      >
        {shown}
      </button>
      <input ref={chooser} type="file" accept="image/*" hidden onChange={(event) => put(event.currentTarget.files)} />
    </>
  )
}
