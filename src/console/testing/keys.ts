import type { Page } from 'playwright-core'

/** Presses keys on a page and counts them, as some tests limit how many a task takes. */
export function createKeyCounter(page: Page) {
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
 * Presses Enter as soon as a button has the focus. Runs in the browser, as a key sent by the test would arrive later.
 * @returns whether the page ignored it
 */
export const pressEnterImmediately = (page: Page, button: string): Promise<boolean> =>
  page.evaluate(
    (name) =>
      new Promise<boolean>((resolve) => {
        const press = ({ target }: FocusEvent) => {
          if (!(target instanceof HTMLButtonElement) || target.innerText.trim() !== name) return
          document.removeEventListener('focusin', press)
          // the key listener of the button is registered after the focus event
          setTimeout(() => {
            const key = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
            resolve(!target.dispatchEvent(key))
          })
        }
        document.addEventListener('focusin', press)
      }),
    button,
  )
