import partMetadata from 'metadata:/api/part/'
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { quantity, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import type { Page as ListPage } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { may } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { EditCell } from '../../kit/table/edit-cell.tsx'
import { firstOf, Table } from '../../kit/table/table.tsx'
import type { FirstRows, Rows } from '../../kit/table/table-rows.ts'
import { NewStock } from '../stock/new-stock.tsx'
import { CategoryLinks, type CategoryRow, categoriesIn } from './category/category-links.tsx'
import { NewCategory } from './category/new-category.tsx'
import { NewPart } from './new-part.tsx'
import { formatValue } from './parameters.tsx'
import { FREE, IN_STOCK, type Part, PartBadges } from './part-details.tsx'
import type { Parameter, ParameterTemplate } from './part-reading.ts'

/** Metadata of the fields of `/api/part/`. */
const metadata: ResourceMetadata = partMetadata

/** Number of parameters of the parts of a category that have a column by default. */
const MAX_PARAMETER_COLUMNS = 3

export type PartRow = Part & { parameters?: Parameter[] }

/** @param reload reloads the rows */
const columnsFor = (
  reload: () => void,
  isInCategory: boolean,
  templates: readonly ParameterTemplate[],
): readonly Column<PartRow>[] => [
  {
    name: 'name',
    width: '22%',
    cell: ({ pk, name }) => (
      <a href={`/part/${pk}/`} title={name}>
        {name}
      </a>
    ),
  },
  { name: 'IPN', width: '8.5rem', isWide: true, cell: ({ IPN }) => IPN },
  {
    name: 'description',
    order: null,
    isWide: true,
    cell: (part) =>
      may('change', 'part') ? (
        <EditCell metadata={metadata} name="description" row={part} onSaved={reload}>
          {part.description}
        </EditCell>
      ) : (
        part.description
      ),
  },
  { ...IN_STOCK, width: '8rem' },
  { ...FREE, width: '12rem' },
  {
    name: 'incoming',
    title: () => t('parts.on-order'),
    order: null,
    width: '7rem',
    align: 'end',
    isWide: true,
    cell: ({ incoming = 0, units }) => (incoming > 0 ? quantity(incoming, units) : ''),
  },
  {
    name: 'minimum_stock',
    order: null,
    width: '8rem',
    align: 'end',
    isWide: true,
    isExtra: true,
    cell: (part) =>
      may('change', 'part') ? (
        <EditCell metadata={metadata} name="minimum_stock" row={part} onSaved={reload} align="end">
          {quantity(part.minimum_stock, part.units)}
        </EditCell>
      ) : (
        quantity(part.minimum_stock, part.units)
      ),
  },
  {
    name: 'category',
    width: '11rem',
    isWide: true,
    isExtra: isInCategory,
    cell: ({ category, category_detail }) =>
      category_detail && (
        <a class="plain" href={`/part/category/${category}/`} title={category_detail.pathstring}>
          {category_detail.name}
        </a>
      ),
  },
  ...templates.map(
    ({ pk, name }, at): Column<PartRow> => ({
      name: `parameter_${pk}`,
      title: () => name,
      width: '7rem',
      isWide: true,
      isExtra: at >= MAX_PARAMETER_COLUMNS,
      cell: ({ parameters = [] }) => {
        const value = parameters.find(({ template }) => template === pk)
        return value && formatValue(value)
      },
    }),
  ),
  {
    name: 'kinds',
    title: () => t('parts.kind'),
    order: null,
    width: '12rem',
    isWide: true,
    isExtra: true,
    cell: (part) => <PartBadges part={part} />,
  },
]

const FILTERS = [
  'category',
  'active',
  'low_stock',
  'has_stock',
  'assembly',
  'component',
  'purchaseable',
  'salable',
  'trackable',
  'starred',
  'tags_name',
]
const RARE_FILTERS = ['assembly', 'component', 'purchaseable', 'salable', 'trackable', 'starred', 'tags_name']

/** The query of the list: of all parts, or of those of a category. */
const listedIn = (category: number | undefined) => ({
  metadata,
  filters: category === undefined ? FILTERS : FILTERS.filter((name) => name !== 'category'),
  fixed: {
    category_detail: 'true',
    etag: 'true',
    flawed_stock: 'true',
    incoming: 'true',
    // the parameters depend on the category
    ...(category === undefined ? {} : { category: String(category), parameters: 'true' }),
  },
})

/** The URL of the first rows of the table, of all parts or of those of a category. */
export const firstParts = (category?: number): string => firstOf(listedIn(category))

type PartTableProperties = {
  category?: number
  /** The first rows, if the page has loaded them. */
  first?: FirstRows<PartRow>
  /** The parameters of the parts of a category: each is a sortable column. */
  templates?: readonly ParameterTemplate[]
  empty: preact.ComponentChildren
}

/** A table of all parts, or of those of a category. */
export function PartTable({ category, first, templates = [], empty }: PartTableProperties) {
  const rows = useRef<Rows<PartRow>>(undefined)
  const dialog = useSignal<{ kind: 'stock'; part: Part } | { kind: 'labels'; parts: readonly number[] } | undefined>(undefined)
  const columns = useMemo(
    () => columnsFor(() => rows.current?.reload(), category !== undefined, templates),
    [category, JSON.stringify(templates.map(({ pk }) => pk))],
  )
  const close = () => {
    dialog.value = undefined
  }
  const addStock = (part: Part) => {
    dialog.value = { kind: 'stock', part }
  }
  const printLabels = (parts: readonly Part[]) => {
    dialog.value = { kind: 'labels', parts: parts.map(({ pk }) => pk) }
  }
  return (
    <>
      <Table
        {...listedIn(category)}
        metadata={{ ...metadata, orders: [...metadata.orders, ...templates.map(({ pk }) => `parameter_${pk}`)] }}
        columns={columns}
        rareFilters={RARE_FILTERS}
        first={first}
        to={({ pk }) => `/part/${pk}/`}
        title={t('parts.title')}
        rowCommands={may('add', 'stock') ? [{ keys: 'a', label: () => t('stock.new'), run: addStock }] : []}
        actions={[{ keys: 'p', label: () => t('labels.title'), icon: 'print', run: printLabels }]}
        onRows={(tableRows) => {
          rows.current = tableRows
        }}
        empty={empty}
      />
      {dialog.value?.kind === 'labels' && <PrintLabels kind="part" items={dialog.value.parts} onClose={close} />}
      {dialog.value?.kind === 'stock' && (
        <NewStock part={dialog.value.part.pk} onCreated={() => rows.current?.reload()} onClose={close} />
      )}
    </>
  )
}

/** The key, the button and the dialog that create a part, for accounts that may. */
export function useNewPart(category?: number) {
  const isMaking = useSignal(false)
  const mayAdd = may('add', 'part')
  const make = () => {
    isMaking.value = true
  }
  useCommands(() => (mayAdd ? [{ keys: 'n', label: () => t('parts.new'), run: make }] : []), [mayAdd])
  const button = mayAdd && (
    <button type="button" class="primary" onClick={make}>
      <Icon name="plus" />
      {t('parts.new')}
    </button>
  )
  const dialog = isMaking.value && (
    <NewPart
      category={category}
      onClose={() => {
        isMaking.value = false
      }}
    />
  )
  return { button, dialog }
}

/** `/part/`: all parts. */
export function Parts() {
  const { button, dialog } = useNewPart()
  // the URL as the page was opened: the table itself loads later changes
  const first = useMemo(() => firstParts(), [])
  const { data, error } = useRead<{ parts?: ListPage<PartRow>; categories?: ListPage<CategoryRow> }>(
    { parts: first, ...(may('view', 'part_category') ? { categories: categoriesIn(undefined) } : {}) },
    // the table itself shows why there are no rows
    ['parts', 'categories'],
  )
  const isSorting = useSignal(false)
  const mayAddCategory = may('add', 'part_category')
  const sort = () => {
    isSorting.value = true
  }
  useCommands(() => (mayAddCategory ? [{ keys: 'c', label: () => t('parts.new-category'), run: sort }] : []), [mayAddCategory])
  const actions = (
    <>
      {button}
      {mayAddCategory && (
        <button type="button" onClick={sort}>
          <Icon name="plus" />
          {t('parts.new-category')}
        </button>
      )}
    </>
  )
  if (error) return <LoadError error={error} />
  if (!data) return null
  return (
    <Page title={t('parts.title')} actions={actions} isFull>
      {data.categories && <CategoryLinks categories={data.categories.body} />}
      <PartTable
        first={data.parts && { url: first, page: data.parts.body }}
        empty={
          <Empty icon="chip" title={t('parts.none')}>
            {button}
          </Empty>
        }
      />
      {dialog}
      {isSorting.value && (
        <NewCategory
          onClose={() => {
            isSorting.value = false
          }}
        />
      )}
    </Page>
  )
}
