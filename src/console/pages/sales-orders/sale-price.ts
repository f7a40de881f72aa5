import metadata from 'metadata:/api/order/so-line/'
import { money, t } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { get, type Page, withQuery } from '../../kit/service/api.ts'
import { save } from '../../kit/service/saves.ts'
import { may } from '../../kit/service/session.ts'
import { type Amount, compare } from '../../kit/values/exact.ts'
import type { PriceBreak } from '../parts/part-reading.ts'
import type { SalesLine } from './sales-order-details.ts'

/** The sale price of one unit, as the fields of a line. */
type Price = Pick<SalesLine, 'sale_price' | 'sale_price_currency'>

const breaksOf = async (part: number): Promise<PriceBreak[]> => {
  if (!may('view', 'part')) return []
  const { body } = await get<Page<PriceBreak>>(withQuery('/api/part/sale-price/', { part, ordering: 'quantity', limit: 500 }))
  return body.results.filter(({ price }) => price !== null)
}

/** The unit price at a quantity: that of the highest break reached, or of the lowest, as for suppliers. */
function priceIn(breaks: readonly PriceBreak[], quantity: Amount): Price | undefined {
  const reached = breaks.findLast((one) => compare(one.quantity, quantity) <= 0) ?? breaks[0]
  return reached && { sale_price: reached.price, sale_price_currency: reached.price_currency }
}

const isSame = (one: Price, other: Price | undefined): boolean =>
  one.sale_price !== null &&
  other !== undefined &&
  other.sale_price !== null &&
  compare(one.sale_price, other.sale_price) === 0 &&
  one.sale_price_currency === other.sale_price_currency

/**
 * The initial price of a new line, by the sale price breaks of its part; empty if it has none.
 * @throws Refusal
 */
export const priceFor = async (part: number, quantity: Amount): Promise<Partial<Price>> =>
  priceIn(await breaksOf(part), quantity) ?? {}

/**
 * The price after a change of quantity. A negotiated price that differs from the price breaks stays.
 * @throws Refusal
 */
export async function priceAfter(line: SalesLine, quantity: Amount): Promise<Partial<Price>> {
  if (line.part === null) return {}
  const breaks = await breaksOf(line.part)
  const isListed = line.sale_price === null || isSame(line, priceIn(breaks, line.quantity))
  return (isListed && priceIn(breaks, quantity)) || {}
}

/** Reports that the price followed the quantity, and offers to undo that. */
export function notifySalePriceChange(before: SalesLine, after: SalesLine): void {
  if (after.sale_price === null || isSame(after, before)) return
  const { sale_price, sale_price_currency } = before
  const part = before.part_detail?.name ?? ''
  const price = money(after.sale_price, after.sale_price_currency)
  const text =
    sale_price === null
      ? t('sales.price-found', { part, price })
      : t('sales.price-follows', { part, price, before: money(sale_price, sale_price_currency) })
  showToast(text, () => save(`${metadata.path}${after.pk}/`, { sale_price, sale_price_currency }, undefined))
}
