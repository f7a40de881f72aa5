import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { readBarcodes } from 'zxing-wasm/reader'
import { prepareBarcodeReader } from '../../../testing/scanner.ts'
import { barcodeFilters } from './barcodes.ts'

prepareBarcodeReader()

const { qrcode, datamatrix, code128 } = barcodeFilters as Record<
  'qrcode' | 'datamatrix' | 'code128',
  (...args: unknown[]) => string
>

/** Scans a barcode that is printed at this width in dots, with nothing around it. */
async function scanBarcode(dataUrl: string, width: number) {
  const svg = Buffer.from(dataUrl.replace('data:image/svg+xml;base64,', ''), 'base64')
  const image = sharp(svg, { density: 300 }).resize({ width }).flatten({ background: '#fff' }).png()
  return (await readBarcodes(await image.toBuffer())).map(({ text, format }) => ({ text, format }))
}

/** Converts millimetres to dots of a printer with 300 dots per inch. */
const toDots = (millimetres: number) => Math.round((millimetres / 25.4) * 300)

describe('barcodes', () => {
  it('can be scanned at the sizes of labels', async () => {
    for (const text of ['{"part": 1}', '{"stocklocation": 123456}', 'https://stockroom.test/part/1/', 'Größe 10 kΩ 贴片'])
      assert.deepEqual(await scanBarcode(qrcode(text), toDots(20)), [{ text, format: 'QRCode' }])
    assert.deepEqual(await scanBarcode(datamatrix('{"stockitem": 5}'), toDots(10)), [
      { text: '{"stockitem": 5}', format: 'DataMatrix' },
    ])
    assert.deepEqual(await scanBarcode(code128('{"part": 123456}'), toDots(66)), [
      { text: '{"part": 123456}', format: 'Code128' },
    ])
  })

  it('take options by name', async () => {
    const getSize = (dataUrl: string) =>
      /viewBox="0 0 (\d+) (\d+)"/.exec(Buffer.from(dataUrl.slice(26), 'base64').toString())?.[1]
    assert.notEqual(getSize(qrcode('a')), getSize(qrcode('a', ['border', 0])))
    assert.notEqual(getSize(qrcode('a'.repeat(50))), getSize(qrcode('a'.repeat(50), ['level', 'H'])))
    assert.throws(() => qrcode('a', ['level', 'X']), /L, M, Q or H/)
    assert.throws(() => qrcode('a', ['size', 3]), /The option "size" does not exist/)
  })

  it('are rejected for empty content, and for content that does not fit', () => {
    assert.throws(() => qrcode(undefined), /content of the barcode is empty/)
    assert.throws(() => qrcode('x'.repeat(2_900), ['level', 'H']), /cannot be encoded as qrcode/)
    assert.throws(() => code128('Ω'), /can only contain ASCII/)
    assert.throws(() => qrcode('x'.repeat(100_000)), /too long/)
  })

  it('have a quiet zone around them', async () => {
    const decodeSvg = (dataUrl: string) => Buffer.from(dataUrl.slice(26), 'base64').toString()
    // four modules on each side of 21
    assert.match(decodeSvg(qrcode('1')), /viewBox="0 0 29 29"/)
    assert.match(decodeSvg(code128('1')), /viewBox="0 0 66 17".* d="M10 0h2/)
  })
})
