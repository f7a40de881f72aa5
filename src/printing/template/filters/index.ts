import type { ExchangeRates } from '../../../kit/values/exchange-rates.ts'
import type { Library } from '../../rendering.ts'
import { barcodeFilters } from './barcodes.ts'
import { dateFilters } from './dates.ts'
import type { FilterHandler, OpenSettings } from './filter.ts'
import { moneyFilters } from './money.ts'
import { numberFilters } from './numbers.ts'
import { pictureFilters } from './pictures.ts'
import { settingFilters } from './settings.ts'
import { textFilters } from './texts.ts'

/** Lookups for filters, and the URLs of the files that they put into the document. */
export type FilterEnvironment = {
  settings: OpenSettings
  library: Pick<Library, 'asset' | 'snippet' | 'logo'>
  /** URLs of files that the document may show. */
  fileUrls: Set<string>
  /** Name of this installation. */
  instance?: string
  /** Exchange rates, read on first use. */
  rates?: () => Promise<ExchangeRates>
}

/** Empty environment, for templates that are parsed but not printed. */
export const emptyEnvironment: FilterEnvironment = {
  settings: { get: () => undefined },
  library: { asset: async () => undefined, snippet: async () => undefined, logo: async () => undefined },
  fileUrls: new Set(),
}

/** Our own filters, beyond those of Liquid. */
export const createFilters = ({ settings, library, fileUrls }: FilterEnvironment): Record<string, FilterHandler> => ({
  ...barcodeFilters,
  ...dateFilters,
  ...moneyFilters(settings),
  ...numberFilters,
  ...pictureFilters(library, fileUrls),
  ...settingFilters(settings),
  ...textFilters,
})
