import { action } from '../../kit/definition/action.ts'
import { staff } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'

/** Refused rather than passed over, because an answer must not look as if the rates were of today. */
export const refreshRates = action({
  method: 'POST',
  path: '/api/currency/refresh/',
  summary: 'Fetch the exchange rates',
  description:
    'Would fetch the rates of today from where they are published. This service asks no such source: it refuses, and changes nothing. Rates are set by hand, with PUT or PATCH on `/api/currency/exchange/`.',
  refuses: { wrong_state: 'No source of exchange rates is installed.' },
  example: { status: 400 },
  access: staff,
  status: 200,
  run() {
    throw new Problem(
      'wrong_state',
      'No source of exchange rates is installed. Set the rates with PUT or PATCH on /api/currency/exchange/.',
    )
  },
})
