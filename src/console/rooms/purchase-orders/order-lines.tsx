import facts from 'facts:/api/order/po-line/'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Answer, post, Refusal } from '../../kit/api.ts'
import { Chooser, type Source } from '../../kit/chooser.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { money, number, quantity, t } from '../../kit/language.ts'
import { Panel } from '../../kit/page.tsx'
import { sourceOfKind } from '../../kit/reference.ts'
import { Sheet, type SheetColumn } from '../../kit/sheet.tsx'
import { warn } from '../../kit/toast.tsx'
import { useLineDeletion } from '../orders/line-deletion.tsx'
import type { PartBrief } from '../orders/order.ts'
import { DueDate, PartName } from '../orders/order-shown.tsx'
import { outstanding, type PurchaseLine, type PurchaseOrder, tidy, unitsOf } from './purchase-order-facts.tsx'

/** Packs, and below them the base units in them where these are others. */
export const Packs = ({ line, packs }: { line: PurchaseLine; packs: number }) => {
  const units = unitsOf(line)
  const unit = line.part_detail?.units
  if (units === 1) return <span>{quantity(packs, unit)}</span>
  return (
    <>
      {number(packs)} × {line.supplier_part_detail?.pack_quantity ?? number(units)}
      <small>= {quantity(tidy(packs * units), unit)}</small>
    </>
  )
}

const columns: readonly SheetColumn<PurchaseLine>[] = [
  {
    name: 'part',
    cell: (line) => (
      <PartName
        part={line.part_detail}
        more={[line.supplier_part_detail?.SKU, line.part_detail?.description].filter(Boolean).join(' · ')}
      />
    ),
  },
  { name: 'reference', width: '7rem', isDesk: true, cell: ({ reference }) => reference, edit: true },
  {
    name: 'quantity',
    title: () => t('purchase.ordered'),
    width: '8rem',
    align: 'end',
    cell: (line) => <Packs line={line} packs={line.quantity} />,
    edit: true,
  },
  {
    name: 'received',
    width: '6rem',
    align: 'end',
    cell: (line) =>
      outstanding(line) === 0 && line.received > 0 ? (
        <span class="done">
          <Icon name="check" />
          {number(line.received)}
        </span>
      ) : (
        number(line.received)
      ),
  },
  {
    name: 'purchase_price',
    title: () => t('purchase.price'),
    width: '8.5rem',
    align: 'end',
    isWide: true,
    cell: (line) => money(line.purchase_price, line.purchase_price_currency),
    edit: true,
    // or the price of the supplier's list would take its place
    along: { auto_pricing: false },
  },
  {
    name: 'total_price',
    title: () => t('orders.total'),
    width: '8.5rem',
    align: 'end',
    isWide: true,
    cell: (line) => (line.purchase_price === null ? '' : money(line.total_price, line.purchase_price_currency)),
  },
  {
    name: 'target_date',
    width: '8rem',
    isDesk: true,
    cell: ({ target_date, overdue }) => <DueDate day={target_date} isOverdue={overdue} />,
    edit: true,
  },
  {
    name: 'destination',
    width: '11rem',
    isWide: true,
    cell: ({ destination, destination_detail }) => (
      <span class={destination === null ? 'quiet-text' : ''} title={destination_detail?.pathstring}>
        {destination_detail?.name}
      </span>
    ),
    edit: ({ row, save }) => (
      <Chooser
        from={sourceOfKind('location')}
        value={row.destination}
        onPick={(place) => save({ destination: place?.pk ?? null })}
        attributes={{ 'aria-label': t('purchase.destination') }}
      />
    ),
  },
  { name: 'notes', isDesk: true, width: '9rem', cell: ({ notes }) => <small>{notes}</small>, edit: true },
]

type Sold = { pk: number; SKU: string; part_detail: PartBrief | null }

/** What a supplier sells, by the name of the part. */
const soldBy = (supplier: number): Source<Sold> => ({
  url: '/api/company/part/',
  query: { supplier, active: true, part_detail: true },
  text: ({ part_detail, SKU }) => part_detail?.full_name ?? SKU,
  more: ({ part_detail, SKU }) => [SKU, part_detail?.description].filter(Boolean).join(' · '),
})

type Properties = {
  order: PurchaseOrder
  currency: string
  rows: readonly PurchaseLine[]
  /** How many lines there are, of which the first are here. */
  total: number
  rights: { add: boolean; change: boolean; delete: boolean }
  onRow: (answer: Answer<PurchaseLine>) => void
  onChanged: () => void
}

/** The lines of an order, as a sheet; below them the next one is found by some letters of its part. */
export function OrderLines({ order, currency, rows, total, rights, onRow, onChanged }: Properties) {
  const begin = useSignal<{ pk: number; name: string } | undefined>(undefined)
  const isAdding = useSignal(0)
  const adder = useRef<HTMLDivElement>(null)
  const mayAdd = rights.add && order.supplier !== null
  useCommands(
    () =>
      mayAdd
        ? [{ keys: 'a', label: () => t('purchase.add-line'), run: () => adder.current?.querySelector('input')?.focus() }]
        : [],
    [mayAdd],
  )
  async function add(part: number) {
    try {
      const { body } = await post<PurchaseLine>(facts.path, {
        order: order.pk,
        part,
        quantity: 1,
        purchase_price_currency: currency,
        merge_items: false,
      })
      begin.value = { pk: body.pk, name: 'quantity' }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(Object.values(error.fields).flat().join(' ') || error.message)
    }
    isAdding.value++
    onChanged()
  }
  const deletion = useLineDeletion<PurchaseLine>({ path: facts.path, nameOf: (row) => row.part_detail?.name, onChanged })
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
      {rows.length < total && <p class="quiet-text pad">{t('orders.more-lines', { count: total - rows.length })}</p>}
      {rows.length === 0 && !mayAdd && <p class="quiet-text pad">{t('orders.no-lines')}</p>}
      {mayAdd && (
        <div class="add-line" ref={adder}>
          <Icon name="plus" />
          <Chooser
            key={isAdding.value}
            from={soldBy(order.supplier as number)}
            value={null}
            onPick={(part) => part && add(part.pk)}
            placeholder={t('purchase.add-line-hint')}
            attributes={{ 'aria-label': t('purchase.add-line') }}
          />
        </div>
      )}
      {deletion.question}
    </Panel>
  )
}
