import merge from 'metadata:/api/stock/merge/'
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Field, FieldError } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, label, number, quantity, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { ApiError, type Page, post, withQuery } from '../../kit/service/api.ts'
import { sum } from '../../kit/values/exact.ts'
import { MessageDialog } from '../../kit/window/dialog.tsx'
import { Reason } from './reason.tsx'
import { DETAILS, identifierOf, quantityOf, type StockItem, statusOf, titleOf } from './stock-details.tsx'
import { To } from './stock-plans.tsx'

type Properties = { items: readonly StockItem[]; onDone: () => void; onClose: () => void }

/** Maximum number of other items offered when one item is merged. */
const MAX_OFFERED = 100

/** Merges several items into one: the selected ones, or one item and others of its part. */
export function Merge({ items, onDone, onClose }: Properties) {
  const [first, ...otherItems] = items as [StockItem, ...StockItem[]]
  if (otherItems.length > 0) return <Merging candidates={items} chosen={items} onDone={onDone} onClose={onClose} />
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
          <strong>{titleOf(item)}</strong>
        </p>
        <p>{error?.message ?? t('stock.merge-none')}</p>
      </MessageDialog>
    )
  const matches = (data?.others.body.results ?? []).filter(({ pk }) => pk !== item.pk)
  return (
    <Merging
      candidates={[item, ...matches]}
      chosen={[item]}
      remainingCount={Math.max(0, (data?.others.body.count ?? 0) - MAX_OFFERED)}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

type MergingProperties = Omit<Properties, 'items'> & {
  candidates: readonly StockItem[]
  chosen: readonly StockItem[]
  /** Number of other items not shown. */
  remainingCount?: number
}

function Merging({ candidates, chosen, remainingCount = 0, onDone, onClose }: MergingProperties) {
  const table = useRef<HTMLTableElement>(null)
  // skips the items already selected, so that the next key adds another
  useLayoutEffect(() => table.current?.querySelector<HTMLElement>('input[type=checkbox]:not(:checked)')?.focus(), [])
  const ticked = useSignal<ReadonlySet<number>>(new Set(chosen.map(({ pk }) => pk)))
  const stays = useSignal(chosen[0]?.pk)
  const merged = candidates.filter(({ pk }) => ticked.value.has(pk))
  const survivor = merged.find(({ pk }) => pk === stays.value) ?? merged[0]
  const isOfOnePart = merged.every(({ part }) => part === survivor?.part)
  const differ = (of: (item: StockItem) => unknown) => new Set(merged.map(of)).size > 1
  const names = [
    'location',
    'notes',
    ...(differ(({ supplier_part }) => supplier_part) ? ['allow_mismatched_suppliers'] : []),
    ...(differ(({ status }) => status) ? ['allow_mismatched_status'] : []),
  ]
  const toggle = (pk: number, isTicked: boolean) => {
    const next = new Set(ticked.value)
    if (isTicked) next.add(pk)
    else next.delete(pk)
    ticked.value = next
  }
  const title = t('stock.merge')
  return (
    <FormDialog
      title={title}
      size="wide"
      metadata={merge}
      start={{
        location: chosen[0]?.location ?? null,
        notes: '',
        allow_mismatched_suppliers: false,
        allow_mismatched_status: false,
      }}
      names={names}
      without="rest"
      own={(form) => ({
        location: () => (
          <>
            <To form={form} />
            <FieldError form={form} name="items" />
          </>
        ),
        notes: () => <Reason form={form} name="notes" action="merge" />,
        allow_mismatched_suppliers: () => (
          <Field form={form} name="allow_mismatched_suppliers" title={t('stock.merge-suppliers')} help={null} />
        ),
        allow_mismatched_status: () => (
          <Field form={form} name="allow_mismatched_status" title={t('stock.merge-states')} help={null} />
        ),
      })}
      button={title}
      send={async (values, key) => {
        if (!survivor || merged.length < 2) throw new ApiError(400, 'invalid', t('stock.merge-two'))
        if (!isOfOnePart) throw new ApiError(400, 'invalid', t('stock.merge-one-part'))
        const items = [survivor, ...merged.filter((item) => item !== survivor)].map(({ pk }) => ({ item: pk }))
        await post('/api/stock/merge/', { ...values, items }, key)
        return quantity(sum(merged.map((item) => item.quantity)), survivor.part_detail?.units)
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
        <table class="sheet" ref={table} aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{label('location')}</th>
              <th scope="col" class="end">
                {label('quantity')}
              </th>
              <th scope="col" class="middle">
                {t('stock.merge-stays')}
              </th>
            </tr>
          </thead>
          <tbody>
            {candidates.map((item) => (
              <tr key={item.pk}>
                <th scope="row">
                  <label class="tick-line">
                    <input
                      type="checkbox"
                      checked={ticked.value.has(item.pk)}
                      onChange={(event) => toggle(item.pk, event.currentTarget.checked)}
                    />
                    <span>
                      {item.location_detail?.pathstring ?? t('stock.nowhere')}
                      <small>
                        {[isOfOnePart ? identifierOf(item) : titleOf(item), statusOf(item)].filter(Boolean).join(' · ')}
                      </small>
                    </span>
                  </label>
                </th>
                <td class="end">{quantityOf(item)}</td>
                <td class="middle">
                  <input
                    type="radio"
                    name="stays"
                    aria-label={t('stock.merge-stays-of', {
                      item: `${item.location_detail?.pathstring ?? ''} ${quantityOf(item)}`,
                    })}
                    checked={survivor?.pk === item.pk}
                    disabled={!ticked.value.has(item.pk)}
                    onChange={() => {
                      stays.value = item.pk
                    }}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {remainingCount > 0 && <p class="quiet-text">{t('stock.merge-left', { count: number(remainingCount) })}</p>}
      <p aria-live="polite">
        {isOfOnePart && survivor
          ? t('stock.merge-together', {
              items: count('locations.held', merged.length),
              quantity: quantity(sum(merged.map((item) => item.quantity)), survivor.part_detail?.units),
            })
          : t('stock.merge-one-part')}
      </p>
    </FormDialog>
  )
}
