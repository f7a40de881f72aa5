import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { pino } from 'pino'
import { readPdf } from '../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../testing/printing.ts'
import { testService } from '../testing/service.ts'
import { ChromiumPrinter } from './browser/printer.ts'
import { renderDocument } from './document.ts'
import { buildFontStyle, FONT_FAMILIES, readFontFile, splitByFamily } from './fonts.ts'
import { parseItem } from './item.ts'

const service = await testService(await preparePrinting())
const printer = new ChromiumPrinter({ config: service.app.routes.services.config, log: pino({ level: 'silent' }) })
after(() => printer.stop())

const WORDS = ['贴片', 'مقاوم', '저항', 'コンデンサ']
/** Prints a document; returns its text and its missing characters. */
async function printDocument(html: string, names = FONT_FAMILIES) {
  const missingCharacters = new Set<string>()
  const pdf = await printer.pdf({
    html: renderDocument([parseItem(html)], { width: 200, height: 100, isLabel: false }),
    page: { width: 200, height: 100 },
    async resource(url) {
      const file = await readFontFile(url)
      return file && { type: file.type, body: file.bytes }
    },
    typefaces: names ? { names, split: splitByFamily } : undefined,
    missing(characters) {
      for (const one of characters) missingCharacters.add(one)
    },
  })
  const [page] = await readPdf(pdf)
  return { text: page?.text ?? '', missing: [...missingCharacters].join('') }
}
const sampleText = WORDS.join(' ')

describe('typefaces', { skip: printingUnsupported }, () => {
  for (const [name, html] of Object.entries({
    'no typeface': `<p>${sampleText}</p>`,
    'a list': `<style>body { font-family: Arial, Helvetica, sans-serif }</style><p>${sampleText}</p>`,
    'a list in an element': `<p style="font-family: Arial">${sampleText}</p>`,
    'the short form': `<style>p { font: bold 12pt/1.2 "Times New Roman" }</style><p>${sampleText}</p>`,
    'an important list': `<style>p { font-family: Courier !important }</style><p style="font-family: serif">${sampleText}</p>`,
    'an obsolete element': `<font face="Verdana">${sampleText}</font>`,
    'monospaced text': `<pre>${sampleText}</pre><code>${sampleText}</code><textarea>${sampleText}</textarea>`,
    'a typeface of the browser': `<style>p { font-family: serif } h1 { font-family: "Open Sans" } h2 { font: 12pt system-ui }</style><p>${sampleText}</p><h1>${sampleText}</h1><h2>${sampleText}</h2><p style="font-family: monospace">${sampleText}</p>`,
    formulas: `<math><mi>${sampleText}</mi></math>`,
    'an SVG image': `<svg width="500" height="50"><text y="20" font-family="Arial">${sampleText}</text></svg>`,
    'a variable': `<style>p { --face: Arial; font-family: var(--face) }</style><p>${sampleText}</p>`,
    'a variable in the short form': `<style>p { --face: 12pt Arial; font: var(--face) }</style><p>${sampleText}</p>`,
    'the initial typeface': `<style>p { font-family: initial }</style><p>${sampleText}</p>`,
    'all properties reset': `<style>p { all: initial; display: block }</style><p>${sampleText}</p>`,
    'nested rules': `<style>@media print { @layer a { div { p { font-family: Arial } } } }</style><div><p>${sampleText}</p></div>`,
    'generated content': `<style>p::before { font-family: Arial; content: "${sampleText}" }</style><p></p>`,
    'escaped characters': `<style>p { font-family: Arial } p::before { content: "\\8D34\\7247 " }</style><p>${WORDS.slice(1).join(' ')}</p>`,
    'numeric character references': `<p style="font-family: Arial">&#36148;&#x7247; ${WORDS.slice(1).join(' ')}</p>`,
    'the margin of a page': `<style>@page { @top-center { font-family: Arial; content: "${sampleText}" } }</style><p>x</p>`,
    'the margin of a page without a typeface': `<style>body { font-family: Arial } @page { @top-center { content: "${sampleText}" counter(page) } }</style><p>x</p>`,
    'a linked style sheet': `<link rel="stylesheet" href="data:text/css,p{font-family:Arial}"><p>${sampleText}</p>`,
    'only a typeface of the service': `<style>p { font-family: "Noto Sans Variable" }</style><p>${sampleText}</p>`,
    'elements that are named like properties': `<style>p { font-family: Arial }</style><form name="styleSheets"><input name="style"></form><img name="fonts"><img name="querySelectorAll"><p>${sampleText}</p>`,
  }))
    it(`show every character in a template with ${name}`, async () => {
      const { text: printedText, missing } = await printDocument(html)
      // a character that no typeface has prints as an empty box; Arabic letters are joined, and some consist of two
      for (const word of WORDS.filter((word) => !/\p{Script=Arabic}/u.test(word)))
        assert.ok(printedText.includes(word), printedText)
      assert.match(printedText, /\u0648\u0645/)
      assert.equal(missing, '')
    })

  it('work in the next document, too', async () => {
    const html = (words: string) => `<style>p { font-family: serif }</style><p>${words}</p>`
    assert.match((await printDocument(html('电阻'))).text, /电阻/)
    assert.match((await printDocument(html('电阻 电容'))).text, /电阻 电容/)
  })

  it('report the characters of a text that none of them has', async () => {
    for (const [html, missing] of [
      ['<p>10 k\u03a9 \u00b5 \u00e9 \u2122 \u2192 \u8d34 \uc800</p>', ''],
      ['<p>a \u{1f600} b \u0e01\u0e02</p>', '\u{1f600}\u0e01\u0e02'],
      // Hebrew is in the typeface that the browser includes
      ['<p>\u05e9\u05dc\u05d5\u05dd</p>', ''],
      ['<p style="font-family: Arial">&#x1F600; &zigrarr;</p>', '\u{1f600}\u21dd'],
      [
        '<style>p::before { content: "\\1F600" } @page { @top-left { content: "\u{1f601}" } }</style><p></p>',
        '\u{1f600}\u{1f601}',
      ],
      ['<style>p::before { content: attr(data-x) }</style><p data-x="\u{1f600}" title="\u{1f602}"></p>', '\u{1f600}'],
      ['<style>/* \u{1f600} */</style><p>\ufe0f\u200d\u00ad x</p>', ''],
      // the document's own typeface may have it
      ['<style>@font-face { font-family: Own; src: url(data:font/woff2;base64,) }</style><p>\u{1f600}</p>', ''],
    ] as const)
      assert.deepEqual([...(await printDocument(html)).missing].sort(), [...missing].sort(), html)
  })
})

describe('the font families', () => {
  it('are split by the characters that they have, whatever their style sheets state', () => {
    assert.deepEqual(
      [...splitByFamily('A\u00e9\u0431\u05e9\u0645\u8d34\u30b3\uc800\u{1f330}\u200b ')],
      [
        ["'Noto Sans Variable'", 'A\u00e9\u0431'],
        [undefined, '\u05e9\u{1f330}'],
        ["'Noto Sans Arabic Variable'", '\u0645'],
        ["'Noto Sans SC Variable'", '\u8d34\u30b3'],
        ["'Noto Sans KR Variable'", '\uc800'],
      ],
    )
  })

  it('have every syllable of Korean, and the characters of simplified Chinese', () => {
    const hangul = Array.from({ length: 11_172 }, (_, index) => String.fromCodePoint(0xac00 + index)).join('')
    assert.deepEqual([...splitByFamily(hangul).keys()], ["'Noto Sans KR Variable'"])
    const decoder = new TextDecoder('gbk')
    // the first level of GB 2312
    const chinese = Array.from({ length: 39 * 94 }, (_, index) =>
      decoder.decode(new Uint8Array([0xb0 + Math.floor(index / 94), 0xa1 + (index % 94)])),
    )
    const missing = splitByFamily(chinese.slice(0, 3755).join('')).get(undefined) ?? ''
    assert.deepEqual(missing, '')
  })

  it('are in a document that contains their characters, however these are written', () => {
    const listFamilies = (html: string) =>
      ['Arabic', 'SC', 'KR'].filter((name) => buildFontStyle(html).includes(`Noto Sans ${name} Variable`)).join(' ')
    for (const [html, expected] of [
      ['10 k\u03a9 \u00e9', ''],
      ['\u8d34', 'SC'],
      ['&#36148;', 'SC'],
      ['&#xC800;', 'KR'],
      ['<style>p::before { content: "\\645" }</style>', 'Arabic'],
      ['&rarr;', 'SC'],
      ['\u05e9 \u{1f600}', ''],
    ] as const)
      assert.equal(listFamilies(html), expected, html)
  })
})
