import { signal } from '@preact/signals'
import { Icon } from './icon.tsx'
import { t } from './language.ts'

type Toast = { id: number; text: string; isBad: boolean }

const toasts = signal<readonly Toast[]>([])
let last = 0

/** How long good news is shown, in milliseconds. Bad news stays until it is closed. */
const SHOWN = 4_000

const close = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Says in a line what was done. */
export function tell(text: string): void {
  const id = ++last
  toasts.value = [...toasts.value.slice(-2), { id, text, isBad: false }]
  setTimeout(() => close(id), SHOWN)
}

/** Says what went wrong: once, where several reads of a page fail alike. */
export function warn(text: string): void {
  const others = toasts.value.filter((toast) => toast.text !== text)
  toasts.value = [...others.slice(-2), { id: ++last, text, isBad: true }]
}

/** Where they are shown: once, in the shell. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, text, isBad }) => (
      <p key={id} class={isBad ? 'toast bad' : 'toast'}>
        <Icon name={isBad ? 'warning' : 'check'} />
        <span>{text}</span>
        <button type="button" class="quiet icon-only" aria-label={t('close')} onClick={() => close(id)}>
          <Icon name="close" />
        </button>
      </p>
    ))}
  </div>
)
