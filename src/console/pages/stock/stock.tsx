import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useBulkEdit } from '../../kit/grid/bulk-edit.tsx'
import { formatDate, formatMoney, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { Thumbnail } from '../../kit/page/thumbnail.tsx'
import { hasPermission } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { renderNoneOpen } from '../../kit/table/open-only.tsx'
import { Table } from '../../kit/table/table.tsx'
import { getFirstRowsUrl } from '../../kit/table/table-query.ts'
import type { FirstRows, Rows } from '../../kit/table/table-rows.ts'
import { ImportMenu } from '../import/import-menu.tsx'
import { NewStock } from './new-stock.tsx'
import { STOCK_ACTIONS, type StockAction } from './offers.ts'
import { StockActionDialog } from './stock-actions.tsx'
import {
  DETAILS,
  formatIdentifier,
  formatItemQuantity,
  formatItemTitle,
  getExpiry,
  StatusBadges,
  type StockItem,
  stockMetadata,
} from './stock-details.tsx'

/** The columns of stock items in all lists. */
export const STOCK_COLUMNS: readonly Column<StockItem>[] = [
  {
    name: 'part',
    order: 'part__name',
    cell: (item) => (
      <a href={`/stock/item/${item.pk}/`} title={formatItemTitle(item)}>
        <Thumbnail url={item.part_detail?.thumbnail} />
        <span class="wide-only">{item.part_detail?.full_name ?? item.part}</span>
        {/* narrow screens show the serial number or batch here, as they have no column for it */}
        <span class="narrow-only">
          {[item.serial && formatIdentifier(item), item.part_detail?.name ?? item.part, !item.serial && item.batch]
            .filter(Boolean)
            .join(' ')}
        </span>
      </a>
    ),
  },
  {
    name: 'quantity',
    width: 'clamp(7rem, 9vw, 8rem)',
    align: 'end',
    order: 'stock',
    cell: (item) => (
      <>
        {formatItemQuantity(item)}
        {/* narrow screens have no column for it */}
        {getExpiry(item) && (
          <small class="narrow-only expiry">
            <span class="visually-hidden">{t(`field.${getExpiry(item) ?? 'stale'}`)} </span>
            {formatDate(item.expiry_date)}
          </small>
        )}
      </>
    ),
  },
  { name: 'status', width: '10.5rem', isWide: true, cell: (item) => <StatusBadges item={item} isShort /> },
  {
    name: 'location',
    width: '20%',
    cell: ({ location, location_detail }) =>
      location_detail && (
        <a class="plain" href={`/stock/location/${location}/`} title={location_detail.pathstring}>
          <span class="wide-only">{location_detail.pathstring.split('/').slice(-2).join('/')}</span>
          <span class="narrow-only">{location_detail.name}</span>
        </a>
      ),
  },
  { name: 'mark', title: () => t('stock.serial-or-batch'), order: 'batch', width: '12rem', isWide: true, cell: formatIdentifier },
  { name: 'expiry_date', width: '8rem', isWide: true, isExtra: true, cell: (item) => formatDate(item.expiry_date) },
  { name: 'stocktake_date', width: '8.5rem', isWide: true, cell: (item) => formatDate(item.stocktake_date) },
  {
    name: 'purchase_price',
    order: null,
    width: '9rem',
    align: 'end',
    isWide: true,
    isExtra: true,
    cell: (item) => formatMoney(item.purchase_price, item.purchase_price_currency),
  },
  { name: 'updated', width: '8.5rem', isWide: true, isExtra: true, cell: ({ updated }) => formatDate(updated?.slice(0, 10)) },
  { name: 'IPN', order: 'part__IPN', width: '10rem', isWide: true, isExtra: true, cell: ({ part_detail }) => part_detail?.IPN },
]

const FILTERS = [
  'in_stock',
  'status',
  'location',
  'category',
  'expired',
  'stale',
  'supplier',
  'customer',
  'part',
  'allocated',
  'batch',
  'serialized',
  'purchase_order',
  'build',
  'consumed_by',
  'tags__name',
  'imported',
]
const RARE_FILTERS = [
  'stale',
  'supplier',
  'customer',
  'part',
  'allocated',
  'batch',
  'serialized',
  'purchase_order',
  'build',
  'consumed_by',
  'tags__name',
  'imported',
]

/** The fields that can be changed for several items at once; quantity, status and location have actions of their own. */
const BULK_FIELDS = ['batch', 'expiry_date', 'packaging', 'owner', 'purchase_price', 'delete_on_deplete', 'link']

type ListOptions = {
  /** Parameters that the list always uses. */
  fixed?: Record<string, string>
  filters?: readonly string[]
}

type TableProperties = ListOptions & {
  columns?: readonly Column<StockItem>[]
  /** The first rows, if the page has loaded them. */
  first?: FirstRows<StockItem>
  /** Content shown if no row matches the filters, if it needs more than a message. */
  emptyState?: preact.ComponentChildren
  empty: preact.ComponentChildren
}

type OpenAction = {
  action: StockAction
  items: readonly StockItem[]
  /** Called after an action was performed. */
  onDone: () => void
}

/** The URL of the first rows of such a table. */
export const getFirstStockUrl = ({ fixed, filters = FILTERS }: ListOptions): string =>
  getFirstRowsUrl({ metadata: stockMetadata, filters, parameters: getParameters(filters), fixed: { ...DETAILS, ...fixed } })

/** Stock of many parts can be filtered by the parameters of its parts. */
const getParameters = (filters: readonly string[]) =>
  filters.includes('category') && hasPermission('view', 'part') ? PART_PARAMETERS : undefined
const PART_PARAMETERS = { isFilterOnly: true }

/** A table of stock items, with actions on the row with the keyboard focus, or on several selected rows. */
export function StockPage({ fixed = {}, columns = STOCK_COLUMNS, filters = FILTERS, first, emptyState, empty }: TableProperties) {
  const openAction = useSignal<OpenAction | undefined>(undefined)
  const rows = useRef<Rows<StockItem>>(undefined)
  const close = () => {
    openAction.value = undefined
  }
  const currentAction = openAction.value
  const bulkEdit = useBulkEdit<StockItem>({
    metadata: stockMetadata,
    fields: BULK_FIELDS,
    getName: formatItemTitle,
    isAllowed: hasPermission('change', 'stock'),
  })
  const allowed = STOCK_ACTIONS.filter(({ isAllowed }) => isAllowed())
  return (
    <>
      <Table
        metadata={stockMetadata}
        columns={columns}
        filters={filters}
        rareFilters={RARE_FILTERS.filter((name) => filters.includes(name))}
        parameters={getParameters(filters)}
        fixed={{ ...DETAILS, ...fixed }}
        first={first}
        to={({ pk }) => `/stock/item/${pk}/`}
        title={t('stock.title')}
        actions={[
          ...allowed
            .filter(({ isForMany }) => isForMany)
            .map(({ action, title, keys, icon, isFor }) => ({
              label: () => t(title),
              icon,
              keys,
              isFor: (item: StockItem) => isFor(item),
              run: (items: readonly StockItem[], onDone: () => void) => {
                openAction.value = { action, items, onDone }
              },
            })),
          ...bulkEdit.actions,
        ]}
        rowCommands={allowed
          .filter(({ isForMany }) => !isForMany)
          .map(({ action, title, keys, isFor }) => ({
            keys,
            label: () => t(title),
            run: (item: StockItem) => {
              if (isFor(item)) openAction.value = { action, items: [item], onDone: () => rows.current?.reload() }
            },
          }))}
        onRows={(tableRows) => {
          rows.current = tableRows
        }}
        noMatches={emptyState}
        empty={empty}
      />
      {bulkEdit.dialog}
      {currentAction && (
        <StockActionDialog
          action={currentAction.action}
          items={currentAction.items}
          onDone={() => {
            close()
            currentAction.onDone()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

/** `/stock/`: all stock items. */
export function Stock() {
  const isCreating = useSignal(false)
  const canAdd = hasPermission('add', 'stock')
  const openForm = () => {
    isCreating.value = true
  }
  useCommands(() => (canAdd ? [{ keys: 'n', label: () => t('stock.new'), run: openForm }] : []), [canAdd])
  const button = canAdd && (
    <button type="button" class="primary" onClick={openForm}>
      <Icon name="plus" />
      {t('stock.new')}
    </button>
  )
  return (
    <Page
      title={t('stock.title')}
      actions={
        <>
          {button}
          <ImportMenu types={['stockitem']} />
        </>
      }
      isFull
    >
      <StockPage
        emptyState={renderNoneOpen('in_stock', 'box', t('stock.none-in-stock'), button)}
        empty={
          <Empty icon="box" title={t('stock.none')}>
            {button}
          </Empty>
        }
      />
      {isCreating.value && (
        <NewStock
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
    </Page>
  )
}
