import type { Page } from 'playwright-core'

/** The keys that scanners send with Ctrl for control characters. */
const CONTROLS: Readonly<Record<string, { key: string; code: string; virtual: number }>> = {
  '\u001d': { key: ']', code: 'BracketRight', virtual: 221 },
  '\u001e': { key: '^', code: 'Digit6', virtual: 54 },
  '\u0004': { key: 'd', code: 'KeyD', virtual: 68 },
}
const CTRL = 2

/** Seconds between two keys of a scanner. */
const KEY_INTERVAL_SECONDS = 0.001

/**
 * Scans a code like a keyboard scanner, into the element that has the focus. The keys have explicit timestamps, so that a busy machine does
 * not make them look typed. Presses the end key after the code.
 * @param pace seconds between two keys
 */
export async function scanCode(
  page: Page,
  code: string,
  end: 'Enter' | 'Tab' | undefined = 'Enter',
  pace = KEY_INTERVAL_SECONDS,
): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const seconds = (code.length + 1) * pace
  // timestamps before the page was loaded are impossible
  const age = await page.evaluate(() => performance.now() / 1000)
  if (age < seconds) await page.waitForTimeout((seconds - age) * 1000)
  // the real time: a browser does not survive a key from another year, and tests may stop the clock
  let timestamp = (performance.timeOrigin + performance.now()) / 1000 - seconds
  const press = (key: string, code: string, virtual: number, modifiers: number, text?: string) => {
    timestamp += pace
    return (['keyDown', 'keyUp'] as const).map((type) =>
      session.send('Input.dispatchKeyEvent', {
        timestamp,
        type: type === 'keyDown' && text === undefined ? 'rawKeyDown' : type,
        key,
        code,
        modifiers,
        windowsVirtualKeyCode: virtual,
        ...(type === 'keyDown' ? { text } : {}),
      }),
    )
  }
  const sent: Promise<unknown>[] = []
  for (const character of code) {
    const control = CONTROLS[character]
    if (control) sent.push(...press(control.key, control.code, control.virtual, CTRL))
    else sent.push(...press(character, '', 0, 0, character))
  }
  if (end === 'Enter') sent.push(...press('Enter', 'Enter', 13, 0, '\r'))
  if (end === 'Tab') sent.push(...press('Tab', 'Tab', 9, 0))
  await Promise.all(sent)
  await session.detach()
}
