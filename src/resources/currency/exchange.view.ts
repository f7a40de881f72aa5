import { view } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { readThrough } from '../../kit/sql/run-query.ts'
import { exchangeSchema, readExchange } from './exchange.ts'
import { defaultCurrency } from './rates.ts'

export const readExchangeRates = view({
  path: '/api/currency/exchange/',
  summary: 'The exchange rates',
  description:
    'The rates by which amounts in other currencies are converted, such as the lines of an order for its total. They are empty until they are set.',
  access: signedIn,
  answer: exchangeSchema,
  read: (request) => readExchange({ query: readThrough(request) }, defaultCurrency(request)),
})
