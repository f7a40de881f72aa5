import { Type } from 'typebox'
import { procedure } from '../../kit/definition/action.ts'
import { staff } from '../../kit/request/caller.ts'
import { fetchRates } from './fetch-rates.ts'

export const refreshRates = procedure({
  method: 'POST',
  path: '/api/currency/refresh/',
  summary: 'Fetch the exchange rates',
  description:
    'Has the plugin that `CURRENCY_UPDATE_PLUGIN` names fetch the exchange rates now, and stores them before it answers. A currency for which the source has none keeps the rate that it has.',
  refuses: {
    wrong_state: 'No plugin is chosen for it, or the one that is chosen is not switched on.',
    unavailable: 'The source cannot be reached, or gives no rates. Nothing is changed.',
  },
  access: staff,
  status: 200,
  answer: Type.Object({ success: Type.String({ description: 'That it is done.' }) }),
  async handle(request) {
    await fetchRates(request)
    return { success: 'The exchange rates were fetched.' }
  },
})
