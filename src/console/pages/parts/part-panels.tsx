import { useSignal } from '@preact/signals'
import { count, formatMoney, formatNumber, formatWithUnit, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRequestedAction } from '../../kit/navigation/requested-action.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Panel } from '../../kit/page/page.tsx'
import type { Column } from '../../kit/table/column.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { NewManufacturerPart } from '../companies/new-manufacturer-part.tsx'
import { NewSupplierPart } from '../companies/new-supplier-part.tsx'
import {
  formatIdentifier,
  formatItemQuantity,
  getExpiry,
  OK_STATUS,
  StatusBadges,
  type StockItem,
} from '../stock/stock-details.tsx'
import type { Part } from './part-details.tsx'
import type { PriceBreak, SupplierPart } from './part-requests.ts'

const STOCK_COLUMNS: readonly Column<StockItem>[] = [
  {
    name: 'location',
    cell: (item) => (
      <>
        <a href={`/stock/item/${item.pk}/`}>{item.location_detail?.pathstring ?? t('stock.no-location')}</a>{' '}
        {(item.status !== OK_STATUS || getExpiry(item)) && <StatusBadges item={item} />}
      </>
    ),
  },
  { name: 'mark', title: () => t('stock.serial-or-batch'), cell: formatIdentifier, isWide: true },
  { name: 'quantity', align: 'end', cell: formatItemQuantity },
]

/** The stock of a part, by location. */
export const StockPanel = ({ part, items, total }: { part: Part; items: readonly StockItem[]; total: number }) => (
  <Panel
    title={t('parts.stock-by-location')}
    actions={
      <a class="panel-link" href={`/stock/?in_stock=true&part=${part.pk}`}>
        {count('locations.item-count', total)}
      </a>
    }
  >
    {items.length > 0 ? (
      <ShortTable title={t('parts.stock-by-location')} rows={items} columns={STOCK_COLUMNS} />
    ) : (
      <p class="quiet-text">{t('parts.no-stock')}</p>
    )}
  </Panel>
)

type SuppliersProperties = {
  part: Part
  parts: readonly SupplierPart[]
  /** Total number of supplier parts, of which the first are loaded. */
  total: number
  breaks: readonly PriceBreak[]
  /** Whether the account can add suppliers or manufacturers. */
  canAdd: boolean
}

/** The suppliers of a part, and their prices. */
export function SuppliersPanel({ part, parts, total, breaks, canAdd }: SuppliersProperties) {
  const dialog = useSignal<'supplier' | 'manufacturer' | undefined>(undefined)
  const show = (next: typeof dialog.value) => () => {
    dialog.value = next
  }
  const canAddSource = canAdd && part.purchaseable
  useRequestedAction('supplier', canAddSource, show('supplier'))
  useCommands(
    () =>
      canAddSource
        ? [
            { keys: 's', label: () => t('companies.new-supplier-part'), run: show('supplier') },
            { label: () => t('companies.new-manufacturer-part'), run: show('manufacturer') },
          ]
        : [],
    [canAddSource],
  )
  if (parts.length === 0 && !canAddSource) return null
  const listPrices = ({ pk }: SupplierPart) => breaks.filter(({ part }) => part === pk)
  return (
    <Panel
      title={t('parts.suppliers')}
      actions={
        canAddSource && (
          <>
            <button type="button" class="quiet" onClick={show('supplier')}>
              <Icon name="plus" />
              {t('companies.supplier')}
            </button>
            <button type="button" class="quiet" onClick={show('manufacturer')}>
              <Icon name="plus" />
              {t('companies.manufacturer')}
            </button>
          </>
        )
      }
    >
      {parts.length === 0 && <p class="quiet-text">{t('parts.no-supplier')}</p>}
      {parts.length > 0 && (
        <ShortTable
          title={t('parts.suppliers')}
          rows={parts}
          columns={[
            {
              name: 'SKU',
              cell: ({ pk, SKU, MPN, manufacturer_part, active, supplier, supplier_detail }) => (
                <>
                  <a href={`/supplier-part/${pk}/`}>{SKU}</a>
                  {/* narrow screens need this column's room for prices */}
                  <small class="narrow-only">
                    <a href={`/company/${supplier}/`}>{supplier_detail?.name}</a>
                  </small>
                  {!active && <Badge tone="warn">{t('parts.inactive')}</Badge>}
                  {MPN && (
                    <small>
                      <a href={`/manufacturer-part/${manufacturer_part}/`}>{MPN}</a>
                    </small>
                  )}
                </>
              ),
            },
            {
              name: 'supplier',
              isWide: true,
              cell: ({ supplier, supplier_detail }) => <a href={`/company/${supplier}/`}>{supplier_detail?.name}</a>,
            },
            {
              name: 'pack_quantity',
              title: () => t('parts.pack'),
              align: 'end',
              isWide: true,
              cell: ({ pack_quantity_native }) => formatWithUnit(pack_quantity_native, part.units),
            },
            {
              name: 'price',
              title: () => t('parts.price-from'),
              align: 'end',
              cell: (part) => (
                <span class="breaks">
                  {listPrices(part).map(({ pk, quantity: from, price, price_currency }) => (
                    <span key={pk}>
                      <small>{t('parts.from', { quantity: formatNumber(from) })}</small> {formatMoney(price, price_currency)}
                    </span>
                  ))}
                </span>
              ),
            },
          ]}
        />
      )}
      {total > parts.length && <p class="quiet-text">{t('parts.and-more', { count: formatNumber(total - parts.length) })}</p>}
      {dialog.value === 'supplier' && <NewSupplierPart part={part.pk} onClose={show(undefined)} />}
      {dialog.value === 'manufacturer' && <NewManufacturerPart part={part.pk} onClose={show(undefined)} />}
    </Panel>
  )
}
