import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRenderer, noLibrary } from '../../../resources/printing/fixture.ts'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { testService } from '../../../testing/service.ts'
import type { Print } from '../../rendering.ts'
import { TemplateError } from '../../rendering.ts'

const service = await testService()
const { texts } = createRenderer(service)
const text = async (source: string, print: Partial<Print> = {}) => (await texts(source, print))[0]

/** Asserts the output of each template. */
async function assertOutputs(expected: Record<string, string>, print: Partial<Print> = {}): Promise<void> {
  for (const [source, output] of Object.entries(expected)) assert.equal(await text(`{{ ${source} }}`, print), output, source)
}
const assertRejected = (source: string, message: RegExp, print: Partial<Print> = {}) =>
  assert.rejects(text(`{{ ${source} }}`, print), (error) => error instanceof TemplateError && message.test(error.message))

describe('filters of numbers', () => {
  it('calculate exactly', async () => {
    await assertOutputs({
      '0.1 | plus: 0.2': '0.3',
      '"12345678901234.12345" | plus: "0.00001"': '12345678901234.12346',
      '3 | minus: 0.9': '2.1',
      '"0.1" | times: 3': '0.3',
      '1 | divided_by: 8': '0.125',
      '7 | modulo: -3': '-2',
      '2.5 | round': '3',
      '-2.345 | round: 2': '-2.35',
      '2.1 | ceil': '3',
      '-2.1 | floor': '-3',
      '-2.1 | abs': '2.1',
      '2 | at_least: 3.5': '3.5',
      '2 | at_most: 1': '1',
      'missing | plus: 1': '1',
    })
    await assertRejected('"x" | plus: 1', /"x" is not a number/)
    await assertRejected('1 | modulo: 0', /Division by zero/)
  })

  it('sum lists, or a property of their entries', async () => {
    const extra = () => ({ list: [{ a: '0.1' }, { a: '0.2' }, { b: 1 }] })
    await assertOutputs({ 'list | sum: "a"': '0.3' }, { extra })
  })

  it('format numbers and units', async () => {
    await assertOutputs({
      '"2.50000" | number': '2.5',
      '1234567.5 | number: 2, grouped: true': '1,234,567.50',
      '7 | number: leading: 4': '0007',
      '-7.25 | number: 1, leading: 3': '-007.3',
      '"none" | number': 'none',
      '"1.500" | units: "m"': '1.5 m',
      '"1.500" | units: missing': '1.5',
      'missing | units: "m"': '',
    })
  })
})

describe('money', () => {
  it('is formatted as people write it, with the decimals of its currency and of the settings', async () => {
    await assertOutputs({
      '"1234.500000" | money: "EUR"': '€1,234.50',
      '"0.012345" | money: "USD"': '$0.012345',
      '"-3" | money: "GBP"': '-£3.00',
      '"500" | money: "JPY"': '¥500',
      '"5" | money: "CHF"': 'CHF 5.00',
      '"5" | money: "EUR", symbol: false': '5.00',
      '"5" | money: "EUR", symbol: "code"': '5.00 EUR',
      '"5.555" | money: "EUR", decimals: 2': '€5.56',
      '"1234567890123.123456" | money: "EUR"': '€1,234,567,890,123.123456',
      'missing | money: "EUR"': '-',
      '"1" | money': '$1.00',
    })
    await createPurchaseHelpers(service).setting('PRICING_DECIMAL_PLACES_MIN', '4')
    await assertOutputs({ '"1.5" | money: "EUR"': '€1.5000' })
  })
})

describe('dates', () => {
  it('are formatted by a pattern, and in a time zone', async () => {
    await assertOutputs({
      '"2026-03-02" | date': '2026-03-02',
      '"2026-03-02" | date: "%d.%m.%Y", timezone: "America/Lima"': '02.03.2026',
      '"2026-07-01T22:30:00Z" | datetime': '2026-07-01 22:30',
      '"2026-07-01T22:30:00Z" | datetime: timezone: "Europe/Berlin"': '2026-07-02 00:30',
      '"2026-01-01T03:30:00Z" | datetime: timezone: "America/St_Johns"': '2026-01-01 00:00',
      '"2026-07-01T22:30:00Z" | date: "%H", timezone: "Nowhere/At_All"': '22',
      'missing | date': '',
      '"soon" | date': 'soon',
    })
    await assertRejected('"2026-03-02" | date: "%Q"', /not a date format/)
  })
})

describe('settings', () => {
  it('are those of the service', async () => {
    await assertOutputs({ '"INVENTREE_COMPANY_NAME" | setting': 'My company name' })
    for (const key of ['NOTHING', 'constructor', '__proto__'])
      await assertRejected(`"${key}" | setting`, /The global setting .* does not exist/)
  })
})

describe('pictures and assets', () => {
  const library = {
    ...noLibrary,
    asset: async (name: string) => (name === 'logo äé.png' ? 'report/assets/logo äé.png' : undefined),
  }

  it('are addresses within the printed document', async () => {
    const extra = () => ({
      map: { image: '/media/part/1/secret.pdf' },
      pictured: { pk: 1, image: '/media/part_images/a b.png', thumbnail: '/media/part_images/a b.thumbnail.png' },
    })
    await assertOutputs(
      {
        'pictured | image': 'https://stockroom.invalid/media/part_images/a%20b.png',
        'pictured | thumbnail': 'https://stockroom.invalid/media/part_images/a%20b.thumbnail.png',
        'missing | image': 'https://stockroom.invalid/static/img/blank_image.png',
        'map | image': 'https://stockroom.invalid/static/img/blank_image.png',
        '"/media/part/1/secret.pdf" | image': 'https://stockroom.invalid/static/img/blank_image.png',
        '"logo äé.png" | asset': 'https://stockroom.invalid/media/report/assets/logo%20%C3%A4%C3%A9.png',
      },
      { extra, library },
    )
    for (const name of ['other.png', '../logo äé.png', '/etc/passwd'])
      await assertRejected(`"${name}" | asset`, /The asset .* does not exist/, { library })
  })
})

describe('documents in a language', () => {
  it('have its texts, dates, numbers and amounts', async () => {
    await createPurchaseHelpers(service).setting('PRICING_DECIMAL_PLACES_MIN', '0')
    await assertOutputs({
      '"Delivery note" | translate: "de"': 'Lieferschein',
      '"Delivery note" | translate: "en"': 'Delivery note',
      '"Something else" | translate: "de"': 'Something else',
      '"constructor" | translate: "de"': 'constructor',
      '"2026-03-02" | date: language: "de"': '02.03.2026',
      '"2026-03-02" | date: language: "en"': '2 Mar 2026',
      '"2026-03-02" | date: language: "xx"': '2026-03-02',
      '"2026-03-02" | date: "%Y", language: "de"': '2026',
      '"2026-07-01T22:30:00Z" | datetime: language: "de", timezone: "Europe/Berlin"': '02.07.2026, 00:30',
      '"1234567.50" | number: language: "de"': '1.234.567,5',
      '"1.500" | units: "m", language: "de"': '1,5 m',
      '"1234.5" | money: "EUR", language: "de"': '1.234,50 €',
      '"-1234.5" | money: "EUR", language: "en"': '-€1,234.50',
      '"5" | money: "CHF", language: "de"': '5,00 CHF',
      '"0.012345" | money: "EUR", decimals: "currency"': '€0.01',
      '"1234.5" | money: "JPY", decimals: "currency", language: "de"': '1.235 ¥',
    })
  })

  it('are in that of the settings', async () => {
    assert.equal(await text('{{ language }}'), 'en')
    await createPurchaseHelpers(service).setting('DOCUMENT_LANGUAGE', 'de')
    assert.equal(await text('{{ "Page" | translate: language }}'), 'Seite')
    // a template for recipients with another language
    assert.equal(await text('{% assign language = "en" %}{{ "Page" | translate: language }}'), 'Page')
  })

  it('name the sender as the settings do, line by line', async () => {
    const { setting } = createPurchaseHelpers(service)
    await setting('DOCUMENT_ADDRESS', 'Lane <1>\n\n Town ')
    await setting('DOCUMENT_TAX_ID', 'DE 1')
    assert.equal(
      await text('{{ sender.name }}|{{ sender.address | join: "/" }}|{{ sender.contact | size }}|{{ sender.tax_id }}'),
      'My company name|Lane &lt;1&gt;/Town|0|DE 1',
    )
  })
})
