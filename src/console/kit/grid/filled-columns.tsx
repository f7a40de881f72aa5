import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { label, t } from '../language/language.ts'
import type { GridColumn, GridRow } from './grid-row.tsx'

type Properties<Row> = { rows: readonly Row[]; columns: readonly GridColumn<Row>[] }

/**
 * The columns of a grid, without those that are empty in all rows. A column that was shown stays, such as one whose only value was deleted.
 * `showAll` shows the others as well.
 */
export function useFilledColumns<Row extends GridRow>({
  rows,
  columns: allColumns,
}: Properties<Row>): {
  columns: readonly GridColumn<Row>[]
  hiddenColumns: readonly GridColumn<Row>[]
  showAll: () => void
} {
  const showsAll = useSignal(false)
  const shownNames = useRef(new Set<string>())
  for (const { name, isEmpty } of allColumns)
    if (!isEmpty || (rows.length > 0 && !rows.every(isEmpty))) shownNames.current.add(name)
  const isShown = ({ name }: GridColumn<Row>) => showsAll.value || shownNames.current.has(name)
  // the same list as long as it has the same columns, so that rows do not render again
  const columns = useMemo(() => allColumns.filter(isShown), [allColumns, allColumns.map(isShown).join()])
  return {
    columns,
    hiddenColumns: rows.length === 0 ? [] : allColumns.filter((column) => !isShown(column)),
    showAll: () => {
      showsAll.value = true
    },
  }
}

/** Offers the columns that are hidden because they are empty, so that a value can be entered. */
export const HiddenColumns = <Row,>({ columns, onShow }: { columns: readonly GridColumn<Row>[]; onShow: () => void }) =>
  columns.length === 0 ? null : (
    <button
      type="button"
      class={`quiet hidden-columns ${columns.every(({ isDesk }) => isDesk) ? 'desk-only' : ''}`}
      onClick={onShow}
    >
      {t('grid.show-empty', { columns: columns.map(({ name, title }) => title?.() ?? label(name)).join(', ') })}
    </button>
  )
