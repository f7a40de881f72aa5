import {
  type ColumnDef,
  columnOrderingFeature,
  columnVisibilityFeature,
  constructTable,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/table-core'
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings'
import { useMemo } from 'preact/hooks'
import { label } from '../language/language.ts'
import type { Parameters } from '../navigation/router.ts'
import { Icon } from '../page/icon.tsx'
import type { ResourceMetadata } from '../service/field-metadata.ts'
import { type Column, getCellClass } from './column.ts'

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  columnVisibilityFeature,
  columnOrderingFeature,
  rowSortingFeature,
})

/** The columns for TanStack: visibility and order. */
export function useTable<Row extends { pk: number }>(columns: readonly Column<Row>[], visibleColumns: readonly Column<Row>[]) {
  const table = useMemo(
    () =>
      constructTable<typeof features, Row>({
        features,
        columns: columns.map(
          ({ name }): ColumnDef<typeof features, Row> => ({ id: name, accessorFn: (row) => row[name as keyof Row] }),
        ),
        data: [],
      }),
    [columns],
  )
  const names = visibleColumns.map(({ name }) => name)
  table.setColumnVisibility(Object.fromEntries(columns.map(({ name }) => [name, names.includes(name)])))
  table.setColumnOrder(names)
  return table
}

/** A column header; pressing it sorts the list, pressing it again reverses the order. */
export function ColumnHeader<Row>({
  column,
  metadata,
  urlParameters,
}: {
  column: Column<Row>
  metadata: ResourceMetadata
  urlParameters: Parameters
}) {
  const { name, title = () => label(name), order = name } = column
  const currentOrder = urlParameters.query('ordering')
  const isSortable = order !== null && metadata.orders.includes(order)
  const direction = currentOrder === order ? 'ascending' : currentOrder === `-${order}` ? 'descending' : undefined
  return (
    <th class={getCellClass(column)} scope="col" aria-sort={isSortable ? (direction ?? 'none') : undefined}>
      {isSortable ? (
        <button
          type="button"
          onClick={() =>
            urlParameters.setQuery({ ordering: direction === 'ascending' ? `-${order}` : (order as string), at: undefined })
          }
        >
          <span>{title()}</span>
          {direction && <Icon name={direction === 'ascending' ? 'up' : 'down'} />}
        </button>
      ) : (
        title()
      )}
    </th>
  )
}
