import metadata from 'metadata:/api/order/ro-line/'
import type { Source } from '../../kit/form/combobox.tsx'
import type { GridColumn } from '../../kit/grid/grid.tsx'
import type { EditRequest } from '../../kit/grid/rows.tsx'
import { choiceLabel, formatDate, formatMoney, formatWithUnit, t } from '../../kit/language/language.ts'
import { discountColumn } from '../orders/line-columns.tsx'
import { Lines, type LinesProperties, type NextLine } from '../orders/lines.tsx'
import type { PartBrief } from '../orders/order.ts'
import { DueDate, PartName } from '../orders/order-cells.tsx'
import { type ReturnLine, type ReturnOrder, UNDECIDED } from './return-order-details.ts'

/** URL of the lines. */
export const LINES_PATH = metadata.path

/** The first cell edited in a new line: the remark of the customer. */
export const FIRST_EDITED_FIELD = 'notes'

/** The names of the outcomes of an item. */
export const listOutcomes = (): { value: number; text: string }[] =>
  (metadata.fields.outcome?.choices ?? []).map((value) => ({ value: Number(value), text: formatOutcome(Number(value)) }))

const formatOutcome = (outcome: number): string => choiceLabel(metadata.path, 'outcome', outcome)

const columns: readonly GridColumn<ReturnLine>[] = [
  {
    name: 'item',
    title: () => t('returns.item'),
    cell: ({ part_detail, item, item_detail }) => (
      <PartName part={part_detail} detail={<a href={`/stock/item/${item}/`}>#{item_detail?.serial}</a>} />
    ),
  },
  { name: 'notes', title: () => t('returns.complaint'), cell: ({ notes }) => notes, edit: true },
  {
    name: 'received_date',
    title: () => t('returns.received'),
    width: '8rem',
    isWide: true,
    cell: ({ received_date }) =>
      received_date ? (
        <span class="done">{formatDate(received_date)}</span>
      ) : (
        <span class="quiet-text">{t('returns.outstanding')}</span>
      ),
  },
  {
    name: 'outcome',
    width: '7.5rem',
    cell: ({ outcome }) => <span class={outcome === UNDECIDED ? 'quiet-text' : ''}>{formatOutcome(outcome)}</span>,
    edit: true,
  },
  {
    name: 'price',
    title: () => t('returns.price'),
    width: '8.5rem',
    align: 'end',
    isWide: true,
    cell: ({ price, price_currency }) => formatMoney(price, price_currency),
    edit: true,
  },
  {
    name: 'target_date',
    width: '8rem',
    isDesk: true,
    cell: ({ target_date }) => <DueDate day={target_date} isOverdue={false} />,
    edit: true,
  },
  {
    name: 'reference',
    width: '8rem',
    isDesk: true,
    cell: ({ reference }) => reference,
    edit: true,
  },
  discountColumn,
  {
    name: 'quantity',
    flag: 'extended',
    width: '6rem',
    align: 'end',
    isDesk: true,
    cell: ({ quantity, part_detail }) => formatWithUnit(quantity, part_detail?.units),
    edit: true,
  },
]

type Item = { pk: number; serial: string | null; batch: string | null; part_detail: PartBrief | null }

/** Searches the serialized items that a customer has. */
const createCustomerItemSource = (customer: number): Source<Item> => ({
  url: '/api/stock/',
  query: { customer, serialized: true, part_detail: true },
  getTitle: ({ serial, part_detail }) => `#${serial} ${part_detail?.full_name ?? ''}`,
  getDetail: ({ part_detail, batch }) => [part_detail?.description, batch].filter(Boolean).join(' · '),
})

type Properties = LinesProperties<ReturnOrder, ReturnLine> & {
  editRequest: EditRequest
  /** Adds a line for an item. */
  add: (item: number) => Promise<unknown>
}

/** The lines of a return order; the next one is added by searching the items of the customer, or by scanning. */
export function ReturnLines({ order: { customer }, rows, total, rights, editRequest, add, onChanged }: Properties) {
  const next: NextLine<Item> | undefined =
    rights.add && customer !== null
      ? {
          source: createCustomerItemSource(customer),
          title: t('returns.add-line'),
          placeholder: t('returns.add-line-hint'),
          add: ({ pk }) => add(pk),
        }
      : undefined
  return (
    <Lines<ReturnLine, Item>
      metadata={metadata}
      rows={rows}
      total={total}
      columns={columns}
      rights={rights}
      editRequest={editRequest}
      onChanged={onChanged}
      nameOf={({ part_detail, item_detail }) => `${part_detail?.name ?? ''} #${item_detail?.serial ?? ''}`}
      next={next}
    />
  )
}
