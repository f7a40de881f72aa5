import { useSignal } from '@preact/signals'
import { count, money, number, quantity, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRequestedAction } from '../../kit/navigation/requested-action.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Panel } from '../../kit/page/page.tsx'
import type { Column } from '../../kit/table/column.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { NewManufacturerPart } from '../companies/new-manufacturer-part.tsx'
import { NewSupplierPart } from '../companies/new-supplier-part.tsx'
import { expiryOf, identifierOf, OK, quantityOf, States, type StockItem } from '../stock/stock-details.tsx'
import type { Part } from './part-details.tsx'
import type { PriceBreak, SupplierPart } from './part-reading.ts'

const STOCK_COLUMNS: readonly Column<StockItem>[] = [
  {
    name: 'location',
    cell: (item) => (
      <>
        <a href={`/stock/item/${item.pk}/`}>{item.location_detail?.pathstring ?? t('stock.nowhere')}</a>{' '}
        {(item.status !== OK || expiryOf(item)) && <States item={item} />}
      </>
    ),
  },
  { name: 'mark', title: () => t('stock.mark'), cell: identifierOf, isWide: true },
  { name: 'quantity', align: 'end', cell: quantityOf },
]

/** The stock of a part, by location. */
export const StockPanel = ({ part, items, total }: { part: Part; items: readonly StockItem[]; total: number }) => (
  <Panel
    title={t('parts.stock-by-place')}
    actions={
      <a class="panel-link" href={`/stock/?in_stock=true&part=${part.pk}`}>
        {count('locations.held', total)}
      </a>
    }
  >
    {items.length > 0 ? (
      <ShortTable title={t('parts.stock-by-place')} rows={items} columns={STOCK_COLUMNS} />
    ) : (
      <p class="quiet-text">{t('parts.no-stock')}</p>
    )}
  </Panel>
)

type SuppliersProperties = {
  part: Part
  parts: readonly SupplierPart[]
  /** Total number, of which the first are loaded. */
  total: number
  breaks: readonly PriceBreak[]
  /** Whether the account may add suppliers or manufacturers. */
  mayAdd: boolean
}

/** The suppliers of a part, and their prices. */
export function SuppliersPanel({ part, parts, total, breaks, mayAdd }: SuppliersProperties) {
  const making = useSignal<'sold' | 'made' | undefined>(undefined)
  const start = (next: typeof making.value) => () => {
    making.value = next
  }
  const mayMake = mayAdd && part.purchaseable
  useRequestedAction('supplier', mayMake, start('sold'))
  useCommands(
    () =>
      mayMake
        ? [
            { keys: 's', label: () => t('companies.new-supplier-part'), run: start('sold') },
            { label: () => t('companies.new-manufacturer-part'), run: start('made') },
          ]
        : [],
    [mayMake],
  )
  if (parts.length === 0 && !mayMake) return null
  const pricesOf = ({ pk }: SupplierPart) => breaks.filter(({ part }) => part === pk)
  return (
    <Panel
      title={t('parts.suppliers')}
      actions={
        mayMake && (
          <>
            <button type="button" class="quiet" onClick={start('sold')}>
              <Icon name="plus" />
              {t('companies.supplier')}
            </button>
            <button type="button" class="quiet" onClick={start('made')}>
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
              cell: ({ pack_quantity_native }) => quantity(pack_quantity_native, part.units),
            },
            {
              name: 'price',
              title: () => t('parts.price-from'),
              align: 'end',
              cell: (part) => (
                <span class="breaks">
                  {pricesOf(part).map(({ pk, quantity: from, price, price_currency }) => (
                    <span key={pk}>
                      <small>{t('parts.from', { quantity: number(from) })}</small> {money(price, price_currency)}
                    </span>
                  ))}
                </span>
              ),
            },
          ]}
        />
      )}
      {total > parts.length && <p class="quiet-text">{t('parts.and-more', { count: number(total - parts.length) })}</p>}
      {making.value === 'sold' && <NewSupplierPart part={part.pk} onClose={start(undefined)} />}
      {making.value === 'made' && <NewManufacturerPart part={part.pk} onClose={start(undefined)} />}
    </Panel>
  )
}
