import type { GridColumn } from '../../kit/grid/grid.tsx'
import { Rows, useAddedRow } from '../../kit/grid/rows.tsx'
import { formatMoney, formatNumber, t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Panel } from '../../kit/page/page.tsx'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { discountColumn, formatLineTotal } from './line-columns.tsx'
import { getQuantityWarning, lineLabel, type Rights } from './lines.tsx'
import type { ExtraLine } from './order.ts'

const columns: readonly GridColumn<ExtraLine>[] = [
  { name: 'description', cell: ({ description }) => description, edit: true },
  { name: 'reference', width: '9rem', isWide: true, cell: ({ reference }) => reference, edit: true },
  {
    name: 'quantity',
    width: '6rem',
    align: 'end',
    cell: ({ quantity }) => formatNumber(quantity),
    edit: true,
    getWarning: (line, newValue) => getQuantityWarning(line, newValue, formatNumber),
  },
  {
    name: 'price',
    width: '9rem',
    align: 'end',
    cell: ({ price, price_currency }) => formatMoney(price, price_currency),
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
    isWide: true,
    cell: ({ price, quantity, discount, price_currency }) => formatLineTotal(price, quantity, discount, price_currency),
  },
  discountColumn,
]

type Properties = {
  metadata: ResourceMetadata
  order: number
  /** Currency of new charges. */
  currency: string
  rows: readonly ExtraLine[]
  rights: Rights
  onChanged: () => void
}

/** Charges of an order without a part: freight, a discount. */
export function ExtraLines({ metadata, order, currency, rows, rights, onChanged }: Properties) {
  const { editRequest, add } = useAddedRow(metadata.path, 'description', onChanged)
  if (rows.length === 0 && !rights.add) return null
  return (
    <Panel
      title={t('orders.other-charges')}
      class="flush"
      actions={
        rights.add && (
          <button
            type="button"
            class="quiet"
            // the second click of a double click may arrive after the first has added the line, while its cell has the focus
            onMouseDown={(event) => event.detail > 1 && event.preventDefault()}
            onClick={({ detail }) => detail <= 1 && add({ order, quantity: 1, price_currency: currency })}
          >
            <Icon name="plus" />
            {t('orders.add-charge')}
          </button>
        )
      }
    >
      <Rows
        metadata={metadata}
        title={t('orders.other-charges')}
        rows={rows}
        columns={columns}
        rights={rights}
        getName={(row) => lineLabel(row.description, row)}
        deleted={t('orders.line-deleted')}
        editRequest={editRequest}
        isSecondary
        onChanged={onChanged}
      />
    </Panel>
  )
}
