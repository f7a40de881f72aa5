import { effect, signal } from '@preact/signals'

/** Light or dark: the system's setting, unless one is selected. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const STORAGE_KEY = 'stockroom.theme'
const storedTheme = localStorage.getItem(STORAGE_KEY) as Theme | null

/** The selected theme; it is stored in the browser. */
export const theme = signal<Theme>(storedTheme && THEMES.includes(storedTheme) ? storedTheme : 'system')

effect(() => {
  document.documentElement.dataset.theme = theme.value
  localStorage.setItem(STORAGE_KEY, theme.value)
})
