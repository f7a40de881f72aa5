import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { measureProcessorTime } from '../../testing/timing.ts'
import { computeBarcodeKey, hashBarcode, trimCode } from './barcode-hash.ts'
import { samples } from './sample-codes.ts'

describe('the hash of a code', () => {
  it('is the one by which printed labels are linked', () => {
    const hashes: Record<string, string> = {
      abcdefg: '7ac66c0f148de9519b8bd264312c4d64',
      ABCDEFG: 'bb747b3df3130fe1ca4afa93fb7d97c9',
      '1234567': 'fcea920f7412b5da7be0cf42b8c93759',
      '{"part": 17, "stockitem": 12}': 'c88c11ed0628eb7fef0d59b098b96975',
      '{"blbla": 10007}': '2f5dba5c83a360599ba7665b2a4131c6',
      'xyz-123': 'bc39d07e9a395c7b5658c231bf910fae',
      '555555555555555555555555': '4aa63f5e55e85c1f842796bf74896dbb',
      'blbla=10004': '9e5ae7fc20568ed4814c10967bba8b65',
      [samples.digikey]: '9a599c571f304b44fe32c466c5142a1e',
      [samples.digikeyBy30P]: '7dde8c4c0f84704e503dc1010208edef',
      [samples.digikeyNonsense]: 'a7e4a06f89efe50d9f164df5f6add862',
      [samples.mouser]: '7ba170f11aeabf663c63a65f363411b0',
      [samples.oldMouser]: '6cc20b0be1564dc063d723fcebd2d18d',
      [samples.lcsc]: '373ebd42854d7fa105b56dd561d91805',
      [samples.tme]: 'f5959a35ae744c468ea5001aa6dde373',
      [samples.oldTme]: '687f24fd4a3d2e18f53b07bb6210cea9',
    }
    for (const [text, hash] of Object.entries(hashes)) assert.equal(hashBarcode(text), hash, text)
  })

  it('ignores leading and trailing whitespace, and invisible characters', () => {
    for (const text of [
      ' abcdefg\n',
      '\u001cabcdefg\u001f',
      '\u001d abcdefg',
      'abc\u001ddefg',
      'abc\u200bdefg',
      'abc\u007fdefg\ue000',
      '\ufeffabcdefg',
    ])
      assert.equal(hashBarcode(text), hashBarcode('abcdefg'), JSON.stringify(text))
    assert.notEqual(hashBarcode('abc defg'), hashBarcode('abcdefg'))
  })

  it('takes linear time, even with much whitespace in the middle', async () => {
    const text = `x${'\t'.repeat(500_000)}x`
    // it would take minutes if the search restarted at each whitespace character
    assert.ok((await measureProcessorTime(() => assert.equal(trimCode(` ${text}\u001f`), text))) < 5_000)
  })
})

describe('the key of a code', () => {
  it('is the hash of most codes', () => {
    for (const text of [...Object.values(samples), 'abcdefg', '{"part": 1}']) {
      if (text !== samples.oldMouser) assert.equal(computeBarcodeKey(text), hashBarcode(text), text)
    }
  })

  it('is the same whatever characters a scanner sends as separators', () => {
    const field = fc.stringMatching(/^[A-Z0-9][A-Z0-9-]{0,12}$/)
    const spellings = [
      ['{RS}', '{GS}', '{RS}{EOT}'],
      ['<RS>', '<GS>', '<RS><EOT>'],
      ['[rs]', '[gs]', '[rs][eot]'],
      ['\u241e', '\u241d', '\u241e\u2404'],
      ['\uf01e', '\uf01d', '\uf01e\uf004'],
      ['\\x1e', '\\x1d', '\\x1e\\x04'],
      ['\\u001e', '\\u001d', ''],
      ['^', ']', '^'],
      ['^^', '^]', '^^^D'],
      ['', '\u001d', ''],
      ['', ']', ''],
    ] as const
    fc.assert(
      fc.property(
        fc.array(field, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...spellings),
        (fields, [record, group, end]) => {
          const real = `[)>\u001e06\u001d${fields.join('\u001d')}\u001e\u0004`
          assert.equal(computeBarcodeKey(`[)>${record}06${group}${fields.join(group)}${end}`), computeBarcodeKey(real))
        },
      ),
    )
  })

  it('is the same for every notation of a GS1 code, and differs by product, batch and serial number', () => {
    const forms = [
      '010950600013435217281231',
      ']C1010950600013435217281231',
      ']d217281231\u001d0109506000134352',
      '(01)09506000134352(17)281231',
      '(17)281231(01)09506000134352',
      'https://id.gs1.org/01/09506000134352?17=281231',
      'https://example.com/x/01/9506000134352?17=281231&utm=y',
    ]
    const serials = forms.flatMap((form) => [
      form.includes('?') ? `${form}&21=A` : form.startsWith('(') ? `${form}(21)A` : `${form}21A`,
    ])
    for (const group of [forms, serials, ['9506000134352', '09506000134352', '(01)09506000134352', '0109506000134352']])
      assert.equal(new Set(group.map(computeBarcodeKey)).size, 1, JSON.stringify(group))
    const otherTexts = [
      '(01)09506000134352',
      '(01)00036000291452',
      '(01)09506000134352(10)A',
      '(01)09506000134352(21)A',
      '0109506000134353',
    ]
    assert.equal(new Set(otherTexts.map(computeBarcodeKey)).size, otherTexts.length)
  })

  it('leaves literal brackets and arrows unchanged', () => {
    for (const text of ['a]b^c', '[x]', 'P1]2', '{"part": [1]}']) assert.equal(computeBarcodeKey(text), hashBarcode(text))
  })
})
