import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import type { Form, Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, formatWithUnit, t } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { post } from '../../kit/service/api.ts'
import { isUnusual } from '../../kit/values/unusual-quantity.ts'
import { ChangedEntries, type ChangedEntry, readCurrentItems, useExpectations } from './expectations.tsx'
import { Merge } from './merge.tsx'
import { getActionTitle, type ItemContext, type StockAction } from './offers.ts'
import { Quantities } from './quantities.tsx'
import { ReleaseChoices, useAllocationRelease } from './release.tsx'
import { formatItemQuantity, formatItemTitle, type StockItem } from './stock-details.tsx'
import { createPlan } from './stock-plans.tsx'
import { getUndo } from './undo.ts'

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
  const title = t(getActionTitle(action))
  const currentItems = useSignal(initialItems)
  const expectations = useExpectations()
  const releasing = useAllocationRelease()
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
  const plan = createPlan(action, items, context, action === 'count' ? () => releasing.getFields(item.pk) : undefined)
  const refetch = async () => {
    currentItems.value = await readCurrentItems(items)
    context?.loaded.reload()
  }
  const send = (values: Values, key: string) =>
    expectations.send(
      () => formatItemTitle(item),
      refetch,
      () =>
        releasing.send(
          () => ({ pk: item.pk, name: formatItemTitle(item), units: item.part_detail?.units, quantity: String(values.quantity) }),
          () => plan.send(values, key),
        ),
    )
  /** Takes over a changed quantity: for a count the current one, for a move the current one if the full quantity was to be moved. */
  const acceptQuantity = ([changed]: readonly ChangedEntry[]) => {
    const dialogForm = form.current
    const actualQuantity = changed?.found
    if (!dialogForm || actualQuantity === undefined) return
    const isFullQuantity = action === 'move' && Number(dialogForm.values.value.quantity) === initialItems[0]?.quantity
    if (action === 'count' || isFullQuantity) dialogForm.values.value = { ...dialogForm.values.value, quantity: actualQuantity }
  }
  // moving or removing is limited to the current quantity
  const canBeUnusual = action === 'count' || action === 'add'
  return (
    <FormDialog
      title={title}
      metadata={plan.metadata}
      start={plan.start}
      names={plan.fieldNames}
      without="rest"
      customFields={(dialogForm) => {
        form.current = dialogForm
        return plan.own?.(dialogForm) ?? {}
      }}
      button={title}
      getWarning={({ quantity: amount }) =>
        isOne && canBeUnusual && isUnusual(amount, item.quantity, action === 'count')
          ? t('confirm.quantity', {
              amount: formatWithUnit(amount as string, item.part_detail?.units),
              before: formatItemQuantity(item),
            })
          : undefined
      }
      send={async (values, key) => ({ values, response: await send(values, key) })}
      getSuccessMessage={({ values }) => plan.getSuccessMessage(values)}
      undo={({ response }) => getUndo(response)}
      onDone={onDone}
      onClose={onClose}
    >
      {items.slice(0, isOne ? 1 : MAX_NAMED_ITEMS).map((one) => (
        <p key={one.pk} class="about">
          <strong>{formatItemTitle(one)}</strong>
          <span class="quiet-text">{[formatItemQuantity(one), one.location_detail?.pathstring].filter(Boolean).join(' · ')}</span>
        </p>
      ))}
      {items.length > MAX_NAMED_ITEMS && <p class="quiet-text">{count('stock.and-more', items.length - MAX_NAMED_ITEMS)}</p>}
      <div ref={fields}>
        <ChangedEntries
          expectations={expectations}
          isCount={action === 'count'}
          onRetry={() => fields.current?.closest('form')?.querySelector<HTMLInputElement>('[inputmode="decimal"]')?.select()}
          onAccept={acceptQuantity}
        />
        <ReleaseChoices releasing={releasing} />
      </div>
    </FormDialog>
  )
}
