import metadata from 'metadata:/api/part/stocktake/'
import { useSignal } from '@preact/signals'
import { Field } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { EditableGrid, type GridColumn } from '../../kit/grid/grid.tsx'
import { useSavedRows } from '../../kit/grid/rows.tsx'
import { formatDate, formatPriceRange, formatWithUnit, t } from '../../kit/language/language.ts'
import { post } from '../../kit/service/api.ts'
import { MoreRows } from './more-rows.tsx'
import type { Part } from './part-details.tsx'
import type { Stocktake } from './part-requests.ts'

/** Number of the latest counts shown. */
const LATEST_COUNT = 6

type Properties = { part: Part; stocktakes: readonly Stocktake[]; canChange: boolean; reload: () => void }

/** The latest counts of a part, with their value. @param stocktakes newest first */
export function Stocktakes({ part, stocktakes, canChange, reload }: Properties) {
  const { rows, save } = useSavedRows(stocktakes, reload)
  const showsAll = useSignal(false)
  if (stocktakes.length === 0) return null
  const visibleRows = showsAll.value ? rows.value : rows.value.slice(0, LATEST_COUNT)
  const columns: GridColumn<Stocktake>[] = [
    { name: 'date', title: () => t('parts.counted-on'), cell: (stocktake) => formatDate(stocktake.date) },
    { name: 'quantity', align: 'end', cell: (stocktake) => formatWithUnit(stocktake.quantity, part.units), edit: true },
    {
      name: 'worth',
      title: () => t('parts.stock-value'),
      align: 'end',
      isWide: true,
      cell: ({ cost_min, cost_max, cost_min_currency, cost_max_currency }) =>
        cost_min_currency === cost_max_currency
          ? formatPriceRange(cost_min, cost_max, cost_min_currency)
          : formatPriceRange(cost_min, null, cost_min_currency),
    },
    { name: 'note', isWide: true, cell: ({ note }) => <small>{note}</small>, edit: true },
  ]
  return (
    <>
      <EditableGrid<Stocktake>
        metadata={metadata}
        title={t('parts.stocktakes')}
        rows={visibleRows}
        columns={columns}
        canChange={canChange}
        onRow={save}
        isSecondary
      />
      <MoreRows
        visibleCount={visibleRows.length}
        total={stocktakes.length}
        onMore={() => {
          showsAll.value = true
        }}
      />
    </>
  )
}

/** Records the quantity of a part as of today. It changes no stock. */
export const NewStocktake = ({ part, onDone, onClose }: { part: Part; onDone: () => void; onClose: () => void }) => (
  <FormDialog<unknown>
    title={t('parts.new-stocktake')}
    metadata={metadata}
    start={{ part: part.pk, quantity: String(part.in_stock), note: '' }}
    names={['quantity', 'note']}
    without="rest"
    customFields={(form) => ({
      quantity: () => <Field form={form} name="quantity" help={t('parts.stocktake-help')} />,
      note: () => <Field form={form} name="note" help={null} />,
    })}
    button={t('save')}
    send={(values, key) => post(metadata.path, values, key)}
    getSuccessMessage={() => t('saved')}
    onDone={() => {
      onClose()
      onDone()
    }}
    onClose={onClose}
  />
)
