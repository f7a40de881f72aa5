import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import type { Form, Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, quantity, t } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { post } from '../../kit/service/api.ts'
import { isUnusual } from '../../kit/values/unusual-quantity.ts'
import { Changed, type ChangedEntry, readCurrent, useExpectations } from './expectations.tsx'
import { Merge } from './merge.tsx'
import { type ItemContext, type StockAction, titleOfAction } from './offers.ts'
import { Quantities } from './quantities.tsx'
import { ReleaseChoices, useReleasing } from './release.tsx'
import { quantityOf, type StockItem, titleOf } from './stock-details.tsx'
import { planOf } from './stock-plans.tsx'
import { undoOf } from './undo.ts'

type Properties = {
  action: StockAction
  /** One item, or several for an action on several. */
  items: readonly StockItem[]
  /** Details of a single item on its page. */
  context?: ItemContext | undefined
  /** Called after it was performed. */
  onDone: () => void
  onClose: () => void
}

/** Maximum number of items that are named individually. */
const MAX_NAMED_ITEMS = 5

export function StockActionDialog({ action, items: initialItems, context, onDone, onClose }: Properties) {
  const title = t(titleOfAction(action))
  const currentItems = useSignal(initialItems)
  const expectations = useExpectations()
  const releasing = useReleasing()
  const form = useRef<Form>(undefined)
  const fields = useRef<HTMLDivElement>(null)
  const items = currentItems.value
  const [item, ...otherItems] = items as [StockItem, ...StockItem[]]
  const isOne = otherItems.length === 0
  if (action === 'labels') return <PrintLabels kind="stock" items={items.map(({ pk }) => pk)} onClose={onClose} />
  if (action === 'merge') return <Merge items={items} onDone={onDone} onClose={onClose} />
  if (action === 'unlink')
    return (
      <Confirm
        title={title}
        button={title}
        onConfirm={async (key) => {
          await post('/api/barcode/unlink/', { stockitem: item.pk }, key)
          showToast(t('stock.code-unlinked'))
          onDone()
        }}
        onClose={onClose}
      />
    )
  if (!isOne && (action === 'move' || action === 'count' || action === 'add' || action === 'remove'))
    return <Quantities action={action} items={items} onDone={onDone} onClose={onClose} />
  const plan = planOf(action, items, context, action === 'count' ? () => releasing.of(item.pk) : undefined)
  const reread = async () => {
    currentItems.value = await readCurrent(items)
    context?.seen.reload()
  }
  const send = (values: Values, key: string) =>
    expectations.send(
      () => titleOf(item),
      reread,
      () =>
        releasing.send(
          () => ({ pk: item.pk, name: titleOf(item), units: item.part_detail?.units, quantity: String(values.quantity) }),
          () => plan.send(values, key),
        ),
    )
  /** Takes over a changed quantity: for a count the current one, for a move the current one if the full quantity was to be moved. */
  const take = ([changed]: readonly ChangedEntry[]) => {
    const filled = form.current
    const actualQuantity = changed?.found
    if (!filled || actualQuantity === undefined) return
    const isAll = action === 'move' && Number(filled.values.value.quantity) === initialItems[0]?.quantity
    if (action === 'count' || isAll) filled.values.value = { ...filled.values.value, quantity: actualQuantity }
  }
  // moving or removing is limited to the current quantity
  const mayBeMore = action === 'count' || action === 'add'
  return (
    <FormDialog
      title={title}
      metadata={plan.metadata}
      start={plan.start}
      names={plan.fieldNames}
      without="rest"
      own={(filled) => {
        form.current = filled
        return plan.own?.(filled) ?? {}
      }}
      button={title}
      getWarning={({ quantity: amount }) =>
        isOne && mayBeMore && isUnusual(amount, item.quantity, action === 'count')
          ? t('doubt.quantity', { amount: quantity(amount as string, item.part_detail?.units), before: quantityOf(item) })
          : undefined
      }
      send={async (values, key) => ({ values, answer: await send(values, key) })}
      getSuccessMessage={({ values }) => plan.done(values)}
      undo={({ answer }) => undoOf(answer)}
      onDone={onDone}
      onClose={onClose}
    >
      {items.slice(0, isOne ? 1 : MAX_NAMED_ITEMS).map((one) => (
        <p key={one.pk} class="about">
          <strong>{titleOf(one)}</strong>
          <span class="quiet-text">{[quantityOf(one), one.location_detail?.pathstring].filter(Boolean).join(' · ')}</span>
        </p>
      ))}
      {items.length > MAX_NAMED_ITEMS && <p class="quiet-text">{count('stock.and-more', items.length - MAX_NAMED_ITEMS)}</p>}
      <div ref={fields}>
        <Changed
          expectations={expectations}
          isCount={action === 'count'}
          onRetry={() => fields.current?.closest('form')?.querySelector<HTMLInputElement>('[inputmode="decimal"]')?.select()}
          onAccept={take}
        />
        <ReleaseChoices releasing={releasing} />
      </div>
    </FormDialog>
  )
}
