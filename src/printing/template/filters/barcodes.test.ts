import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { readBarcodes } from 'zxing-wasm/reader'
import { prepareBarcodeReader } from '../../../testing/scanner.ts'
import { barcodeFilters } from './barcodes.ts'

prepareBarcodeReader()

const { qrcode, datamatrix, code128 } = barcodeFilters as Record<
  'qrcode' | 'datamatrix' | 'code128',
  (...given: unknown[]) => string
>

/** Scans a code that is printed at a number of dots wide, with nothing around it. */
async function scanned(address: string, width: number) {
  const svg = Buffer.from(address.replace('data:image/svg+xml;base64,', ''), 'base64')
  const flat = sharp(svg, { density: 300 }).resize({ width }).flatten({ background: '#fff' }).png()
  return (await readBarcodes(await flat.toBuffer())).map(({ text, format }) => ({ text, format }))
}

/** Dots of a printer with 300 dots per inch. */
const dots = (millimetres: number) => Math.round((millimetres / 25.4) * 300)

describe('barcodes', () => {
  it('are read back with their content, at the sizes of labels', async () => {
    for (const text of ['{"part": 1}', '{"stocklocation": 123456}', 'https://stockroom.test/part/1/', 'Größe 10 kΩ 贴片'])
      assert.deepEqual(await scanned(qrcode(text), dots(20)), [{ text, format: 'QRCode' }])
    assert.deepEqual(await scanned(datamatrix('{"stockitem": 5}'), dots(10)), [
      { text: '{"stockitem": 5}', format: 'DataMatrix' },
    ])
    assert.deepEqual(await scanned(code128('{"part": 123456}'), dots(66)), [{ text: '{"part": 123456}', format: 'Code128' }])
  })

  it('take options by name', async () => {
    const size = (address: string) => /viewBox="0 0 (\d+) (\d+)"/.exec(Buffer.from(address.slice(26), 'base64').toString())?.[1]
    assert.notEqual(size(qrcode('a')), size(qrcode('a', ['border', 0])))
    assert.notEqual(size(qrcode('a'.repeat(50))), size(qrcode('a'.repeat(50), ['level', 'H'])))
    assert.throws(() => qrcode('a', ['level', 'X']), /L, M, Q or H/)
    assert.throws(() => qrcode('a', ['size', 3]), /The option "size" does not exist/)
  })

  it('are rejected for an empty text, and for one that does not fit', () => {
    assert.throws(() => qrcode(undefined), /content of the barcode is empty/)
    assert.throws(() => qrcode('x'.repeat(2_900), ['level', 'H']), /cannot be encoded as qrcode/)
    assert.throws(() => code128('Ω'), /can only contain ASCII/)
    assert.throws(() => qrcode('x'.repeat(100_000)), /too long/)
  })

  it('have a quiet zone around them', async () => {
    const margin = (address: string) => Buffer.from(address.slice(26), 'base64').toString()
    // four modules on each side of 21
    assert.match(margin(qrcode('1')), /viewBox="0 0 29 29"/)
    assert.match(margin(code128('1')), /viewBox="0 0 66 17".* d="M10 0h2/)
  })
})
