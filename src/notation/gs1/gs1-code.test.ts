import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { hasCheckDigit } from './check-digit.ts'
import { parseDay, parseGs1 } from './gs1-code.ts'

const gtin = '09506000134352'

describe('a GS1 code', () => {
  it('is parsed in each of its forms', () => {
    const expected = { gtin, batch: 'ABC123', serial: 'XYZ1', expiry: '2028-12-31', count: '12' }
    const forms = [
      `]C101${gtin}17281231${'30'}12\u001d10ABC123\u001d21XYZ1`,
      `]d201${gtin}1728123110ABC123\u001d21XYZ1\u001d3012`,
      `01${gtin}1728123110ABC123\u001d21XYZ1\u001d3012`,
      `01${gtin}1728123110ABC123{GS}21XYZ1<GS>3012`,
      `(01)${gtin}(17)281231(10)ABC123(21)XYZ1(30)12`,
      `https://id.gs1.org/01/${gtin}/10/ABC123/21/XYZ1?17=281231&30=12&utm=x`,
      `https://example.com/shop/01/9506000134352/10/ABC123/21/XYZ1?17=281231&30=00000012`,
      `[)>\u001e05\u001d01${gtin}\u001d17281231\u001d10ABC123\u001d21XYZ1\u001d3012\u001e\u0004`,
    ]
    for (const form of forms) assert.deepEqual(parseGs1(form), expected, form)
  })

  it('is a GTIN if it has eight, twelve, thirteen or fourteen digits', () => {
    for (const [text, full] of [
      ['9506000134352', gtin],
      [gtin, gtin],
      ['036000291452', '00036000291452'],
      ['96385074', '00000096385074'],
    ] as const)
      assert.deepEqual(parseGs1(text), { gtin: full })
  })

  it('is rejected for a wrong check digit, an unknown identifier, a value of the wrong length, or two values for one identifier', () => {
    const invalidCodes = [
      '9506000134353',
      '01' + '09506000134353',
      `]C1${'00'}106141412345678909`,
      `]C105${gtin}`,
      `]C101${gtin}1728123`,
      `]C101${gtin}10`,
      `]C101${gtin}17281332`,
      `(01)${gtin}(10)A(10)B`,
      `https://id.gs1.org/01/${gtin}/10`,
      `https://id.gs1.org/01/${gtin}/10/%E0%A4%A`,
      '123456',
      'https://example.com/',
      '',
    ]
    for (const text of invalidCodes) assert.equal(parseGs1(text), undefined, text)
  })

  it('returns the net measure with its unit, for any number of decimals', () => {
    for (const [element, measure] of [
      ['3103001250', '1.250 kg'],
      ['3100000012', '12 kg'],
      ['3106123456', '0.123456 kg'],
      ['3109123456', '0.000123456 kg'],
      ['3202000250', '2.50 lb'],
      ['3111000125', '12.5 m'],
      ['3152000075', '0.75 l'],
    ] as const)
      assert.deepEqual(parseGs1(`]C101${gtin}${element}10A`), { gtin, measure, batch: 'A' }, element)
    // the gross weight and the area of a carton are ignored
    assert.deepEqual(parseGs1(`]C101${gtin}3302000250`), { gtin })
  })

  it('expires on the use-by date, otherwise on the best-before date', () => {
    assert.equal(parseGs1(`]C101${gtin}15281231`)?.expiry, '2028-12-31')
    assert.equal(parseGs1(`]C101${gtin}15280200`)?.expiry, '2028-02-29')
    assert.equal(parseGs1(`]C101${gtin}1528123117290101`)?.expiry, '2029-01-01')
    assert.equal(parseGs1(`]C101${gtin}11281231`)?.expiry, undefined)
    assert.equal(parseGs1(`]C101${gtin}15281332`), undefined)
  })

  it('may contain a logistic unit or an order', () => {
    assert.deepEqual(parseGs1(']C100106141412345678908'), { sscc: '106141412345678908' })
    assert.deepEqual(parseGs1(`]C101${gtin}400PO-0042`), { gtin, order: 'PO-0042' })
  })

  it('never fails, whatever its content', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void parseGs1(text)))
    const elements = fc.array(fc.stringMatching(/^\d{0,6}[0-9A-Z()]{0,20}$/), { maxLength: 5 })
    fc.assert(fc.property(elements, (texts) => void parseGs1(`]C1${texts.join('\u001d')}`)))
  })
})

describe('a date of six digits', () => {
  it('is in the nearest century', () => {
    const now = new Date('2026-11-22')
    assert.equal(parseDay('281231', now), '2028-12-31')
    assert.equal(parseDay('760101', now), '2076-01-01')
    assert.equal(parseDay('770101', now), '1977-01-01')
    assert.equal(parseDay('280200', now), '2028-02-29')
    assert.equal(parseDay('270229', now), undefined)
  })
})

describe('a check digit', () => {
  it('detects a wrong digit', () => {
    fc.assert(
      fc.property(fc.nat(13), fc.integer({ min: 1, max: 9 }), (index, difference) => {
        const digits = [...gtin]
        digits[index] = String((Number(digits[index]) + difference) % 10)
        assert.equal(hasCheckDigit(digits.join('')), false)
      }),
    )
  })
})
