import metadata from 'metadata:/api/order/po-line/'
import { useSignal } from '@preact/signals'
import { Chooser, type Source } from '../../kit/form/chooser.tsx'
import { sourceOfKind } from '../../kit/form/reference.ts'
import type { SheetColumn } from '../../kit/grid/grid.tsx'
import { useAddedRow } from '../../kit/grid/rows.tsx'
import { money, number, quantity, t, total } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { showToast } from '../../kit/page/toast.tsx'
import { ApiError, get, type Page, withQuery } from '../../kit/service/api.ts'
import { save } from '../../kit/service/saves.ts'
import { type Amount, times } from '../../kit/values/exact.ts'
import { NewSupplierPart, PURCHASEABLE_PARTS } from '../companies/new-supplier-part.tsx'
import { Lines, type LinesProperties, unusualOf } from '../orders/lines.tsx'
import { type PartBrief, tidy } from '../orders/order.ts'
import { DueDate, PartName } from '../orders/order-cells.tsx'
import { pasteLines } from '../orders/paste.ts'
import { outstanding, type PurchaseLine, type PurchaseOrder, unitsOf } from './purchase-order-details.ts'

/** A number of packs, and below it the base units in them if these differ. */
export const Packs = ({ line, packs }: { line: PurchaseLine; packs: number }) => {
  const units = unitsOf(line)
  const unit = line.part_detail?.units
  if (units === 1) return <span>{quantity(packs, unit)}</span>
  return (
    <>
      {number(packs)} × {quantity(units, line.part_detail?.units)}
      <small>= {quantity(tidy(packs * units), unit)}</small>
    </>
  )
}

/** The same as plain text. */
export const inPacks = (line: PurchaseLine, packs: Amount): string => {
  const units = unitsOf(line)
  const inAll = quantity(times(packs, units), line.part_detail?.units)
  return units === 1 ? inAll : `${number(packs)} × ${quantity(units, line.part_detail?.units)} (= ${inAll})`
}

/** The received quantity of a line in the unit it was ordered in: packs, or units of the part. */
const formatReceived = (line: PurchaseLine): string =>
  quantity(line.received, unitsOf(line) === 1 ? line.part_detail?.units : undefined)

/** Reports that the price was updated to the supplier's price list for the new quantity; undo restores the agreed price. */
function notifyPriceChange(before: PurchaseLine, { pk, purchase_price, purchase_price_currency: currency }: PurchaseLine): void {
  const agreed = before.purchase_price
  if (purchase_price === null || Number(purchase_price) === Number(agreed ?? Number.NaN)) return
  const price = money(purchase_price, currency)
  const part = before.part_detail?.name ?? ''
  const text =
    agreed === null
      ? t('purchase.price-found', { part, price })
      : t('purchase.price-follows', { part, price, before: money(agreed, before.purchase_price_currency) })
  showToast(text, () => save(`${metadata.path}${pk}/`, { purchase_price: agreed, auto_pricing: false }, undefined))
}

const columns: readonly SheetColumn<PurchaseLine>[] = [
  {
    name: 'part',
    cell: (line) => (
      <PartName
        part={line.part_detail}
        more={[line.supplier_part_detail?.SKU, line.part_detail?.description].filter(Boolean).join(' · ')}
      />
    ),
  },
  { name: 'reference', width: '7rem', isDesk: true, cell: ({ reference }) => reference, edit: true },
  {
    name: 'quantity',
    title: () => t('purchase.ordered'),
    width: '8rem',
    align: 'end',
    cell: (line) => (
      <>
        <Packs line={line} packs={line.quantity} />
        {/* narrow screens have no room for a column of its own */}
        <small class="narrow-only">{money(line.purchase_price, line.purchase_price_currency)}</small>
      </>
    ),
    edit: true,
    getWarning: (line, value) => unusualOf(line, value, (packs) => inPacks(line, packs)),
    onSaved: notifyPriceChange,
  },
  {
    name: 'received',
    width: '6rem',
    align: 'end',
    cell: (line) =>
      outstanding(line) === 0 && line.received > 0 ? (
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
    cell: (line) => money(line.purchase_price, line.purchase_price_currency),
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
    cell: (line) => (line.purchase_price === null ? '' : total(line.total_price, line.purchase_price_currency)),
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
      <Chooser
        from={sourceOfKind('place')}
        value={row.destination}
        onPick={(location) => save({ destination: location?.pk ?? null })}
        attributes={{ 'aria-label': t('purchase.destination') }}
      />
    ),
  },
  { name: 'notes', isDesk: true, width: '9rem', cell: ({ notes }) => <small>{notes}</small>, edit: true },
]

type Sold = {
  pk: number
  SKU: string
  MPN: string | null
  packaging: string | null
  pack_quantity_native: number
  part_detail: PartBrief | null
}

/** Searches the parts of a supplier, by the name of the part. */
const soldBy = (supplier: number): Source<Sold> => ({
  url: '/api/company/part/',
  query: { supplier, active: true, part_detail: true },
  text: ({ part_detail, SKU }) => part_detail?.full_name ?? SKU,
  // a reel and a strip of the same part differ by their quantity
  more: ({ part_detail, SKU, packaging, pack_quantity_native: units }) =>
    [SKU, packaging, units !== 1 && `× ${quantity(units, part_detail?.units)}`, part_detail?.description]
      .filter(Boolean)
      .join(' · '),
})

/** The only part with this name; undefined if there are several or none. */
async function partCalled(typed: string): Promise<number | undefined> {
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
  const { editRequest: begin, add } = useAddedRow(metadata.path, 'quantity', onChanged)
  const bodyOf = (part: number, packs: number | string) => ({
    order: order.pk,
    part,
    quantity: packs,
    purchase_price_currency: currency,
    merge_items: false,
  })
  const sold = order.supplier === null ? undefined : soldBy(order.supplier)
  const making = useSignal<{ likely: number | undefined } | undefined>(undefined)
  const lines = (
    <Lines<PurchaseLine, Sold>
      {...rest}
      metadata={metadata}
      columns={columns}
      rights={rights}
      nameOf={({ part_detail }) => part_detail?.name}
      loses={(line) => (line.received > 0 ? t('purchase.delete-received', { amount: inPacks(line, line.received) }) : undefined)}
      editRequest={begin}
      before={rights.add && !sold && t('purchase.no-supplier')}
      next={
        rights.add && sold
          ? {
              from: sold,
              title: t('purchase.add-line'),
              hint: t('purchase.add-line-hint'),
              add: ({ pk }) => add(bodyOf(pk, 1)),
              fallback: {
                text: () => t('purchase.make-sold', { supplier: order.supplier_detail?.name ?? '' }),
                choose: async (typed) => {
                  making.value = { likely: await partCalled(typed) }
                  return undefined
                },
              },
              paste: (rows) =>
                pasteLines<Sold>(rows, {
                  from: sold,
                  names: ({ SKU, MPN, part_detail: part }) => [SKU, MPN, part?.IPN, part?.name, part?.full_name],
                  path: metadata.path,
                  body: ({ pk }, packs) => bodyOf(pk, packs),
                }).finally(onChanged),
            }
          : undefined
      }
      onChanged={onChanged}
    />
  )
  const close = () => {
    making.value = undefined
  }
  return (
    <>
      {lines}
      {making.value && order.supplier !== null && (
        <NewSupplierPart
          supplier={order.supplier}
          likely={making.value.likely}
          onCreated={(pk) => {
            close()
            add(bodyOf(pk, 1))
          }}
          onClose={close}
        />
      )}
    </>
  )
}
