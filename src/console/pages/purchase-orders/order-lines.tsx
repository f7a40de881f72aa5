import metadata from 'metadata:/api/order/po-line/'
import { useSignal } from '@preact/signals'
import { Combobox, type Source } from '../../kit/form/combobox.tsx'
import { getSource } from '../../kit/form/reference.ts'
import type { GridColumn } from '../../kit/grid/grid.tsx'
import { useAddedRow } from '../../kit/grid/rows.tsx'
import { formatMoney, formatNumber, formatTotal, formatWithUnit, t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { showToast } from '../../kit/page/toast.tsx'
import { ApiError, get, type Page, withQuery } from '../../kit/service/api.ts'
import { save } from '../../kit/service/saves.ts'
import { type Amount, multiply } from '../../kit/values/exact.ts'
import { NewSupplierPart, PURCHASEABLE_PARTS } from '../companies/new-supplier-part.tsx'
import { discountColumn, lineNumberColumn } from '../orders/line-columns.tsx'
import { getQuantityWarning, Lines, type LinesProperties } from '../orders/lines.tsx'
import { buildNextLine } from '../orders/next-line.ts'
import { type PartBrief, roundQuantity } from '../orders/order.ts'
import { DueDate, PartName } from '../orders/order-cells.tsx'
import { getOutstanding, getUnitsPerPack, type PurchaseLine, type PurchaseOrder } from './purchase-order-details.ts'

/** A number of packs, and below it the base units in them if these differ. */
export const Packs = ({ line, packs }: { line: PurchaseLine; packs: number }) => {
  const units = getUnitsPerPack(line)
  const unit = line.part_detail?.units
  if (units === 1) return <span>{formatWithUnit(packs, unit)}</span>
  return (
    <>
      {formatNumber(packs)} × {formatWithUnit(units, line.part_detail?.units)}
      <small>= {formatWithUnit(roundQuantity(packs * units), unit)}</small>
    </>
  )
}

/** The same as plain text. */
export const formatPacks = (line: PurchaseLine, packs: Amount): string => {
  const units = getUnitsPerPack(line)
  const totalUnits = formatWithUnit(multiply(packs, units), line.part_detail?.units)
  return units === 1 ? totalUnits : `${formatNumber(packs)} × ${formatWithUnit(units, line.part_detail?.units)} (= ${totalUnits})`
}

/** The received quantity of a line in the unit it was ordered in: packs, or units of the part. */
const formatReceived = (line: PurchaseLine): string =>
  formatWithUnit(line.received, getUnitsPerPack(line) === 1 ? line.part_detail?.units : undefined)

/** Reports that the price was updated to the supplier's price list for the new quantity; undo restores the agreed price. */
function notifyPriceChange(
  previousLine: PurchaseLine,
  { pk, purchase_price, purchase_price_currency: currency }: PurchaseLine,
): void {
  const agreedPrice = previousLine.purchase_price
  if (purchase_price === null || Number(purchase_price) === Number(agreedPrice ?? Number.NaN)) return
  const price = formatMoney(purchase_price, currency)
  const part = previousLine.part_detail?.name ?? ''
  const text =
    agreedPrice === null
      ? t('purchase.price-found', { part, price })
      : t('purchase.price-follows', { part, price, before: formatMoney(agreedPrice, previousLine.purchase_price_currency) })
  showToast(text, () => save(`${metadata.path}${pk}/`, { purchase_price: agreedPrice, auto_pricing: false }, undefined))
}

const columns: readonly GridColumn<PurchaseLine>[] = [
  {
    name: 'part',
    cell: (line) => (
      <PartName
        part={line.part_detail}
        detail={[line.supplier_part_detail?.SKU, line.part_detail?.description].filter(Boolean).join(' · ')}
      />
    ),
  },
  {
    name: 'reference',
    width: '7rem',
    isDesk: true,
    cell: ({ reference }) => reference,
    edit: true,
  },
  {
    name: 'quantity',
    title: () => t('purchase.ordered'),
    width: '8rem',
    align: 'end',
    cell: (line) => (
      <>
        <Packs line={line} packs={line.quantity} />
        {/* narrow screens have no room for a column of its own */}
        <small class="narrow-only">{formatMoney(line.purchase_price, line.purchase_price_currency)}</small>
      </>
    ),
    edit: true,
    getWarning: (line, value) => getQuantityWarning(line, value, (packs) => formatPacks(line, packs)),
    onSaved: notifyPriceChange,
  },
  {
    name: 'received',
    width: '6rem',
    align: 'end',
    cell: (line) =>
      getOutstanding(line) === 0 && line.received > 0 ? (
        <span class="done">
          <Icon name="check" />
          {formatReceived(line)}
        </span>
      ) : (
        formatReceived(line)
      ),
  },
  {
    name: 'purchase_price',
    title: () => t('purchase.price'),
    width: '8.5rem',
    align: 'end',
    isWide: true,
    cell: (line) => formatMoney(line.purchase_price, line.purchase_price_currency),
    edit: true,
    // otherwise the price of the supplier's list would replace it
    relatedValues: { auto_pricing: false },
  },
  {
    name: 'total_price',
    title: () => t('orders.total'),
    width: '8.5rem',
    align: 'end',
    isWide: true,
    cell: (line) => (line.purchase_price === null ? '' : formatTotal(line.total_price, line.purchase_price_currency)),
  },
  {
    name: 'target_date',
    width: '8rem',
    isDesk: true,
    cell: ({ target_date, overdue }) => <DueDate day={target_date} isOverdue={overdue} />,
    edit: true,
  },
  {
    name: 'destination',
    width: '11rem',
    isWide: true,
    cell: ({ destination, destination_detail }) => (
      <span class={destination === null ? 'quiet-text' : ''} title={destination_detail?.pathstring}>
        {destination_detail?.name}
      </span>
    ),
    edit: ({ row, save }) => (
      <Combobox
        source={getSource('storageLocation')}
        value={row.destination}
        onPick={(location) => save({ destination: location?.pk ?? null })}
        attributes={{ 'aria-label': t('purchase.destination') }}
      />
    ),
  },
  {
    name: 'notes',
    isDesk: true,
    width: '9rem',
    cell: ({ notes }) => <small>{notes}</small>,
    edit: true,
  },
  discountColumn,
  lineNumberColumn,
]

type SupplierPartOption = {
  pk: number
  SKU: string
  MPN: string | null
  packaging: string | null
  pack_quantity_native: number
  part_detail: PartBrief | null
}

/** Searches the parts of a supplier, by the name of the part. */
const createSupplierPartSource = (supplier: number): Source<SupplierPartOption> => ({
  url: '/api/company/part/',
  query: { supplier, active: true, part_detail: true },
  getTitle: ({ part_detail, SKU }) => part_detail?.full_name ?? SKU,
  // a reel and a strip of the same part differ by their quantity
  getDetail: ({ part_detail, SKU, packaging, pack_quantity_native: units }) =>
    [SKU, packaging, units !== 1 && `× ${formatWithUnit(units, part_detail?.units)}`, part_detail?.description]
      .filter(Boolean)
      .join(' · '),
})

/** The only part with this name; undefined if there are several or none. */
async function findOnlyPart(typed: string): Promise<number | undefined> {
  try {
    const { body } = await get<Page<PartBrief>>(
      withQuery(PURCHASEABLE_PARTS.url, { ...PURCHASEABLE_PARTS.query, search: typed, limit: 1 }),
    )
    return body.count === 1 ? body.results[0]?.pk : undefined
  } catch (error) {
    // the user selects the part in that case
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The lines of a purchase order; a search field adds the next one from the parts of its supplier. */
export function OrderLines({ order, currency, rights, onChanged, ...rest }: LinesProperties<PurchaseOrder, PurchaseLine>) {
  const { editRequest, add } = useAddedRow(metadata.path, 'quantity', onChanged)
  const createBody = (part: number, packs: number | string) => ({
    order: order.pk,
    part,
    quantity: packs,
    purchase_price_currency: currency,
    merge_items: false,
  })
  const supplierParts = order.supplier === null ? undefined : createSupplierPartSource(order.supplier)
  const newSupplierPart = useSignal<{ suggestedPart: number | undefined } | undefined>(undefined)
  const lines = (
    <Lines<PurchaseLine, SupplierPartOption>
      {...rest}
      metadata={metadata}
      columns={columns}
      rights={rights}
      nameOf={({ part_detail }) => part_detail?.name}
      getLossWarning={(line) =>
        line.received > 0 ? t('purchase.delete-received', { amount: formatPacks(line, line.received) }) : undefined
      }
      editRequest={editRequest}
      requirement={rights.add && !supplierParts && t('purchase.no-supplier')}
      next={
        rights.add && supplierParts
          ? buildNextLine<SupplierPartOption>({
              source: supplierParts,
              title: t('purchase.add-line'),
              placeholder: t('purchase.add-line-hint'),
              fallback: {
                text: () => t('purchase.add-supplier-part', { supplier: order.supplier_detail?.name ?? '' }),
                run: async (typed) => {
                  newSupplierPart.value = { suggestedPart: await findOnlyPart(typed) }
                  return undefined
                },
              },
              getNames: ({ SKU, MPN, part_detail: part }) => [SKU, MPN, part?.IPN, part?.name, part?.full_name],
              path: metadata.path,
              createBody,
              add,
              onChanged,
            })
          : undefined
      }
      onChanged={onChanged}
    />
  )
  const close = () => {
    newSupplierPart.value = undefined
  }
  return (
    <>
      {lines}
      {newSupplierPart.value && order.supplier !== null && (
        <NewSupplierPart
          supplier={order.supplier}
          suggestedPart={newSupplierPart.value.suggestedPart}
          onCreated={(pk) => {
            close()
            add(createBody(pk, 1))
          }}
          onClose={close}
        />
      )}
    </>
  )
}
