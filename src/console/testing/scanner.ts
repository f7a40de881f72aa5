import type { Page } from 'playwright-core'

/** The keys that scanners send for control characters, with Ctrl. */
const CONTROLS: Readonly<Record<string, { key: string; code: string; virtual: number }>> = {
  '\u001d': { key: ']', code: 'BracketRight', virtual: 221 },
  '\u001e': { key: '^', code: 'Digit6', virtual: 54 },
  '\u0004': { key: 'd', code: 'KeyD', virtual: 68 },
}
const CTRL = 2

/**
 * Scans a code: its keys come as those of a scanner that types, without a pause between them, whatever has the focus. What follows it is
 * pressed too.
 */
export async function scanCode(page: Page, code: string, end: 'Enter' | 'Tab' | undefined = 'Enter'): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const press = (key: string, code: string, virtual: number, modifiers: number, text?: string) =>
    (['keyDown', 'keyUp'] as const).map((type) =>
      session.send('Input.dispatchKeyEvent', {
        type: type === 'keyDown' && text === undefined ? 'rawKeyDown' : type,
        key,
        code,
        modifiers,
        windowsVirtualKeyCode: virtual,
        ...(type === 'keyDown' ? { text } : {}),
      }),
    )
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
