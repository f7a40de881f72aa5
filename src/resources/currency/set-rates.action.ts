import { type Action, action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { staff } from '../../kit/request/caller.ts'
import { FieldError, texts } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import { compare, type Decimal } from '../../kit/values/decimal.ts'
import { exchangeSchema, RATE_PLACES, readExchange, storeRates } from './exchange.ts'
import { CURRENCIES, defaultCurrency } from './rates.ts'

const codes = CURRENCIES.map(({ value }) => String(value))

const decimal = input.decimal({ digits: 20, places: RATE_PLACES, round: true, form: 'number' })

const rate: input.Input<Decimal> = {
  ...decimal,
  read(value, reading, fail) {
    const read = decimal.read(value, reading, fail)
    if (compare(read, '0') <= 0) throw new FieldError('An exchange rate is greater than zero.')
    return read
  },
}

const known = input.object(Object.fromEntries(codes.map((code) => [code, input.optional(input.nullable(rate))])), {
  required: true,
})

/** Rates by currency code. A code that is none is refused, because a rate that is passed over in silence would be missed. */
const rates: typeof known = {
  ...known,
  read(value, reading, fail) {
    const read = known.read(value, reading, fail)
    const unknown = Object.keys(value as object).filter((code) => !codes.includes(code))
    if (unknown.length === 0) return read
    throw new FieldError(Object.fromEntries(unknown.slice(0, 20).map((code) => [code.slice(0, 20), [texts.choice(code)]])))
  },
}

const body = { base_currency: input.choice<string>(() => CURRENCIES), exchange_rates: rates }

/**
 * PUT, PATCH /api/currency/exchange/: sets exchange rates by hand, in the form in which GET shows them. One unit of the default
 * currency is worth so many units of each other one: `{"exchange_rates": {"EUR": "0.92", "JPY": 151.4}}`. PUT replaces all
 * rates, PATCH those that are named; null takes one away. The default currency itself is always 1; `base_currency` may be
 * given as a check that the rates are meant for it. For staff. Orders keep the totals they have until they are next written.
 */
const setRates = (method: 'PUT' | 'PATCH'): Action =>
  action({
    method,
    path: '/api/currency/exchange/',
    summary: method === 'PUT' ? 'Replace the exchange rates' : 'Change exchange rates',
    access: staff,
    body,
    answer: exchangeSchema,
    async run({ tx, settings, body }) {
      const base = defaultCurrency({ settings })
      const given = Object.entries(body.exchange_rates).filter(([, entry]) => entry !== undefined) as [string, Decimal | null][]
      if (body.base_currency !== undefined && body.base_currency !== base)
        throw invalid({ base_currency: [`Rates are counted from the default currency, ${base}.`] })
      const own = given.find(([code]) => code === base)
      if (own && (own[1] === null || compare(own[1], '1') !== 0))
        throw invalid({ exchange_rates: { [base]: ['One unit of the default currency is worth one of itself.'] } })
      await storeRates(tx, base, new Map(given), method === 'PATCH')
      return readExchange(tx, base)
    },
  })

export const replaceRates = setRates('PUT')
export const changeRates = setRates('PATCH')
