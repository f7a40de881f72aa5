import { readFileSync } from 'node:fs'
import { prepareZXingModule } from 'zxing-wasm/reader'
import { packageFile } from '../paths.ts'

/** Makes the barcode reader load its program from its package: by default, it would fetch it. Must be called before anything is read. */
export function prepareBarcodeReader(): void {
  const program = packageFile('zxing-wasm/reader/zxing_reader.wasm')
  prepareZXingModule({ overrides: { wasmBinary: readFileSync(program) } })
}
