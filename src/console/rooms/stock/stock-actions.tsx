import { useSignal } from '@preact/signals'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { isDoubtful } from '../../kit/form/doubt.tsx'
import type { Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, quantity, t } from '../../kit/language/language.ts'
import { tell } from '../../kit/page/toast.tsx'
import { post } from '../../kit/service/api.ts'
import { Merge } from './merge.tsx'
import { type Known, type StockAction, titleOfAction } from './offers.ts'
import { Quantities } from './quantities.tsx'
import { quantityOf, type StockItem, titleOf } from './stock-facts.tsx'
import { planOf } from './stock-plans.tsx'
import { readNow, restsOnShown, useUnchanged } from './unchanged.ts'
import { undoOf } from './undo.ts'

type Properties = {
  action: StockAction
  /** One, or several where the action is done with several. */
  items: readonly StockItem[]
  /** What is known of a single one on its page. */
  known?: Known | undefined
  /** After it was done. */
  onDone: () => void
  onClose: () => void
}

/** How many items are named by themselves. */
const NAMED = 5

/** The window of an action. */
export function StockActionDialog({ action, items: given, known, onDone, onClose }: Properties) {
  const title = t(titleOfAction(action))
  const shown = useSignal(given)
  const unlessChanged = useUnchanged((now) => {
    shown.value = now
    known?.seen.again()
  })
  const items = shown.value
  const [item, ...others] = items as [StockItem, ...StockItem[]]
  const isOne = others.length === 0
  if (action === 'labels') return <PrintLabels kind="stock" items={items.map(({ pk }) => pk)} onClose={onClose} />
  if (action === 'merge') return <Merge items={items} onDone={onDone} onClose={onClose} />
  if (action === 'unlink')
    return (
      <Confirm
        title={title}
        button={title}
        onConfirm={async (key) => {
          await post('/api/barcode/unlink/', { stockitem: item.pk }, key)
          tell(t('stock.code-unlinked'))
          onDone()
        }}
        onClose={onClose}
      />
    )
  if (!isOne && (action === 'move' || action === 'count' || action === 'add' || action === 'remove'))
    return <Quantities action={action} items={items} onDone={onDone} onClose={onClose} />
  const plan = planOf(action, items, known)
  const send = (values: Values, key: string) =>
    unlessChanged(
      items.filter((one) => restsOnShown(action, one, values.quantity)),
      () => readNow(items),
      () => plan.send(values, key),
    )
  return (
    <FormDialog
      title={title}
      facts={plan.facts}
      start={plan.start}
      names={plan.names}
      without="rest"
      own={plan.own}
      button={title}
      doubt={({ quantity: amount }) =>
        isOne && isDoubtful(amount, item.quantity)
          ? t('doubt.quantity', { amount: quantity(amount as string, item.part_detail?.units), before: quantityOf(item) })
          : undefined
      }
      send={async (values, key) => ({ values, answer: await send(values, key) })}
      done={({ values }) => plan.done(values)}
      undo={({ answer }) => undoOf(answer)}
      onDone={onDone}
      onClose={onClose}
    >
      {items.slice(0, isOne ? 1 : NAMED).map((one) => (
        <p key={one.pk} class="about">
          <strong>{titleOf(one)}</strong>
          <span class="quiet-text">{[quantityOf(one), one.location_detail?.pathstring].filter(Boolean).join(' · ')}</span>
        </p>
      ))}
      {items.length > NAMED && <p class="quiet-text">{count('stock.and-more', items.length - NAMED)}</p>}
    </FormDialog>
  )
}
