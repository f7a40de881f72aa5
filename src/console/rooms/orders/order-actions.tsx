import { t } from '../../kit/language/language.ts'
import type { Action } from '../../kit/page/actions.tsx'
import type { Answer } from '../../kit/service/api.ts'
import type { ResourceFacts } from '../../kit/service/facts.ts'
import { CopyOrder } from './copy-order.tsx'
import { EditOrder } from './edit-order.tsx'
import type { Rights } from './lines.tsx'
import type { Order, OrderKind } from './order.ts'
import { type StateAction, StateDialog, type StateQuestion } from './state-dialog.tsx'

/** An action on an order of any kind. */
export type OrderAction = OrderStateAction | 'edit' | 'copy'

type OrderStateAction = Exclude<StateAction, 'finish'>

/** What issuing, completing and cancelling an order ask; nothing by default. */
export type OrderQuestions = Partial<Record<OrderStateAction, StateQuestion>>

type Offered = {
  kind: OrderKind
  rights: Rights
  /** The state actions that the state of the order allows. */
  allowed: Record<OrderStateAction, boolean>
  start: (action: OrderAction) => () => void
  /** Actions of this kind alone, which follow issuing. */
  own: readonly (Action | false)[]
}

/** The actions on an order of any kind, in their order. */
export function orderActions({ kind: { name }, rights, allowed, start, own }: Offered): (Action | false)[] {
  return [
    rights.add && allowed.issue && { title: t(`${name}.issue`), keys: 'i', icon: 'send', run: start('issue') },
    ...own,
    rights.add && allowed.complete && { title: t(`${name}.complete`), keys: 'c', icon: 'check', run: start('complete') },
    rights.change && { title: t(`${name}.edit`), keys: 'e', icon: 'edit', run: start('edit') },
    rights.add && allowed.cancel && { title: t(`${name}.cancel`), icon: 'close', run: start('cancel') },
    // an item is returned once, so that no return order is like another
    rights.add && name !== 'returns' && { title: t('orders.copy'), icon: 'file', keys: 'd', run: start('copy') },
  ]
}

/** The fields of the form of an order, in their order; the others are under "More". */
const editedFields = (company: OrderKind['company']) => [
  'reference',
  company,
  `${company}_reference`,
  'description',
  'target_date',
  'responsible',
  'project_code',
  'order_currency',
]

type Properties = {
  kind: OrderKind
  facts: ResourceFacts
  order: Answer<Order>
  action: OrderAction
  questions: OrderQuestions
  /** Reads the page again. */
  again: () => void
  onClose: () => void
}

/** The dialog of an action on an order of any kind. */
export function OrderActionDialog({ kind, facts, order, action, questions, again, onClose }: Properties) {
  const { name, company } = kind
  const { pk, reference } = order.body
  if (action === 'edit')
    return (
      <EditOrder<Order>
        title={t(`${name}.edit`)}
        facts={facts}
        pk={pk}
        names={editedFields(company)}
        onDone={() => {
          onClose()
          again()
        }}
        onClose={onClose}
      />
    )
  if (action === 'copy') return <CopyOrder facts={facts} order={order.body} company={company} onClose={onClose} />
  return (
    <StateDialog
      url={`${facts.path}${pk}/`}
      action={action}
      title={t(`${name}.${action}-ask`, { reference })}
      button={t(`${name}.${action}`)}
      question={questions[action] ?? {}}
      seen={{ etag: order.etag, again }}
      onDone={again}
      onClose={onClose}
    />
  )
}
