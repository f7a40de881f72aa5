import { definePlugin } from '../plugin-api/index.ts'

const ECB = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'
/** The list is about 2,000 bytes long. */
const MAX_BYTES = 100_000
/** Decimal places of a rate. */
const DECIMAL_PLACES = 10

export default definePlugin({
  slug: 'inventreecurrencyexchange',
  name: 'InvenTreeCurrencyExchange',
  title: 'InvenTree Currency Exchange',
  version: '1.0.0',
  description: 'Fetches the reference rates that the European Central Bank publishes every working day.',
  author: 'Stockroom',
  settings: {
    SOURCE_URL: {
      type: 'string',
      default: ECB,
      name: 'Source',
      description: 'The URL of the daily reference rates, in the XML format of the European Central Bank.',
    },
  },
  currencyRates: {
    async rates(base, currencies, { settings, fetchText }) {
      const euro = readRates(await fetchText(await settings.get('SOURCE_URL'), MAX_BYTES))
      const baseRate = euro.get(base)
      if (!baseRate) throw new Error(`the source has no rate of ${base}`)
      const supportedCurrencies = currencies.filter((code) => code !== base && euro.has(code))
      return Object.fromEntries(supportedCurrencies.map((code) => [code, divide(euro.get(code) as string, baseRate)]))
    },
  },
})

/**
 * Parses the value of one euro in each currency. The list is one element `Cube` with a day as its `time`, in which each currency has an
 * empty element `Cube` with `currency` and `rate`.
 */
function readRates(xml: string): Map<string, string> {
  const days = [...xml.matchAll(/<Cube\s+time=(["'])\d{4}-\d{2}-\d{2}\1\s*>(.*?)<\/Cube>/gs)]
  const [day] = days
  if (!day || days.length > 1) throw new Error('the source returned no daily list of rates')
  const rates = new Map([['EUR', '1']])
  const rest = (day[2] as string).replace(
    /<Cube\s+currency=(["'])([A-Z]{3})\1\s+rate=(["'])(\d{1,9}(?:\.\d{1,9})?)\3\s*\/>/g,
    (_, _quote, currency: string, _other, rate: string) => {
      if (/[1-9]/.test(rate)) rates.set(currency, rate)
      return ''
    },
  )
  if (rest.trim() !== '' || rates.size === 1) throw new Error('the list of rates cannot be read')
  return rates
}

/** Divides two positive decimals, rounded to ten places. */
function divide(dividend: string, divisor: string): string {
  const numerator = toBillionths(dividend) * 10n ** BigInt(DECIMAL_PLACES)
  const denominator = toBillionths(divisor)
  const digits = String((2n * numerator + denominator) / (2n * denominator)).padStart(DECIMAL_PLACES + 1, '0')
  return `${digits.slice(0, -DECIMAL_PLACES)}.${digits.slice(-DECIMAL_PLACES)}`
}

/** Converts a decimal to billionths. */
function toBillionths(decimal: string): bigint {
  const [integer, fraction = ''] = decimal.split('.')
  return BigInt(`${integer}${fraction.padEnd(9, '0')}`)
}
