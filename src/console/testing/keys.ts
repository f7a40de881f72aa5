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
