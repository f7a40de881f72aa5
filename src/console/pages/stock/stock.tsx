import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { date, money, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { may } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { renderNoneOpen } from '../../kit/table/open-only.tsx'
import { firstOf, Table } from '../../kit/table/table.tsx'
import type { FirstRows, Rows } from '../../kit/table/table-rows.ts'
import { NewStock } from './new-stock.tsx'
import { OFFERS, type StockAction } from './offers.ts'
import { StockActionDialog } from './stock-actions.tsx'
import { DETAILS, expiryOf, identifierOf, quantityOf, States, type StockItem, stockMetadata, titleOf } from './stock-details.tsx'

/** The columns of stock items in all lists. */
export const STOCK_COLUMNS: readonly Column<StockItem>[] = [
  {
    name: 'part',
    order: 'part__name',
    cell: (item) => (
      <a href={`/stock/item/${item.pk}/`} title={titleOf(item)}>
        <span class="wide-only">{item.part_detail?.full_name ?? item.part}</span>
        {/* narrow screens show the serial number or batch here, as they have no column for it */}
        <span class="narrow-only">
          {[item.serial && identifierOf(item), item.part_detail?.name ?? item.part, !item.serial && item.batch]
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
        {quantityOf(item)}
        {/* narrow screens have no column for it */}
        {expiryOf(item) && (
          <small class="narrow-only expiry">
            <span class="unseen">{t(`field.${expiryOf(item) ?? 'stale'}`)} </span>
            {date(item.expiry_date)}
          </small>
        )}
      </>
    ),
  },
  { name: 'status', width: '11.5rem', isWide: true, cell: (item) => <States item={item} isShort /> },
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
  { name: 'mark', title: () => t('stock.mark'), order: 'batch', width: '10rem', isWide: true, cell: identifierOf },
  { name: 'expiry_date', width: '8rem', isWide: true, isExtra: true, cell: (item) => date(item.expiry_date) },
  { name: 'stocktake_date', width: '8.5rem', isWide: true, cell: (item) => date(item.stocktake_date) },
  {
    name: 'purchase_price',
    order: null,
    width: '9rem',
    align: 'end',
    isWide: true,
    isExtra: true,
    cell: (item) => money(item.purchase_price, item.purchase_price_currency),
  },
  { name: 'updated', width: '8.5rem', isWide: true, isExtra: true, cell: ({ updated }) => date(updated?.slice(0, 10)) },
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
]

type Listed = {
  /** Parameters that the list always uses. */
  fixed?: Record<string, string>
  filters?: readonly string[]
}

type TableProperties = Listed & {
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
export const firstStock = ({ fixed, filters = FILTERS }: Listed): string =>
  firstOf({ metadata: stockMetadata, filters, fixed: { ...DETAILS, ...fixed } })

/** A table of stock items, with actions on the row with the keyboard focus, or on several selected rows. */
export function StockTable({
  fixed = {},
  columns = STOCK_COLUMNS,
  filters = FILTERS,
  first,
  emptyState,
  empty,
}: TableProperties) {
  const openAction = useSignal<OpenAction | undefined>(undefined)
  const rows = useRef<Rows<StockItem>>(undefined)
  const close = () => {
    openAction.value = undefined
  }
  const now = openAction.value
  const allowed = OFFERS.filter(({ isAllowed }) => isAllowed())
  return (
    <>
      <Table
        metadata={stockMetadata}
        columns={columns}
        filters={filters}
        rareFilters={RARE_FILTERS.filter((name) => filters.includes(name))}
        fixed={{ ...DETAILS, ...fixed }}
        first={first}
        to={({ pk }) => `/stock/item/${pk}/`}
        title={t('stock.title')}
        actions={allowed
          .filter(({ isForMany }) => isForMany)
          .map(({ action, title, keys, icon, isFor }) => ({
            label: () => t(title),
            icon,
            keys,
            isFor: (item: StockItem) => isFor(item),
            run: (items: readonly StockItem[], onDone: () => void) => {
              openAction.value = { action, items, onDone }
            },
          }))}
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
      {now && (
        <StockActionDialog
          action={now.action}
          items={now.items}
          onDone={() => {
            close()
            now.onDone()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

/** `/stock/`: all stock items. */
export function Stock() {
  const isMaking = useSignal(false)
  const mayAdd = may('add', 'stock')
  const make = () => {
    isMaking.value = true
  }
  useCommands(() => (mayAdd ? [{ keys: 'n', label: () => t('stock.new'), run: make }] : []), [mayAdd])
  const button = mayAdd && (
    <button type="button" class="primary" onClick={make}>
      <Icon name="plus" />
      {t('stock.new')}
    </button>
  )
  return (
    <Page title={t('stock.title')} actions={button} isFull>
      <StockTable
        emptyState={renderNoneOpen('in_stock', 'box', t('stock.none-here'), button)}
        empty={
          <Empty icon="box" title={t('stock.none')}>
            {button}
          </Empty>
        }
      />
      {isMaking.value && (
        <NewStock
          onClose={() => {
            isMaking.value = false
          }}
        />
      )}
    </Page>
  )
}
