import { view } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { exchangeSchema, readExchange } from './exchange.ts'
import { defaultCurrency } from './rates.ts'

/** GET /api/currency/exchange/: the exchange rates that amounts are converted by. */
export const readExchangeRates = view({
  path: '/api/currency/exchange/',
  summary: 'The exchange rates',
  access: signedIn,
  answer: exchangeSchema,
  read: (request) => readExchange({ query: (text, values) => request.database.read({ text, values }) }, defaultCurrency(request)),
})
