import { view } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { queryThrough } from '../../kit/sql/run-query.ts'
import { exchangeSchema, readExchange } from './exchange.ts'
import { defaultCurrency } from './rates.ts'

export const readExchangeRates = view({
  path: '/api/currency/exchange/',
  summary: 'Get the exchange rates',
  description:
    'Returns the rates for converting amounts in other currencies, such as order lines for the total of the order. They are empty until they are set.',
  access: signedIn,
  response: exchangeSchema,
  api530: { metadata: { exchange_rates: { type: 'nested object', read_only: false } } },
  read: (request) => readExchange({ query: queryThrough(request) }, defaultCurrency(request)),
})
