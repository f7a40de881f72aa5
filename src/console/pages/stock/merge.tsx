import merge from 'metadata:/api/stock/merge/'
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Field, FieldError } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, formatNumber, formatWithUnit, label, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { ApiError, type Page, post, withQuery } from '../../kit/service/api.ts'
import { sumAmounts } from '../../kit/values/exact.ts'
import { MessageDialog } from '../../kit/window/dialog.tsx'
import { Reason } from './reason.tsx'
import { DETAILS, formatIdentifier, formatItemQuantity, formatItemTitle, formatStatus, type StockItem } from './stock-details.tsx'
import { DestinationField } from './stock-plans.tsx'

type Properties = { items: readonly StockItem[]; onDone: () => void; onClose: () => void }

/** Maximum number of other items offered when one item is merged. */
const MAX_OFFERED = 100

/** Merges several items into one: the selected ones, or one item and others of its part. */
export function Merge({ items, onDone, onClose }: Properties) {
  const [first, ...otherItems] = items as [StockItem, ...StockItem[]]
  if (otherItems.length > 0) return <MergeDialog candidates={items} initialItems={items} onDone={onDone} onClose={onClose} />
  return <MergeWithOthers item={first} onDone={onDone} onClose={onClose} />
}

function MergeWithOthers({ item, onDone, onClose }: Omit<Properties, 'items'> & { item: StockItem }) {
  const { data, error } = useRead<{ others: Page<StockItem> }>({
    others: withQuery('/api/stock/', {
      ...DETAILS,
      part: item.part,
      include_variants: false,
      serialized: false,
      in_stock: true,
      ordering: 'location',
      limit: MAX_OFFERED,
    }),
  })
  if (!data && !error) return null
  if (error || data?.others.body.results.every(({ pk }) => pk === item.pk))
    return (
      <MessageDialog title={t('stock.merge')} onClose={onClose}>
        <p class="about">
          <strong>{formatItemTitle(item)}</strong>
        </p>
        <p>{error?.message ?? t('stock.merge-none')}</p>
      </MessageDialog>
    )
  const matches = (data?.others.body.results ?? []).filter(({ pk }) => pk !== item.pk)
  return (
    <MergeDialog
      candidates={[item, ...matches]}
      initialItems={[item]}
      remainingCount={Math.max(0, (data?.others.body.count ?? 0) - MAX_OFFERED)}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

type MergeDialogProperties = Omit<Properties, 'items'> & {
  candidates: readonly StockItem[]
  initialItems: readonly StockItem[]
  /** Number of other items not shown. */
  remainingCount?: number
}

function MergeDialog({ candidates, initialItems, remainingCount = 0, onDone, onClose }: MergeDialogProperties) {
  const table = useRef<HTMLTableElement>(null)
  // skips the items already selected, so that the next key adds another
  useLayoutEffect(() => table.current?.querySelector<HTMLElement>('input[type=checkbox]:not(:checked)')?.focus(), [])
  const selectedKeys = useSignal<ReadonlySet<number>>(new Set(initialItems.map(({ pk }) => pk)))
  const survivorKey = useSignal(initialItems[0]?.pk)
  const selectedItems = candidates.filter(({ pk }) => selectedKeys.value.has(pk))
  const survivor = selectedItems.find(({ pk }) => pk === survivorKey.value) ?? selectedItems[0]
  const isOfOnePart = selectedItems.every(({ part }) => part === survivor?.part)
  const differIn = (getValue: (item: StockItem) => unknown) => new Set(selectedItems.map(getValue)).size > 1
  const names = [
    'location',
    'notes',
    ...(differIn(({ supplier_part }) => supplier_part) ? ['allow_mismatched_suppliers'] : []),
    ...(differIn(({ status }) => status) ? ['allow_mismatched_status'] : []),
  ]
  const toggle = (pk: number, isTicked: boolean) => {
    const next = new Set(selectedKeys.value)
    if (isTicked) next.add(pk)
    else next.delete(pk)
    selectedKeys.value = next
  }
  const title = t('stock.merge')
  return (
    <FormDialog
      title={title}
      size="wide"
      metadata={merge}
      start={{
        location: initialItems[0]?.location ?? null,
        notes: '',
        allow_mismatched_suppliers: false,
        allow_mismatched_status: false,
      }}
      names={names}
      without="rest"
      customFields={(form) => ({
        location: () => (
          <>
            <DestinationField form={form} />
            <FieldError form={form} name="items" />
          </>
        ),
        notes: () => <Reason form={form} name="notes" action="merge" />,
        allow_mismatched_suppliers: () => (
          <Field form={form} name="allow_mismatched_suppliers" title={t('stock.merge-suppliers')} help={null} />
        ),
        allow_mismatched_status: () => (
          <Field form={form} name="allow_mismatched_status" title={t('stock.merge-statuses')} help={null} />
        ),
      })}
      button={title}
      send={async (values, key) => {
        if (!survivor || selectedItems.length < 2) throw new ApiError(400, 'invalid', t('stock.merge-two'))
        if (!isOfOnePart) throw new ApiError(400, 'invalid', t('stock.merge-one-part'))
        const items = [survivor, ...selectedItems.filter((item) => item !== survivor)].map(({ pk }) => ({ item: pk }))
        await post('/api/stock/merge/', { ...values, items }, key)
        return formatWithUnit(sumAmounts(selectedItems.map((item) => item.quantity)), survivor.part_detail?.units)
      }}
      getSuccessMessage={(total) => t('stock.merged', { quantity: total })}
      onDone={onDone}
      onClose={onClose}
    >
      {isOfOnePart && (
        <p class="about">
          <strong>{survivor?.part_detail?.full_name}</strong>
        </p>
      )}
      <p class="quiet-text">{t('stock.merge-how')}</p>
      <div class="many-items">
        <table class="editable-grid" ref={table} aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{label('location')}</th>
              <th scope="col" class="end">
                {label('quantity')}
              </th>
              <th scope="col" class="middle">
                {t('stock.merge-keep')}
              </th>
            </tr>
          </thead>
          <tbody>
            {candidates.map((item) => (
              <tr key={item.pk}>
                <th scope="row">
                  <label class="checkbox-line">
                    <input
                      type="checkbox"
                      checked={selectedKeys.value.has(item.pk)}
                      onChange={(event) => toggle(item.pk, event.currentTarget.checked)}
                    />
                    <span>
                      {item.location_detail?.pathstring ?? t('stock.no-location')}
                      <small>
                        {[isOfOnePart ? formatIdentifier(item) : formatItemTitle(item), formatStatus(item)]
                          .filter(Boolean)
                          .join(' · ')}
                      </small>
                    </span>
                  </label>
                </th>
                <td class="end">{formatItemQuantity(item)}</td>
                <td class="middle">
                  <input
                    type="radio"
                    name="stays"
                    aria-label={t('stock.merge-keep-item', {
                      item: `${item.location_detail?.pathstring ?? ''} ${formatItemQuantity(item)}`,
                    })}
                    checked={survivor?.pk === item.pk}
                    disabled={!selectedKeys.value.has(item.pk)}
                    onChange={() => {
                      survivorKey.value = item.pk
                    }}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {remainingCount > 0 && <p class="quiet-text">{t('stock.merge-more', { count: formatNumber(remainingCount) })}</p>}
      <p aria-live="polite">
        {isOfOnePart && survivor
          ? t('stock.merge-total', {
              items: count('locations.item-count', selectedItems.length),
              quantity: formatWithUnit(sumAmounts(selectedItems.map((item) => item.quantity)), survivor.part_detail?.units),
            })
          : t('stock.merge-one-part')}
      </p>
    </FormDialog>
  )
}
