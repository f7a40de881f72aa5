import { type Action, action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { staff } from '../../kit/request/caller.ts'
import { FieldError, invalidChoice } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import { compare, type Decimal } from '../../kit/values/decimal.ts'
import { serviceErrors } from '../service-errors.ts'
import { exchangeSchema, readExchange, storeRates } from './exchange.ts'
import { CURRENCIES, defaultCurrency, positiveRate } from './rates.ts'

const codes = CURRENCIES.map(({ value }) => String(value))

const createRateInput = (currency: string): input.Input<Decimal | null | undefined> => ({
  ...input.optional(input.nullable(positiveRate)),
  help: `The value of one unit of the default currency in ${currency}, to 10 decimals; empty to remove the rate.`,
})

const rateInputs = input.object(Object.fromEntries(CURRENCIES.map(({ value, label }) => [value, createRateInput(label)])), {
  required: true,
  help: 'Rates by currency code. The default currency is optional; its rate is 1.',
})

/** Rates by currency code. An unknown code is rejected: if it were ignored, no one would notice that the rate is missing. */
const rates: typeof rateInputs = {
  ...rateInputs,
  read(value, reading, fail) {
    const parsedRates = rateInputs.read(value, reading, fail)
    const unknown = Object.keys(value as object).filter((code) => !codes.includes(code))
    if (unknown.length === 0) return parsedRates
    throw new FieldError(Object.fromEntries(unknown.slice(0, 20).map((code) => [code.slice(0, 20), [invalidChoice(code)]])))
  },
}

const body = {
  base_currency: input.choice<string>(() => CURRENCIES, {
    help: 'The default currency, to check that the rates are based on it; any other is rejected. It may be empty.',
  }),
  exchange_rates: rates,
}

const setRates = (method: 'PUT' | 'PATCH', summary: string, effect: string, example: Record<string, unknown>): Action =>
  action({
    method,
    path: '/api/currency/exchange/',
    summary,
    description: `${effect} The body has the same form as the response of GET; a rate must be greater than zero, and an unknown currency code is rejected. Totals of orders change only when the orders are next saved.`,
    example: { body: example },
    access: staff,
    body,
    response: exchangeSchema,
    async run({ tx, settings, body }) {
      const base = defaultCurrency({ settings })
      const newRates = Object.entries(body.exchange_rates).filter(([, entry]) => entry !== undefined) as [
        string,
        Decimal | null,
      ][]
      if (body.base_currency !== undefined && body.base_currency !== base)
        throw invalid({ base_currency: [serviceErrors.other_base_currency({ currency: base })] })
      const baseRate = newRates.find(([code]) => code === base)
      if (baseRate && (baseRate[1] === null || compare(baseRate[1], '1') !== 0))
        throw invalid({ exchange_rates: { [base]: [serviceErrors.rate_of_base_currency] } })
      await storeRates(tx, base, new Map(newRates), method === 'PATCH')
      return readExchange(tx, base)
    },
  })

export const replaceRates = setRates(
  'PUT',
  'Replace the exchange rates',
  'Sets all exchange rates manually: a currency that is not named loses its rate.',
  { base_currency: 'EUR', exchange_rates: { CNY: 7.81, GBP: 0.84, JPY: 163.2, USD: 1.08 } },
)
export const changeRates = setRates(
  'PATCH',
  'Change exchange rates',
  'Sets single exchange rates manually: a currency that is not named retains its rate.',
  { exchange_rates: { USD: 1.1, JPY: 161.5 } },
)
