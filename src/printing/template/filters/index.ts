import type { ExchangeRates } from '../../../resources/currency/exchange-rates.ts'
import type { Library } from '../../rendering.ts'
import { barcodeFilters } from './barcodes.ts'
import { dateFilters } from './dates.ts'
import type { FilterHandler, OpenSettings } from './filter.ts'
import { moneyFilters } from './money.ts'
import { numberFilters } from './numbers.ts'
import { pictureFilters } from './pictures.ts'
import { settingFilters } from './settings.ts'
import { textFilters } from './texts.ts'

/** What filters look things up in, and what they have named in the document. */
export type Surroundings = {
  settings: OpenSettings
  library: Pick<Library, 'asset' | 'snippet'>
  /** Addresses of files that the document may show. */
  shown: Set<string>
  /** What this installation is called. */
  instance?: string
  /** The exchange rates, which are read when they are first asked for. */
  rates?: () => Promise<ExchangeRates>
}

/** Nothing at all, for templates that are read and not printed. */
export const noSurroundings: Surroundings = {
  settings: { get: () => undefined },
  library: { asset: async () => undefined, snippet: async () => undefined },
  shown: new Set(),
}

/** Every filter that is not Liquid's own. */
export const ownFilters = ({ settings, library, shown }: Surroundings): Record<string, FilterHandler> => ({
  ...barcodeFilters,
  ...dateFilters,
  ...moneyFilters(settings),
  ...numberFilters,
  ...pictureFilters(library, shown),
  ...settingFilters(settings),
  ...textFilters,
})
