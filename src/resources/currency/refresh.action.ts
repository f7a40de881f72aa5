import { Type } from 'typebox'
import { procedure } from '../../kit/definition/action.ts'
import { staff } from '../../kit/request/caller.ts'
import { fetchRates } from './fetch-rates.ts'

export const refreshRates = procedure({
  method: 'POST',
  path: '/api/currency/refresh/',
  summary: 'Fetch the exchange rates',
  description:
    'Fetches the exchange rates from the plugin that `CURRENCY_UPDATE_PLUGIN` names, and stores them before the response. A currency for which the source has no rate retains its rate.',
  errors: {
    wrong_state: 'No plugin is selected, or the selected plugin is not enabled.',
    unavailable: 'The source cannot be reached, or returns no rates. Nothing is changed.',
  },
  access: staff,
  status: 200,
  response: Type.Object({ success: Type.String({ description: 'A confirmation.' }) }),
  async handle(request) {
    await fetchRates(request)
    return { success: 'The exchange rates were fetched.' }
  },
})
