import { action } from '../../kit/definition/action.ts'
import { staff } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'

/**
 * POST /api/currency/refresh/: asks for exchange rates from where they are published. There is no source of rates to ask, so
 * this is refused (wrong_state) and changes nothing: what it answers must not look as if the rates were of today. Rates are set
 * by hand, with PUT or PATCH on /api/currency/exchange/. For staff.
 */
export const refreshRates = action({
  method: 'POST',
  path: '/api/currency/refresh/',
  summary: 'Fetch the exchange rates',
  access: staff,
  status: 200,
  run() {
    throw new Problem(
      'wrong_state',
      'No source of exchange rates is installed. Set the rates with PUT or PATCH on /api/currency/exchange/.',
    )
  },
})
