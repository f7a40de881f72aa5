import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import bwip from 'bwip-js/node'
import { pino } from 'pino'
import sharp from 'sharp'
import { loadConfig } from '../../config.ts'
import type { Problem } from '../../kit/request/problem.ts'
import { PRINTED_SITE, type Resource } from '../../kit/services/printer.ts'
import { packageFile } from '../../paths.ts'
import { scanImage } from '../../testing/barcode.ts'
import { type PdfPage, readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { ChromiumPrinter } from './printer.ts'

const printer = new ChromiumPrinter({ config: loadConfig(await preparePrinting()), log: pino({ level: 'silent' }) })
after(() => printer.stop())

const noResource = async () => undefined
const A4 = { width: 210, height: 297 }
const labelSize = { width: 62, height: 29 }

const print = (html: string, page = A4, resource: (url: string) => Promise<Resource | undefined> = noResource) =>
  printer.pdf({ html: `<!doctype html><meta charset="utf-8">${html}`, resource, page })
const getTexts = (pages: PdfPage[]) => pages.map(({ text }) => text)
/** Formats page sizes, rounded to a hundredth of a millimeter. */
const formatSizes = (pages: PdfPage[]) =>
  pages.map(({ width, height }) => `${Number(width.toFixed(2))} x ${Number(height.toFixed(2))}`)

describe('a PDF', { skip: printingUnsupported }, () => {
  it('has the pages of the document, and their text', async () => {
    const pages = await readPdf(await print('<p>Grüße, Ω</p><p style="break-before: page">Zwei</p>'))
    assert.deepEqual(getTexts(pages), ['Grüße, Ω', 'Zwei'])
  })

  for (const [width, height] of [
    [62, 29],
    [24, 24],
    [70, 24],
    [100.5, 33.3],
    [210, 297],
    [215.9, 279.4],
  ] as const)
    it(`is ${width} x ${height} mm, requested by the caller or by its own style`, async () => {
      const pages = await readPdf(await print('<p>1', { width, height }))
      assert.deepEqual(formatSizes(pages), [`${width} x ${height}`])
      const html = `<style>@page { size: ${width}mm ${height}mm; margin: 0 }</style><p>1<p style="break-before: page">2`
      assert.deepEqual(formatSizes(await readPdf(await print(html, { width, height }))), Array(2).fill(`${width} x ${height}`))
    })

  it('prefers the size in the document to the requested one', async () => {
    const pages = await readPdf(await print('<style>@page { size: A5 landscape }</style>', labelSize))
    assert.deepEqual(formatSizes(pages), ['210 x 148'])
  })

  it('has margins with headers, footers and page numbers', async () => {
    const html = `<style>@page { margin: 20mm; @top-left { content: "Order 7" } @bottom-right { content: counter(page) " of " counter(pages) } }</style>
      <p>One</p><p style="break-before: page">Two</p>`
    const pages = await readPdf(await print(html))
    assert.deepEqual(
      pages.map(({ text }) => text.split('\n').toSorted()),
      [
        ['1 of 2', 'One', 'Order 7'],
        ['2 of 2', 'Order 7', 'Two'],
      ],
    )
    const margins = { top: 100, right: 0, bottom: 100, left: 0 }
    const lines = '<p style="height: 50mm; margin: 0">x'.repeat(4)
    assert.equal((await readPdf(await printer.pdf({ html: lines, resource: noResource, page: A4, margins }))).length, 3)
    assert.equal((await readPdf(await print(lines))).length, 1)
  })

  it('has many labels in the order of the document', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => `Label ${index}`)
    const html = `<style>body { margin: 0 } div { break-after: page }</style>${numbers.map((text) => `<div>${text}</div>`).join('')}`
    assert.deepEqual(getTexts(await readPdf(await print(html, labelSize))), numbers)
  })

  it('has the pages of several documents in order', async () => {
    const documents = ['One', 'Two (5 0 R)', 'Three'].map(
      (text) =>
        `<title>5 0 R (${text})</title><style>@page { size: 62mm 29mm }</style><b id="b">${text}</b><p style="break-before: page"><a href="#b">${text}, 2</a>`,
    )
    const pdf = await printer.pdf({ html: documents, resource: noResource, page: labelSize })
    const pages = await readPdf(pdf)
    assert.deepEqual(getTexts(pages), ['One', 'One, 2', 'Two (5 0 R)', 'Two (5 0 R), 2', 'Three', 'Three, 2'])
    assert.deepEqual(new Set(formatSizes(pages)), new Set(['62 x 29']))
    assert.match(pdf.toString('latin1'), /Title \(5 0 R \\\(One\\\)\)/)
    // otherwise a link in the third document to a name that the first also has would lead to the first
    assert.doesNotMatch(pdf.toString('latin1'), /\/Dests/)
  })

  it('requests pictures, styles and fonts from the resource function, each once', async () => {
    const font = packageFile('@fontsource-variable/noto-sans/files/noto-sans-latin-wght-normal.woff2')
    const requestedPaths: string[] = []
    const responses: Record<string, Resource> = {
      'style.css': {
        type: 'text/css',
        body: Buffer.from('@font-face { font-family: Ours; src: url(font.woff2) } .ours { font-family: Ours }'),
      },
      'font.woff2': { type: 'font/woff2', body: readFileSync(font) },
      'picture.png': { type: 'image/png', body: await createSquare('red') },
    }
    const resource = async (url: string) => {
      assert.ok(url.startsWith(PRINTED_SITE))
      requestedPaths.push(url.slice(PRINTED_SITE.length))
      return responses[requestedPaths.at(-1) as string]
    }
    const html = `<link rel="stylesheet" href="style.css"><p class="ours">Text</p><img src="/picture.png"><img src="${PRINTED_SITE}picture.png">`
    const pdf = await print(html, A4, resource)
    assert.deepEqual(requestedPaths.toSorted(), ['font.woff2', 'picture.png', 'style.css'])
    assert.match(pdf.toString('latin1'), /FontName \/\w+\+NotoSans/)
    assert.match(pdf.toString('latin1'), /Subtype \/Image/)
    // nothing is cached for the next document
    requestedPaths.length = 0
    await print(html, A4, resource)
    assert.deepEqual(requestedPaths.toSorted(), ['font.woff2', 'picture.png', 'style.css'])
  })

  it('is created even if resources are missing', async () => {
    assert.deepEqual(getTexts(await readPdf(await print('<link rel="stylesheet" href="none.css"><img src="none.png">Text'))), [
      'Text',
    ])
  })

  it('is rejected with the error of the resource function', async () => {
    const rejection = new Error('not for you')
    await assert.rejects(
      print('<img src="/x.png">', A4, () => Promise.reject(rejection)),
      (error) => error === rejection,
    )
  })
})

describe('a picture', { skip: printingUnsupported }, () => {
  it('has the dots of its size and resolution', async () => {
    const png = await printer.png({
      html: '<body style="background: red">',
      resource: noResource,
      size: { width: 50.8, height: 25.4 },
      dpi: 300,
    })
    const { width, height, format } = await sharp(png).metadata()
    assert.deepEqual({ width, height, format }, { width: 600, height: 300, format: 'png' })
  })

  it('shows a document as printed', async () => {
    const html = '<style>body { background: red } @media print { body { background: lime } }</style>'
    const png = await printer.png({ html, resource: noResource, size: labelSize, dpi: 96 })
    assert.deepEqual([...(await sharp(png).removeAlpha().raw().toBuffer()).subarray(0, 3)], [0, 255, 0])
  })

  for (const [bcid, format, text] of [
    ['qrcode', 'QRCode', '{"stockitem": 5}'],
    ['datamatrix', 'DataMatrix', 'Ölfilter 7'],
    ['code128', 'Code128', 'PO-0001'],
  ] as const)
    it(`has a scannable barcode: ${format}`, async () => {
      const svg = bwip.toSVG({ bcid, text, scale: 2 })
      const html = `<style>body { margin: 3mm }</style><img style="height: 20mm" src="data:image/svg+xml;base64,${btoa(svg)}">`
      const png = await printer.png({ html, resource: noResource, size: { width: 90, height: 29 }, dpi: 300 })
      assert.deepEqual(await scanImage(png), [{ format, text }])
    })

  it('has at most 40 million dots', async () => {
    const oversized = printer.png({ html: 'x', resource: noResource, size: { width: 1000, height: 1000 }, dpi: 600 })
    await assert.rejects(oversized, (error: Problem) => {
      assert.equal(error.status, 400)
      assert.match(
        JSON.stringify(error.body),
        /^{"non_field_errors":\["This cannot be printed: its image would have more than 40000000 dots\."\]}$/,
      )
      return true
    })
  })
})

const createSquare = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer()
