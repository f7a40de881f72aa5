import { useSignal } from '@preact/signals'
import { type Answer, post, Refusal, remove } from '../../kit/api.ts'
import type { ResourceFacts } from '../../kit/facts.ts'
import { Icon } from '../../kit/icon.tsx'
import { money, number, t } from '../../kit/language.ts'
import { Panel } from '../../kit/page.tsx'
import { Sheet, type SheetColumn } from '../../kit/sheet.tsx'
import { warn } from '../../kit/toast.tsx'
import type { ExtraLine } from './order.ts'

const columns: readonly SheetColumn<ExtraLine>[] = [
  { name: 'description', cell: ({ description }) => description, edit: true },
  { name: 'reference', width: '9rem', isWide: true, cell: ({ reference }) => reference, edit: true },
  { name: 'quantity', width: '6rem', align: 'end', cell: ({ quantity }) => number(quantity), edit: true },
  {
    name: 'price',
    width: '9rem',
    align: 'end',
    cell: ({ price, price_currency }) => money(price, price_currency),
    edit: true,
  },
  {
    name: 'price_currency',
    title: () => t('orders.currency'),
    width: '6rem',
    isWide: true,
    cell: (line) => line.price_currency,
    edit: true,
  },
  {
    name: 'total_price',
    title: () => t('orders.total'),
    width: '9rem',
    align: 'end',
    cell: ({ price, quantity, price_currency }) => (price === null ? '' : money(Number(price) * quantity, price_currency)),
  },
]

type Properties = {
  facts: ResourceFacts
  order: number
  /** In which new ones are. */
  currency: string
  rows: readonly ExtraLine[]
  rights: { add: boolean; change: boolean; delete: boolean }
  onRow: (answer: Answer<ExtraLine>) => void
  onChanged: () => void
}

/** What of an order is no part: freight, a discount. */
export function ExtraLines({ facts, order, currency, rows, rights, onRow, onChanged }: Properties) {
  const begin = useSignal<{ pk: number; name: string } | undefined>(undefined)
  async function add() {
    try {
      const { body } = await post<ExtraLine>(facts.path, { order, quantity: 1, price_currency: currency })
      begin.value = { pk: body.pk, name: 'description' }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(error.message)
    }
    onChanged()
  }
  async function take(row: ExtraLine) {
    try {
      await remove(`${facts.path}${row.pk}/`, row.etag)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(error.message)
    }
    onChanged()
  }
  if (rows.length === 0 && !rights.add) return null
  return (
    <Panel
      title={t('orders.extra-lines')}
      class="flush"
      actions={
        rights.add && (
          <button type="button" class="quiet" onClick={add}>
            <Icon name="plus" />
            {t('orders.add-extra')}
          </button>
        )
      }
    >
      {rows.length > 0 && (
        <Sheet
          facts={facts}
          title={t('orders.extra-lines')}
          rows={rows}
          columns={columns}
          mayChange={rights.change}
          onRow={onRow}
          begin={begin}
          isBeside
          end={
            rights.delete
              ? (row) => (
                  <button
                    type="button"
                    class="quiet icon-only"
                    aria-label={t('orders.delete-line', { line: row.description || String(row.pk) })}
                    onClick={() => take(row)}
                  >
                    <Icon name="trash" />
                  </button>
                )
              : undefined
          }
        />
      )}
    </Panel>
  )
}
