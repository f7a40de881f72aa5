import metadata from 'metadata:/api/order/so-line/'
import { formatMoney, t } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { get, type Page, withQuery } from '../../kit/service/api.ts'
import { save } from '../../kit/service/saves.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { type Amount, compare } from '../../kit/values/exact.ts'
import type { PriceBreak } from '../parts/part-requests.ts'
import type { SalesLine } from './sales-order-details.ts'

/** The sale price of one unit, as the fields of a line. */
type Price = Pick<SalesLine, 'sale_price' | 'sale_price_currency'>

const readPriceBreaks = async (part: number): Promise<PriceBreak[]> => {
  if (!hasPermission('view', 'part')) return []
  const { body } = await get<Page<PriceBreak>>(withQuery('/api/part/sale-price/', { part, ordering: 'quantity', limit: 500 }))
  return body.results.filter(({ price }) => price !== null)
}

/** The unit price at a quantity: that of the highest break reached, or of the lowest, as for suppliers. */
function findPrice(breaks: readonly PriceBreak[], quantity: Amount): Price | undefined {
  const priceBreak = breaks.findLast((one) => compare(one.quantity, quantity) <= 0) ?? breaks[0]
  return priceBreak && { sale_price: priceBreak.price, sale_price_currency: priceBreak.price_currency }
}

const isSamePrice = (one: Price, other: Price | undefined): boolean =>
  one.sale_price !== null &&
  other !== undefined &&
  other.sale_price !== null &&
  compare(one.sale_price, other.sale_price) === 0 &&
  one.sale_price_currency === other.sale_price_currency

/**
 * The initial price of a new line, by the sale price breaks of its part; empty if it has none.
 * @throws ApiError
 */
export const readPrice = async (part: number, quantity: Amount): Promise<Partial<Price>> =>
  findPrice(await readPriceBreaks(part), quantity) ?? {}

/**
 * The price after a change of quantity. A negotiated price that differs from the price breaks stays.
 * @throws ApiError
 */
export async function readPriceAfter(line: SalesLine, quantity: Amount): Promise<Partial<Price>> {
  if (line.part === null) return {}
  const breaks = await readPriceBreaks(line.part)
  const isListed = line.sale_price === null || isSamePrice(line, findPrice(breaks, line.quantity))
  return (isListed && findPrice(breaks, quantity)) || {}
}

/** Reports that the price changed with the quantity, and offers to undo that. */
export function notifySalePriceChange(before: SalesLine, after: SalesLine): void {
  if (after.sale_price === null || isSamePrice(after, before)) return
  const { sale_price, sale_price_currency } = before
  const part = before.part_detail?.name ?? ''
  const price = formatMoney(after.sale_price, after.sale_price_currency)
  const text =
    sale_price === null
      ? t('sales.price-found', { part, price })
      : t('sales.price-follows', { part, price, before: formatMoney(sale_price, sale_price_currency) })
  showToast(text, () => save(`${metadata.path}${after.pk}/`, { sale_price, sale_price_currency }, undefined))
}
