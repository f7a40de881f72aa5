import { Confirm } from '../../kit/form/confirm.tsx'
import { type PlainKey, t } from '../../kit/language/language.ts'
import type { Action } from '../../kit/page/actions.tsx'
import type { Answer } from '../../kit/service/api.ts'
import type { ResourceFacts } from '../../kit/service/facts.ts'
import { postSeen } from '../../kit/service/saves.ts'
import { CopyOrder } from './copy-order.tsx'
import { EditOrder } from './edit-order.tsx'
import type { Rights } from './lines.tsx'
import type { Order } from './order.ts'

/** How many of the actions of an order have a button; the others are in its menu. */
export const BUTTONS = 3

/** What is done with an order of any kind. */
export type OrderDeed = 'edit' | 'issue' | 'complete' | 'cancel' | 'copy'

/** The kinds of orders, by what their words begin with. */
type Kind = 'purchase' | 'sales' | 'returns'

type Offered = {
  kind: Kind
  rights: Rights
  /** Which steps its state allows. */
  may: { issue: boolean; complete: boolean; cancel: boolean }
  start: (deed: OrderDeed) => () => void
}

/** What can be done with an order of any kind, among which is what its own kind has besides. */
export function orderActions({ kind, rights, may, start }: Offered, own: readonly (Action | false)[]): (Action | false)[] {
  return [
    rights.add && may.issue && { title: t(`${kind}.issue`), keys: 'i', icon: 'send', run: start('issue') },
    ...own,
    rights.add && may.complete && { title: t(`${kind}.complete`), keys: 'c', icon: 'check', run: start('complete') },
    rights.change && { title: t(`${kind}.edit`), keys: 'e', icon: 'edit', run: start('edit') },
    rights.add && may.cancel && { title: t(`${kind}.cancel`), icon: 'close', run: start('cancel') },
    // what was given back once is not given back again
    rights.add && kind !== 'returns' && { title: t('orders.copy'), icon: 'file', keys: 'd', run: start('copy') },
  ]
}

/** The fields of its form, in their order. What is not here is under "More". @param company the field of whom it is with */
const fieldsOf = (company: string) => [
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
  kind: Kind
  facts: ResourceFacts
  order: Answer<Order>
  /** What is being done. */
  deed: OrderDeed
  /** What is said before it is issued. */
  issueText: PlainKey
  /** What is said before it is completed, of what is missing then. */
  missing: string | false
  /** What completing it says of what is missing. */
  completion?: Record<string, boolean>
  again: () => void
  onClose: () => void
}

/** The window of what is done with an order of any kind. */
export function OrderWindow(properties: Properties) {
  const { kind, facts, order, deed, issueText, missing, completion, again, onClose } = properties
  const { pk, reference } = order.body
  if (deed === 'edit')
    return (
      <EditOrder<Order>
        title={t(`${kind}.edit`)}
        facts={facts}
        pk={pk}
        names={fieldsOf(kind === 'purchase' ? 'supplier' : 'customer')}
        onDone={() => {
          onClose()
          again()
        }}
        onClose={onClose}
      />
    )
  if (deed === 'copy')
    return (
      <CopyOrder facts={facts} order={order.body} company={kind === 'purchase' ? 'supplier' : 'customer'} onClose={onClose} />
    )
  const text = deed === 'issue' ? t(issueText) : deed === 'complete' ? missing : t(`${kind}.cancel-more`)
  return (
    <Confirm
      title={t(`${kind}.${deed}-ask`, { reference })}
      button={t(`${kind}.${deed}`)}
      isHarmless={deed !== 'cancel'}
      onConfirm={async (key) => {
        await postSeen(`${facts.path}${pk}/`, deed, deed === 'complete' ? completion : {}, key, { etag: order.etag, again })
        again()
      }}
      onClose={onClose}
    >
      {text && <p>{text}</p>}
    </Confirm>
  )
}
