import metadata from 'metadata:/api/order/so-line/'
import type { GridColumn } from '../../kit/grid/grid.tsx'
import { useAddedRow } from '../../kit/grid/rows.tsx'
import { formatMoney, formatNumber, formatWithUnit, t } from '../../kit/language/language.ts'
import { discountColumn, formatLineTotal } from '../orders/line-columns.tsx'
import { getQuantityWarning, Lines, type LinesProperties } from '../orders/lines.tsx'
import { buildNextPartLine } from '../orders/next-line.ts'
import { getAvailable, type PartBrief } from '../orders/order.ts'
import { DueDate, PartName, Progress } from '../orders/order-cells.tsx'
import { AvailableQuantity } from '../stock/available-quantity.tsx'
import { notifySalePriceChange, readPrice, readPriceAfter } from './sale-price.ts'
import { getShortage, getUnshipped, type SalesLine, type SalesOrder } from './sales-order-details.ts'

const columns: readonly GridColumn<SalesLine>[] = [
  { name: 'part', cell: ({ part_detail }) => <PartName part={part_detail} detail={part_detail?.description} /> },
  {
    name: 'reference',
    width: '6rem',
    isDesk: true,
    cell: ({ reference }) => reference,
    edit: true,
  },
  {
    name: 'quantity',
    width: '6.5rem',
    align: 'end',
    cell: ({ quantity: amount, part_detail }) => formatWithUnit(amount, part_detail?.units),
    edit: true,
    getWarning: (line, value) => getQuantityWarning(line, value, (amount) => formatWithUnit(amount, line.part_detail?.units)),
    relatedValues: (line, value) => readPriceAfter(line, String(value)),
    onSaved: notifySalePriceChange,
  },
  {
    name: 'allocated',
    title: () => t('sales.allocated'),
    width: '9rem',
    cell: (line) => (
      <>
        <Progress done={line.allocated} total={line.quantity} title={t('sales.allocated')} />
        {getShortage(line) > 0 && (
          <small class={getAvailable(line) < getShortage(line) ? 'alert-text' : ''}>
            <AvailableQuantity units={line.part_detail?.units} flaws={line.flawed_stock}>
              {t('sales.available', { count: formatNumber(getAvailable(line)) })}
            </AvailableQuantity>
          </small>
        )}
      </>
    ),
  },
  {
    name: 'shipped',
    title: () => t('sales.shipped-title'),
    width: '6.5rem',
    align: 'end',
    isWide: true,
    cell: (line) => (
      <>
        {formatNumber(line.shipped)}
        {getUnshipped(line) > 0 && <small>{t('sales.to-ship', { count: formatNumber(getUnshipped(line)) })}</small>}
      </>
    ),
  },
  {
    name: 'sale_price',
    title: () => t('sales.price'),
    width: '8.5rem',
    align: 'end',
    isWide: true,
    cell: (line) => formatMoney(line.sale_price, line.sale_price_currency),
    edit: true,
  },
  {
    name: 'total',
    title: () => t('orders.total'),
    width: '8.5rem',
    align: 'end',
    isWide: true,
    cell: ({ sale_price, sale_price_currency, quantity: amount, discount }) =>
      formatLineTotal(sale_price, amount, discount, sale_price_currency),
  },
  {
    name: 'target_date',
    width: '8rem',
    isDesk: true,
    cell: ({ target_date, overdue }) => <DueDate day={target_date} isOverdue={overdue} />,
    edit: true,
  },
  {
    name: 'notes',
    isDesk: true,
    width: '6rem',
    cell: ({ notes }) => <small>{notes}</small>,
    edit: true,
  },
  discountColumn,
]

/** The lines of a sales order; a search field adds the next one from the salable parts. */
export function SalesLines({ order, currency, rights, onChanged, ...rest }: LinesProperties<SalesOrder, SalesLine>) {
  const { editRequest, add } = useAddedRow(metadata.path, 'quantity', onChanged)
  const createBody = async (part: number, amount: number | string) => ({
    order: order.pk,
    part,
    quantity: amount,
    sale_price_currency: currency,
    ...(await readPrice(part, amount)),
  })
  return (
    <Lines<SalesLine, PartBrief>
      {...rest}
      metadata={metadata}
      columns={columns}
      rights={rights}
      nameOf={({ part_detail }) => part_detail?.name}
      editRequest={editRequest}
      next={
        rights.add
          ? buildNextPartLine({ query: { salable: true, active: true }, path: metadata.path, createBody, add, onChanged })
          : undefined
      }
      onChanged={onChanged}
    />
  )
}
