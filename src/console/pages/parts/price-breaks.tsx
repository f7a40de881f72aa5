import internalMetadata from 'metadata:/api/part/internal-price/'
import saleMetadata from 'metadata:/api/part/sale-price/'
import { Field } from '../../kit/form/form.tsx'
import type { GridColumn } from '../../kit/grid/grid.tsx'
import { RowsPanel } from '../../kit/grid/rows-panel.tsx'
import { formatMoney, formatWithUnit, t } from '../../kit/language/language.ts'
import { MoreRows } from './more-rows.tsx'
import type { Part } from './part-details.tsx'
import type { PriceBreak } from './part-requests.ts'

/** The two kinds of price breaks of a part, with the key that adds one. */
const KINDS = {
  internal: { metadata: internalMetadata, title: 'parts.internal-prices', add: 'parts.new-internal-price', keys: 'i' },
  sale: { metadata: saleMetadata, title: 'parts.sale-prices', add: 'parts.new-sale-price', keys: 's' },
} as const

type Properties = {
  kind: keyof typeof KINDS
  part: Part
  breaks: readonly PriceBreak[]
  total: number
  /** Currency of the first price. */
  currency: string
  rights: { add: boolean; change: boolean; delete: boolean }
  reload: () => void
  onMore: () => void
}

/** The price breaks of a part, as a grid. */
export function PriceBreaks({ kind, part, breaks, total, currency, rights, reload, onMore }: Properties) {
  const { metadata, title, add, keys } = KINDS[kind]
  const columns: GridColumn<PriceBreak>[] = [
    {
      name: 'quantity',
      title: () => t('parts.minimum-quantity'),
      align: 'end',
      cell: (row) => formatWithUnit(row.quantity, part.units),
      edit: true,
    },
    {
      name: 'price',
      title: () => t('parts.unit-price'),
      align: 'end',
      cell: (row) => formatMoney(row.price, row.price_currency),
      edit: true,
    },
    { name: 'price_currency', width: '6rem', cell: (row) => row.price_currency, edit: true },
  ]
  return (
    <RowsPanel<PriceBreak>
      title={t(title)}
      metadata={metadata}
      rows={breaks}
      columns={columns}
      rights={rights}
      getName={(row) =>
        t('parts.price-of', {
          price: formatMoney(row.price, row.price_currency),
          quantity: formatWithUnit(row.quantity, part.units),
        })
      }
      emptyText={t('parts.no-price')}
      isSecondary={kind === 'sale'}
      addForm={{
        title: t(add),
        shortTitle: t('parts.new-price'),
        keys,
        start: {
          part: part.pk,
          quantity: breaks.length === 0 ? '1' : '',
          price: '',
          price_currency: breaks.at(-1)?.price_currency ?? currency,
        },
        names: ['quantity', 'price', 'price_currency'],
        without: 'rest',
        customFields: (form) => ({
          quantity: () => <Field form={form} name="quantity" title={t('parts.minimum-quantity')} help={part.units || null} />,
          price: () => <Field form={form} name="price" title={t('parts.unit-price')} help={null} />,
          price_currency: () => <Field form={form} name="price_currency" help={null} />,
        }),
        button: t('save'),
      }}
      onChanged={reload}
    >
      <MoreRows visibleCount={breaks.length} total={total} onMore={onMore} />
    </RowsPanel>
  )
}
