import facts from 'facts:/api/order/so-line/'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Answer, post, Refusal } from '../../kit/api.ts'
import { Chooser, type Source } from '../../kit/chooser.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { money, number, quantity, t } from '../../kit/language.ts'
import { Panel } from '../../kit/page.tsx'
import { Sheet, type SheetColumn } from '../../kit/sheet.tsx'
import { warn } from '../../kit/toast.tsx'
import { useLineDeletion } from '../orders/line-deletion.tsx'
import type { PartBrief } from '../orders/order.ts'
import { DueDate, PartName, Progress } from '../orders/order-shown.tsx'
import { lacks, type SalesLine, type SalesOrder } from './sales-order-facts.ts'

const columns: readonly SheetColumn<SalesLine>[] = [
  { name: 'part', cell: ({ part_detail }) => <PartName part={part_detail} more={part_detail?.description} /> },
  { name: 'reference', width: '7rem', isDesk: true, cell: ({ reference }) => reference, edit: true },
  {
    name: 'quantity',
    width: '6.5rem',
    align: 'end',
    cell: ({ quantity: amount, part_detail }) => quantity(amount, part_detail?.units),
    edit: true,
  },
  {
    name: 'allocated',
    title: () => t('sales.put-by'),
    width: '9rem',
    cell: (line) => (
      <>
        <Progress done={line.allocated} of={line.quantity} title={t('sales.put-by')} />
        {lacks(line) > 0 && (
          <small class={free(line) < lacks(line) ? 'late' : ''}>{t('sales.free', { count: number(free(line)) })}</small>
        )}
      </>
    ),
  },
  {
    name: 'shipped',
    title: () => t('sales.left'),
    width: '5rem',
    align: 'end',
    isWide: true,
    cell: ({ shipped }) => number(shipped),
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
      sale_price === null ? '' : money(Number(sale_price) * amount, sale_price_currency),
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

/** What of it is in stock and put by for nobody. */
const free = ({ available_stock, available_variant_stock }: SalesLine): number =>
  Math.max(0, available_stock + available_variant_stock)

const SALABLE: Source<PartBrief> = {
  url: '/api/part/',
  query: { salable: true, active: true },
  text: ({ full_name }) => full_name,
  more: ({ description }) => description,
}

type Properties = {
  order: SalesOrder
  currency: string
  rows: readonly SalesLine[]
  rights: { add: boolean; change: boolean; delete: boolean }
  onRow: (answer: Answer<SalesLine>) => void
  onChanged: () => void
}

/** The lines of a sales order, as a sheet; below them the next one is found by some letters of its part. */
export function SalesLines({ order, currency, rows, rights, onRow, onChanged }: Properties) {
  const begin = useSignal<{ pk: number; name: string } | undefined>(undefined)
  const added = useSignal(0)
  const adder = useRef<HTMLDivElement>(null)
  useCommands(
    () =>
      rights.add
        ? [{ keys: 'a', label: () => t('sales.add-line'), run: () => adder.current?.querySelector('input')?.focus() }]
        : [],
    [rights.add],
  )
  async function add(part: number) {
    try {
      const { body } = await post<SalesLine>(facts.path, { order: order.pk, part, quantity: 1, sale_price_currency: currency })
      begin.value = { pk: body.pk, name: 'quantity' }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(Object.values(error.fields).flat().join(' ') || error.message)
    }
    added.value++
    onChanged()
  }
  const deletion = useLineDeletion<SalesLine>({ path: facts.path, nameOf: (row) => row.part_detail?.name, onChanged })
  return (
    <Panel title={t('orders.lines')} class="flush">
      {rows.length > 0 && (
        <Sheet
          facts={facts}
          title={t('orders.lines')}
          rows={rows}
          columns={columns}
          mayChange={rights.change}
          onRow={onRow}
          begin={begin}
          end={rights.delete ? deletion.bin : undefined}
        />
      )}
      {rows.length === 0 && !rights.add && <p class="quiet-text pad">{t('orders.no-lines')}</p>}
      {rights.add && (
        <div class="add-line" ref={adder}>
          <Icon name="plus" />
          <Chooser
            key={added.value}
            from={SALABLE}
            value={null}
            onPick={(part) => part && add(part.pk)}
            placeholder={t('sales.add-line-hint')}
            attributes={{ 'aria-label': t('sales.add-line') }}
          />
        </div>
      )}
      {deletion.question}
    </Panel>
  )
}
