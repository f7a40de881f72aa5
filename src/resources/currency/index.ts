import type { Area } from '../area.ts'
import { readExchangeRates } from './exchange.view.ts'
import { refreshRates } from './refresh.action.ts'
import { changeRates, replaceRates } from './set-rates.action.ts'

export const currency: Area = { resources: [], actions: [readExchangeRates, replaceRates, changeRates, refreshRates] }
