import partMetadata from 'metadata:/api/part/'
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { useBulkEdit } from '../../kit/grid/bulk-edit.tsx'
import { formatWithUnit, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { Thumbnail } from '../../kit/page/thumbnail.tsx'
import type { Page as ListPage } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { hasPermission } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { EditCell } from '../../kit/table/edit-cell.tsx'
import type { ParameterTemplate } from '../../kit/table/parameter-query.ts'
import { Table } from '../../kit/table/table.tsx'
import { getFirstRowsUrl } from '../../kit/table/table-query.ts'
import type { FirstRows, Rows } from '../../kit/table/table-rows.ts'
import { ImportMenu } from '../import/import-menu.tsx'
import { NewStock } from '../stock/new-stock.tsx'
import { CategoryLinks, type CategoryRow, getCategoriesUrl } from './category/category-links.tsx'
import { NewCategory } from './category/new-category.tsx'
import { NewPart } from './new-part.tsx'
import { AVAILABLE_COLUMN, IN_STOCK_COLUMN, type Part, PartBadges } from './part-details.tsx'
import type { Parameter } from './part-requests.ts'

/** Metadata of the fields of `/api/part/`. */
const metadata: ResourceMetadata = partMetadata

/** Maximum number of parameters that have a column by default, in a category. */
const MAX_PARAMETER_COLUMNS = 3

export type PartRow = Part & { parameters?: Parameter[] }

/** @param reload reloads the rows */
const createColumns = (reload: () => void, isInCategory: boolean): readonly Column<PartRow>[] => [
  {
    name: 'name',
    width: '22%',
    cell: ({ pk, name, thumbnail }) => (
      <a href={`/part/${pk}/`} title={name}>
        <Thumbnail url={thumbnail} />
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
      hasPermission('change', 'part') ? (
        <EditCell metadata={metadata} name="description" row={part} onSaved={reload}>
          {part.description}
        </EditCell>
      ) : (
        part.description
      ),
  },
  { ...IN_STOCK_COLUMN, width: '8rem' },
  { ...AVAILABLE_COLUMN, width: '10rem' },
  {
    name: 'incoming',
    title: () => t('parts.on-order'),
    order: null,
    width: '7rem',
    align: 'end',
    isWide: true,
    cell: ({ incoming = 0, units }) => (incoming > 0 ? formatWithUnit(incoming, units) : ''),
  },
  {
    name: 'minimum_stock',
    order: null,
    width: '8rem',
    align: 'end',
    isWide: true,
    isExtra: true,
    cell: (part) =>
      hasPermission('change', 'part') ? (
        <EditCell metadata={metadata} name="minimum_stock" row={part} onSaved={reload} align="end">
          {formatWithUnit(part.minimum_stock, part.units)}
        </EditCell>
      ) : (
        formatWithUnit(part.minimum_stock, part.units)
      ),
  },
  {
    name: 'category',
    width: '13rem',
    isWide: true,
    isExtra: isInCategory,
    cell: ({ category, category_detail }) =>
      category_detail && (
        <a class="plain" href={`/part/category/${category}/`} title={category_detail.pathstring}>
          {category_detail.name}
        </a>
      ),
  },
  {
    name: 'kinds',
    title: () => t('parts.type'),
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
  'imported',
]
const RARE_FILTERS = ['imported', 'assembly', 'component', 'purchaseable', 'salable', 'trackable', 'starred', 'tags_name']

/** The fields that can be changed for several parts at once. */
const BULK_FIELDS = [
  'category',
  'default_location',
  'minimum_stock',
  'maximum_stock',
  'active',
  'purchaseable',
  'salable',
  'component',
  'assembly',
  'testable',
  'responsible',
  'default_expiry',
  'keywords',
  'link',
]

/** The query of the list: of all parts, or of those of a category. */
const getListOptions = (category: number | undefined) => ({
  metadata,
  filters: category === undefined ? FILTERS : FILTERS.filter((name) => name !== 'category'),
  parameters: {},
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
export const getFirstPartsUrl = (category?: number): string => getFirstRowsUrl(getListOptions(category))

type PartTableProperties = {
  category?: number
  /** The first rows, if the page has loaded them. */
  first?: FirstRows<PartRow>
  /** The parameters of the parts of a category: each is a filter, and a sortable column. */
  templates?: readonly ParameterTemplate[]
  empty: preact.ComponentChildren
}

/** A table of all parts, or of those of a category. */
export function PartTable({ category, first: firstUrl, templates = [], empty }: PartTableProperties) {
  const rows = useRef<Rows<PartRow>>(undefined)
  const dialog = useSignal<{ kind: 'stock'; part: Part } | { kind: 'labels'; parts: readonly number[] } | undefined>(undefined)
  const columns = useMemo(() => createColumns(() => rows.current?.reload(), category !== undefined), [category])
  const close = () => {
    dialog.value = undefined
  }
  const addStock = (part: Part) => {
    dialog.value = { kind: 'stock', part }
  }
  const bulkEdit = useBulkEdit<PartRow>({
    metadata,
    fields: BULK_FIELDS,
    getName: ({ full_name, name }) => full_name ?? name,
    isAllowed: hasPermission('change', 'part'),
  })
  const printLabels = (parts: readonly Part[]) => {
    dialog.value = { kind: 'labels', parts: parts.map(({ pk }) => pk) }
  }
  return (
    <>
      <Table
        {...getListOptions(category)}
        parameters={{ suggested: templates, defaultColumns: MAX_PARAMETER_COLUMNS }}
        columns={columns}
        rareFilters={RARE_FILTERS}
        first={firstUrl}
        to={({ pk }) => `/part/${pk}/`}
        title={t('parts.title')}
        rowCommands={hasPermission('add', 'stock') ? [{ keys: 'a', label: () => t('stock.new'), run: addStock }] : []}
        actions={[{ keys: 'p', label: () => t('labels.title'), icon: 'print', run: printLabels }, ...bulkEdit.actions]}
        onRows={(tableRows) => {
          rows.current = tableRows
        }}
        empty={empty}
      />
      {bulkEdit.dialog}
      {dialog.value?.kind === 'labels' && <PrintLabels kind="part" items={dialog.value.parts} onClose={close} />}
      {dialog.value?.kind === 'stock' && (
        <NewStock part={dialog.value.part.pk} onCreated={() => rows.current?.reload()} onClose={close} />
      )}
    </>
  )
}

/** The shortcut, button and dialog that create a part, for accounts with the permission. */
export function useNewPart(category?: number) {
  const isCreating = useSignal(false)
  const canAdd = hasPermission('add', 'part')
  const openForm = () => {
    isCreating.value = true
  }
  useCommands(() => (canAdd ? [{ keys: 'n', label: () => t('parts.new'), run: openForm }] : []), [canAdd])
  const button = canAdd && (
    <button type="button" class="primary" onClick={openForm}>
      <Icon name="plus" />
      {t('parts.new')}
    </button>
  )
  const dialog = isCreating.value && (
    <NewPart
      category={category}
      onClose={() => {
        isCreating.value = false
      }}
    />
  )
  return { button, dialog }
}

/** `/part/`: all parts. */
export function PartsPage() {
  const { button, dialog } = useNewPart()
  // the URL as the page was opened: the table itself loads later changes
  const firstUrl = useMemo(() => getFirstPartsUrl(), [])
  const { data, error } = useRead<{ parts?: ListPage<PartRow>; categories?: ListPage<CategoryRow> }>(
    { parts: firstUrl, ...(hasPermission('view', 'part_category') ? { categories: getCategoriesUrl(undefined) } : {}) },
    // the table itself shows why there are no rows
    ['parts', 'categories'],
  )
  const isCreatingCategory = useSignal(false)
  const canAddCategory = hasPermission('add', 'part_category')
  const openCategoryForm = () => {
    isCreatingCategory.value = true
  }
  useCommands(
    () => (canAddCategory ? [{ keys: 'c', label: () => t('parts.new-category'), run: openCategoryForm }] : []),
    [canAddCategory],
  )
  const actions = (
    <>
      {button}
      {canAddCategory && (
        <button type="button" onClick={openCategoryForm}>
          <Icon name="plus" />
          {t('parts.new-category')}
        </button>
      )}
      <ImportMenu types={['part', 'partcategory', 'parameter', 'parametertemplate']} />
    </>
  )
  if (error) return <LoadError error={error} />
  if (!data) return null
  return (
    <Page title={t('parts.title')} actions={actions} isFull>
      {data.categories && <CategoryLinks categories={data.categories.body} />}
      <PartTable
        first={data.parts && { url: firstUrl, page: data.parts.body }}
        empty={
          <Empty icon="chip" title={t('parts.none')}>
            {button}
          </Empty>
        }
      />
      {dialog}
      {isCreatingCategory.value && (
        <NewCategory
          onClose={() => {
            isCreatingCategory.value = false
          }}
        />
      )}
    </Page>
  )
}
