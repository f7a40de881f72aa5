import { createParameters, type Parameters } from '../navigation/router.ts'
import { isFieldVisible } from '../service/features.ts'
import type { ResourceMetadata } from '../service/field-metadata.ts'
import type { Column } from './column.ts'
import { needsParameters, type ParameterOptions, readParameterFilters } from './parameter-filters.tsx'
import { buildFirstRowsUrl } from './table-rows.ts'

/** Properties of a table that determine its rows. */
type TableSource = {
  metadata: ResourceMetadata
  filters?: readonly string[]
  fixed?: Record<string, string | undefined>
  order?: string
  urlPrefix?: string
  parameters?: ParameterOptions | undefined
}

/** Parameters of the list: the fixed ones, and those of the URL. */
export function buildQuery({
  filters = [],
  fixed = {},
  order,
  urlPrefix,
  parameters,
}: TableSource): Record<string, string | undefined> {
  const urlParameters = createParameters(urlPrefix)
  const { query } = urlParameters
  const filterValues = Object.fromEntries(filters.filter(isFieldVisible).map((name) => [name, query(name)]))
  const needsValues = parameters && !parameters.isFilterOnly && needsParameters(urlParameters)
  return {
    ...fixed,
    ...(needsValues ? { parameters: 'true' } : {}),
    search: query('search'),
    ordering: query('ordering') ?? order,
    ...filterValues,
    ...(parameters ? readParameterFilters(urlParameters) : {}),
  }
}

/** URL of a table's first rows, so that a page loads them in one round trip with its other data. */
export const getFirstRowsUrl = (table: TableSource): string => buildFirstRowsUrl(table.metadata.path, buildQuery(table))

/** The shown columns, in order: those of the URL, otherwise those that are not extras. */
export function selectVisibleColumns<Row>(columns: readonly Column<Row>[], { query }: Parameters): readonly Column<Row>[] {
  const selection = query('columns')?.split(',')
  if (!selection) return columns.filter(({ isExtra }) => !isExtra)
  return selection.flatMap((name) => columns.find((column) => column.name === name) ?? [])
}
