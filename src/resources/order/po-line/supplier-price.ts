import type { Tx } from '../../../kit/sql/tx.ts'
import type { Decimal } from '../../../kit/values/decimal.ts'
import { findSupplierPartPrice, type PriceBreak } from '../../company/price-break/price.ts'
import { readRates } from '../../currency/rates.ts'

/**
 * Reads the supplier's price of one pack of a part for an ordered quantity, in the given currency, by its price breaks; null without price
 * breaks.
 */
export async function readSupplierPrice(
  tx: Tx,
  supplierPart: number,
  quantity: Decimal,
  currency: string,
): Promise<Decimal | null> {
  const breaks = await tx.query<PriceBreak>(
    'select quantity::text, price::text, price_currency from supplier_price_break where part = $1',
    [supplierPart],
  )
  if (breaks.length === 0) return null
  const hasOtherCurrency = breaks.some(({ price_currency }) => price_currency !== currency)
  return findSupplierPartPrice(breaks, quantity, currency, hasOtherCurrency ? await readRates(tx) : new Map())
}
