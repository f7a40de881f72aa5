import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { t } from '../language/language.ts'
import { Icon } from '../page/icon.tsx'

type Properties = {
  text: string
  /** The element that shows the text. */
  source: RefObject<HTMLElement | null>
}

/** Copies a text. Where the browser does not allow that, such as without https, it selects the text and says which keys copy it. */
export function CopyButton({ text, source }: Properties) {
  const outcome = useSignal<'copied' | 'selected' | undefined>(undefined)
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      outcome.value = 'copied'
    } catch {
      select(source.current)
      outcome.value = 'selected'
    }
  }
  return (
    <>
      <button type="button" onClick={copy}>
        <Icon name={outcome.value === 'copied' ? 'check' : 'file'} />
        {t(outcome.value === 'copied' ? 'account.copied' : 'account.copy')}
      </button>
      <p class="copy-hint" role="status">
        {outcome.value === 'selected' && t('account.copy-denied')}
      </p>
    </>
  )
}

function select(element: HTMLElement | null): void {
  if (element instanceof HTMLInputElement) {
    element.focus()
    element.select()
  } else if (element) getSelection()?.selectAllChildren(element)
}
