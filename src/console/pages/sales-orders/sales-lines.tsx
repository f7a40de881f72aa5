import metadata from 'metadata:/api/order/so-line/'
import type { Source } from '../../kit/form/chooser.tsx'
import type { SheetColumn } from '../../kit/grid/grid.tsx'
import { useAddedRow } from '../../kit/grid/rows.tsx'
import { money, number, quantity, t, total } from '../../kit/language/language.ts'
import { times } from '../../kit/values/exact.ts'
import { Lines, type LinesProperties, unusualOf } from '../orders/lines.tsx'
import type { PartBrief } from '../orders/order.ts'
import { DueDate, PartName, Progress } from '../orders/order-cells.tsx'
import { pasteLines } from '../orders/paste.ts'
import { Free } from '../stock/free.tsx'
import { notifySalePriceChange, priceAfter, priceFor } from './sale-price.ts'
import { type SalesLine, type SalesOrder, shortageOf, toShip } from './sales-order-details.ts'

const columns: readonly SheetColumn<SalesLine>[] = [
  { name: 'part', cell: ({ part_detail }) => <PartName part={part_detail} more={part_detail?.description} /> },
  { name: 'reference', width: '7rem', isDesk: true, cell: ({ reference }) => reference, edit: true },
  {
    name: 'quantity',
    width: '6.5rem',
    align: 'end',
    cell: ({ quantity: amount, part_detail }) => quantity(amount, part_detail?.units),
    edit: true,
    getWarning: (line, value) => unusualOf(line, value, (amount) => quantity(amount, line.part_detail?.units)),
    relatedValues: (line, value) => priceAfter(line, String(value)),
    onSaved: notifySalePriceChange,
  },
  {
    name: 'allocated',
    title: () => t('sales.put-by'),
    width: '9rem',
    cell: (line) => (
      <>
        <Progress done={line.allocated} of={line.quantity} title={t('sales.put-by')} />
        {shortageOf(line) > 0 && (
          <small class={free(line) < shortageOf(line) ? 'late' : ''}>
            <Free units={line.part_detail?.units} flaws={line.flawed_stock}>
              {t('sales.free', { count: number(free(line)) })}
            </Free>
          </small>
        )}
      </>
    ),
  },
  {
    name: 'shipped',
    title: () => t('sales.left'),
    width: '6.5rem',
    align: 'end',
    isWide: true,
    cell: (line) => (
      <>
        {number(line.shipped)}
        {toShip(line) > 0 && <small>{t('sales.to-ship', { count: number(toShip(line)) })}</small>}
      </>
    ),
  },
  {
    name: 'sale_price',
    title: () => t('sales.price'),
    width: '8.5rem',
    align: 'end',
    isWide: true,
    cell: (line) => money(line.sale_price, line.sale_price_currency),
    edit: true,
  },
  {
    name: 'total',
    title: () => t('orders.total'),
    width: '8.5rem',
    align: 'end',
    isWide: true,
    cell: ({ sale_price, sale_price_currency, quantity: amount }) =>
      sale_price === null ? '' : total(times(sale_price, amount), sale_price_currency),
  },
  {
    name: 'target_date',
    width: '8rem',
    isDesk: true,
    cell: ({ target_date, overdue }) => <DueDate day={target_date} isOverdue={overdue} />,
    edit: true,
  },
  { name: 'notes', isDesk: true, width: '10rem', cell: ({ notes }) => <small>{notes}</small>, edit: true },
]

/** The available quantity for a line. */
const free = ({ available_stock, available_variant_stock }: SalesLine): number =>
  Math.max(0, available_stock + available_variant_stock)

const SALABLE: Source<PartBrief> = {
  url: '/api/part/',
  query: { salable: true, active: true },
  text: ({ full_name }) => full_name,
  more: ({ description }) => description,
}

/** The lines of a sales order; a search field adds the next one from the salable parts. */
export function SalesLines({ order, currency, rights, onChanged, ...rest }: LinesProperties<SalesOrder, SalesLine>) {
  const { editRequest: begin, add } = useAddedRow(metadata.path, 'quantity', onChanged)
  const bodyOf = async (part: number, amount: number | string) => ({
    order: order.pk,
    part,
    quantity: amount,
    sale_price_currency: currency,
    ...(await priceFor(part, amount)),
  })
  return (
    <Lines<SalesLine, PartBrief>
      {...rest}
      metadata={metadata}
      columns={columns}
      rights={rights}
      nameOf={({ part_detail }) => part_detail?.name}
      editRequest={begin}
      next={
        rights.add
          ? {
              from: SALABLE,
              title: t('sales.add-line'),
              hint: t('sales.add-line-hint'),
              add: ({ pk }) => add(() => bodyOf(pk, 1)),
              paste: (rows) =>
                pasteLines<PartBrief>(rows, {
                  from: SALABLE,
                  names: ({ IPN, name, full_name }) => [IPN, name, full_name],
                  path: metadata.path,
                  body: ({ pk }, amount) => bodyOf(pk, amount),
                }).finally(onChanged),
            }
          : undefined
      }
      onChanged={onChanged}
    />
  )
}
