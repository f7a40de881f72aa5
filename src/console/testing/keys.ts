import type { Page } from 'playwright-core'

/** Presses keys on a page, and counts them: a story states how many it takes. */
export function keysOf(page: Page) {
  const keys = {
    pressed: 0,
    async press(...names: string[]): Promise<void> {
      for (const name of names) {
        await page.keyboard.press(name)
        keys.pressed++
      }
    },
    async type(text: string): Promise<void> {
      await page.keyboard.type(text)
      keys.pressed += text.length
    },
  }
  return keys
}

/**
 * Presses Enter as soon as a button has the focus, sooner than a browser far away could be told to.
 * @returns whether the page passed it over
 */
export const enterAtOnce = (page: Page, button: string): Promise<boolean> =>
  page.evaluate(
    (name) =>
      new Promise<boolean>((resolve) => {
        const press = ({ target }: FocusEvent) => {
          if (!(target instanceof HTMLButtonElement) || target.innerText.trim() !== name) return
          document.removeEventListener('focusin', press)
          // what hears keys of the button is there once its focus has been told
          setTimeout(() => {
            const key = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
            resolve(!target.dispatchEvent(key))
          })
        }
        document.addEventListener('focusin', press)
      }),
    button,
  )
