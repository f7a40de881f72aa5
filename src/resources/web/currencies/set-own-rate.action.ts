import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { staff } from '../../../kit/request/caller.ts'
import { invalid, notFound } from '../../../kit/request/problem.ts'
import { storeOwnRate } from '../../currency/exchange.ts'
import { CURRENCIES, defaultCurrency, positiveRate } from '../../currency/rates.ts'
import { serviceErrors } from '../../service-errors.ts'
import { currencySchema, readCurrencies } from './currencies.view.ts'

/** Sets or ends the own rate of a currency. */
export const setOwnRate = action({
  method: 'PATCH',
  path: '/api/web/currencies/{currency}/',
  summary: 'Set the manual rate of a currency',
  description:
    'Sets an own exchange rate, which all conversions use and updates do not replace, until it is set to null: then the last live rate applies again. When the default currency changes, own rates are converted to it with the others.',
  errors: { invalid: 'The rate is not greater than zero, or the currency is the default currency, whose rate is 1.' },
  params: { currency: 'The ISO 4217 code of the currency.' },
  example: { params: { currency: 'USD' }, body: { rate: 1.1 } },
  access: staff,
  body: {
    rate: {
      ...input.nullable(positiveRate),
      required: true,
      help: 'The value of one unit of the default currency in this currency, to 10 decimals; empty to use the live rate.',
    },
  },
  response: currencySchema,
  async run({ tx, settings, params, body }) {
    const currency = (params.currency ?? '').toUpperCase()
    if (!CURRENCIES.some(({ value }) => value === currency)) throw notFound()
    const base = defaultCurrency({ settings })
    if (currency === base) throw invalid({ rate: [serviceErrors.rate_of_base_currency] })
    await storeOwnRate(tx, base, currency, body.rate)
    return (await readCurrencies(tx, { settings })).find(({ code }) => code === currency)
  },
})
