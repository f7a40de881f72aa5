import { effect, signal } from '@preact/signals'

/** Light or dark: the system's setting, unless one is selected. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEPT = 'stockroom.theme'
const kept = localStorage.getItem(KEPT) as Theme | null

/** The selected theme; it is stored in the browser. */
export const theme = signal<Theme>(kept && THEMES.includes(kept) ? kept : 'system')

effect(() => {
  document.documentElement.dataset.theme = theme.value
  localStorage.setItem(KEPT, theme.value)
})
