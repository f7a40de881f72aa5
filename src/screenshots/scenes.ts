import type { Page } from 'playwright-core'
import { scanCode } from '../console/testing/scanner.ts'

/** A picture of a page of the service, as the owner of the demo workshop sees it. */
export type PageScene = {
  path: string
  /** A text that the page shows once it is complete. */
  text: string
  colors?: 'dark'
  /** A phone, in place of a desktop. */
  isPhone?: boolean
  /** Height of the window in pixels, if it differs from that of other pictures. */
  height?: number
  /** Brings the page into the state of the picture. */
  prepare?(page: Page): Promise<unknown>
}
/** A picture of a printed document: its first page. */
export type PrintScene = {
  /** The list of templates, and the name of the one that is printed. */
  templates: string
  template: string
  /** The printed objects, as a query. */
  query: string
  dpi: number
}

/** Scans objects of the workshop one after the other, each once the station shows the result of the one before. */
const scan =
  (...scans: readonly (readonly [code: string, result: string])[]) =>
  async (page: Page) => {
    for (const [code, result] of scans) {
      await scanCode(page, code)
      await page.locator('.scan-newest').getByText(result).waitFor()
    }
  }

/** Types counted quantities into the first fields of a count sheet. */
const countItems =
  (...quantities: readonly string[]) =>
  async (page: Page) => {
    const fields = page.locator('.editable-grid input')
    for (const [index, quantity] of quantities.entries()) {
      await fields.nth(index).fill(quantity)
      await fields.nth(index).press('Enter')
    }
    await page.getByText(`${quantities.length} of`).waitFor()
  }

/** The pictures of the documentation, by name, in their order: those that change the workshop are last. */
export const scenes: Readonly<Record<string, PageScene | PrintScene>> = {
  home: { path: '/', text: 'Wood glue' },
  'home-dark': { path: '/', text: 'Wood glue', colors: 'dark' },
  'home-phone': { path: '/', text: 'Wood glue', isPhone: true },
  parts: { path: '/part/', text: 'Audio cable' },
  part: { path: '/part/7/', text: '30 weeks' },
  bom: { path: '/part/23/bom/', text: 'USB-C socket' },
  stock: { path: '/stock/?in_stock=true', text: 'Capacitor 10 µF' },
  count: { path: '/stock/count/7/', text: '0 of', height: 640, prepare: countItems('29', '48', '60', '25', '50', '21') },
  order: { path: '/order/purchase-order/9/', text: 'Voltage regulator' },
  receive: { path: '/order/purchase-order/9/receive/', text: 'Voltage regulator', height: 500 },
  build: { path: '/build/4/', text: 'Rubber foot' },
  api: {
    path: '/api-doc/',
    text: 'Introduction',
    prepare: async (page) => {
      await page.getByText('Barcodes').first().click()
      await page.getByText('Process a batch of scans').first().waitFor()
    },
  },
  label: { templates: '/api/label/part/', template: 'Part Label', query: 'parts=7', dpi: 300 },
  'order-pdf': { templates: '/api/report/po/', template: 'InvenTree Purchase Order', query: 'orders=9', dpi: 120 },
  'scan-phone': {
    path: '/scan/move/',
    text: 'Ready to scan',
    isPhone: true,
    height: 680,
    prepare: scan(['{"stocklocation": 9}', 'Shelf A'], ['{"stockitem": 112}', 'Moved 60'], ['{"stockitem": 111}', 'Moved 160']),
  },
  scan: {
    path: '/scan/pick/?build=4',
    text: '0 of 36',
    height: 900,
    prepare: scan(
      ['{"stockitem": 70}', 'Display 1.3 inch'],
      ['{"stockitem": 72}', 'Loudspeaker 28 mm'],
      ['{"stockitem": 68}', 'Potentiometer 10 kΩ'],
      ['{"stockitem": 94}', 'Wren front panel'],
    ),
  },
}
