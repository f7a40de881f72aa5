import { readFileSync } from 'node:fs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { packageFile } from '../paths.ts'

// from the package: by default, zxing would fetch it from a network
const wasm = readFileSync(packageFile('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({
  overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer },
})

/** Reads the barcodes in an image, like a scanner. */
export async function scanImage(image: Uint8Array): Promise<{ format: string; text: string }[]> {
  const barcodes = await readBarcodes(image, { tryHarder: true })
  return barcodes.map(({ format, text }) => ({ format, text }))
}
