import { readFileSync } from 'node:fs'
import { prepareZXingModule } from 'zxing-wasm/reader'
import { packageFile } from '../paths.ts'

/** Has the reader of barcodes take its program out of its package: by itself it would fetch it. To be called before anything is read. */
export function scanner(): void {
  const program = packageFile('zxing-wasm/reader/zxing_reader.wasm')
  prepareZXingModule({ overrides: { wasmBinary: readFileSync(program) } })
}
