import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { waitUntil } from '../../../testing/until.ts'
import { cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { workshop } from '../../testing/deliveries.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()
const { place, part, stock } = workshop(service)
const shelf = await place('Shelf 3')
const item = await stock(await part('Lamp'), 5, shelf)

/** Collects the codes that the page sends, in order. */
function recordSentCodes(page: Page): string[] {
  const codes: string[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/barcode/batch/')) return
    const { items } = request.postDataJSON() as { items: { barcode: string }[] }
    codes.push(...items.map(({ barcode }) => barcode))
  })
  return codes
}

const waitForFocus = (page: Page) => page.waitForFunction(() => document.activeElement?.matches('input[data-codes]'))

describe('the field of the scan station', { skip: cannotBrowse }, () => {
  it('reads 200 of 200 scans in full, with symbology prefixes and separators', {
    timeout: scaleTimeout(300_000),
  }, async () => {
    const page = await openConsole(service, 'member', '/scan/')
    await waitForFocus(page)
    const sentCodes = recordSentCodes(page)
    const scannedCodes = Array.from({ length: 50 }, (_, index) => [
      `]C10104006381333931${index + 100}\u001d10A${index}`,
      `]d20104006381333931\u001d21${index}XYZ`,
      `]E04006381333${index + 100}`,
      `[)>\u001e06\u001dP${index}-ND\u001dQ1${index}\u001e\u0004`,
    ]).flat()
    for (const [index, code] of scannedCodes.entries())
      await scanCode(page, code, index % 3 === 0 ? 'Tab' : 'Enter', index % 7 === 0 ? 0.12 : 0.001)
    const field = page.locator('input[data-codes]')
    await waitUntil(async () => sentCodes.length >= scannedCodes.length, 'all codes to be sent').catch(() => {})
    assert.deepEqual(sentCodes, scannedCodes)
    assert.equal(await field.inputValue(), '')
    await capturePage(page, 'scan-field')
  })

  it('accepts a code without an end key', async () => {
    const page = await openConsole(service, 'member', '/scan/')
    await waitForFocus(page)
    const sentCodes = recordSentCodes(page)
    await scanCode(page, `{"stockitem": ${item}}`, undefined)
    await page.locator('.scan-newest').getByText('Lamp').waitFor()
    assert.deepEqual(sentCodes, [`{"stockitem": ${item}}`])
    // people type slowly, and press Enter
    await page.keyboard.type('INV-SL')
    await page.keyboard.type(String(shelf))
    await page.keyboard.press('Enter')
    await page.locator('.scan-newest').getByText('Shelf 3').waitFor()
    assert.deepEqual(sentCodes, [`{"stockitem": ${item}}`, `INV-SL${shelf}`])
  })

  it('keeps the focus while modes are changed by keys that no code contains', async () => {
    const page = await openConsole(service, 'superuser', '/scan/')
    await waitForFocus(page)
    const sentCodes = recordSentCodes(page)
    for (const [index, mode] of ['receive', 'move', 'count', 'pick', 'link', 'look-up'].entries()) {
      await page.keyboard.press(`Alt+${((index + 1) % 6) + 1}`)
      await page.waitForURL(`**/scan/${mode}/`)
      await waitForFocus(page)
    }
    // the digits of a code do not change the mode
    await scanCode(page, '123456123456', 'Enter', 0.2)
    await page.locator('.scan-newest').getByText('123456123456').waitFor()
    assert.match(page.url(), /look-up/)
    assert.deepEqual(sentCodes, ['123456123456'])
    await page.getByLabel('Sound').click()
    await waitForFocus(page)
    await page.keyboard.press('?')
    assert.equal(await page.locator('input[data-codes]').inputValue(), '?')
  })
})
