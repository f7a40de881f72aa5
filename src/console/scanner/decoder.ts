import program from 'zxing-wasm/reader/zxing_reader.wasm'

/** Decodes the codes in a video frame. */
export type Decode = (picture: HTMLVideoElement) => Promise<readonly string[]>

/** The barcode formats on labels of goods, shelves and documents. */
const FORMATS = ['data_matrix', 'qr_code', 'code_128', 'code_39', 'ean_13', 'ean_8', 'upc_a', 'upc_e', 'itf', 'pdf417', 'aztec']

type Detector = { detect(picture: HTMLVideoElement): Promise<{ rawValue: string }[]> }
type DetectorConstructor = { new (options: { formats: readonly string[] }): Detector; getSupportedFormats(): Promise<string[]> }

/** Returns the barcode detector of the browser if it supports Data Matrix, otherwise one that is loaded on demand. */
export async function openDecoder(): Promise<Decode> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorConstructor }
  const supportedFormats = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  const formats = FORMATS.filter((format) => supportedFormats.includes(format))
  if (BarcodeDetector && formats.includes('data_matrix')) {
    const detector = new BarcodeDetector({ formats })
    return async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue)
  }
  return openReader()
}

async function openReader(): Promise<Decode> {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader')
  await prepareZXingModule({ overrides: { locateFile: () => program }, fireImmediately: true })
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (picture) => {
    const { videoWidth: width, videoHeight: height } = picture
    if (!context || width === 0) return []
    canvas.width = width
    canvas.height = height
    context.drawImage(picture, 0, 0)
    // the raw text, with its separators
    const barcodes = await readBarcodes(context.getImageData(0, 0, width, height), {
      textMode: 'Plain',
      tryHarder: true,
      maxNumberOfSymbols: 4,
    })
    return barcodes.filter(({ isValid }) => isValid).map(({ text }) => text)
  }
}
