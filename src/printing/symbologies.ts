/** The symbols that codes are drawn as. */
export const SYMBOLOGIES = ['qrcode', 'datamatrix', 'code128'] as const
export type Symbology = (typeof SYMBOLOGIES)[number]

/** Barcodes that templates of InvenTree have beside them; what a number of digits needs for its check is added. */
export const OTHER_BARCODES = ['code39', 'ean13', 'ean8', 'itf14', 'upca', 'interleaved2of5', 'rationalizedCodabar'] as const
export type Drawable = Symbology | (typeof OTHER_BARCODES)[number]
