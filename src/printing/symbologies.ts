/** Symbols that codes can be drawn as. */
export const SYMBOLOGIES = ['qrcode', 'datamatrix', 'code128'] as const
export type Symbology = (typeof SYMBOLOGIES)[number]

/** Further barcodes in templates of InvenTree; check digits are added. */
export const OTHER_BARCODES = ['code39', 'ean13', 'ean8', 'itf14', 'upca', 'interleaved2of5', 'rationalizedCodabar'] as const
export type Drawable = Symbology | (typeof OTHER_BARCODES)[number]
