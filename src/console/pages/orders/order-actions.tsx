import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Edit } from '../../kit/form/edit.tsx'
import type { Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate, routeLocation } from '../../kit/navigation/router.ts'
import type { Action } from '../../kit/page/actions.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { type ApiResponse, get, post, readDefaults, withQuery } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { ActionDialog, type ActionQuestion } from './action-dialog.tsx'
import type { Rights } from './lines.tsx'
import { EXCLUDED_FIELDS, listNewOrderFields, ON_HOLD_STATUS, type Order, type OrderKind } from './order.ts'

/** An action that changes the status of an order: the last part of its URL. */
type StatusAction = 'issue' | 'complete' | 'hold' | 'cancel'

/** An action on an order of any kind. */
export type OrderAction = StatusAction | 'edit' | 'copy'

/** Dialogs for issuing, completing and cancelling an order; by default they only ask for confirmation. */
export type OrderQuestions = Partial<Record<Exclude<StatusAction, 'hold'>, ActionQuestion>>

type ActionOptions = {
  kind: OrderKind
  rights: Rights
  /** Whether the status of the order allows each action. */
  allowed: Record<StatusAction, boolean>
  /** Whether the order is on hold, so that issuing resumes it. */
  isOnHold: boolean
  start: (action: OrderAction) => () => void
  /** Actions of this kind of order alone, listed after issuing. */
  ownActions: readonly (Action | false)[]
}

/** The actions on an order of any kind, in order. */
export function listOrderActions({
  kind: { name },
  rights,
  allowed,
  isOnHold,
  start,
  ownActions,
}: ActionOptions): (Action | false)[] {
  return [
    rights.add &&
      allowed.issue && {
        title: t(isOnHold ? 'orders.resume' : `${name}.issue`),
        keys: 'i',
        icon: isOnHold ? 'right' : 'send',
        run: start('issue'),
      },
    ...ownActions,
    rights.add && allowed.complete && { title: t(`${name}.complete`), keys: 'c', icon: 'check', run: start('complete') },
    rights.change && { title: t(`${name}.edit`), keys: 'e', icon: 'edit', run: start('edit') },
    rights.add && allowed.hold && { title: t('orders.hold'), icon: 'pause', run: start('hold') },
    rights.add && allowed.cancel && { title: t(`${name}.cancel`), icon: 'close', run: start('cancel') },
    // an item is returned once, so no one needs a copy of a return order
    rights.add && name !== 'returns' && { title: t('orders.copy'), icon: 'file', keys: 'd', run: start('copy') },
  ]
}

type Properties = {
  kind: OrderKind
  metadata: ResourceMetadata
  order: ApiResponse<Order>
  action: OrderAction
  questions: OrderQuestions
  /** Reloads the page. */
  reload: () => void
  onClose: () => void
}

/** The dialog of an action on an order of any kind. */
export function OrderActionDialog({ kind, metadata, order, action, questions, reload, onClose }: Properties) {
  const { name } = kind
  const { pk, reference } = order.body
  if (action === 'edit')
    return (
      <EditOrder
        title={t(`${name}.edit`)}
        metadata={metadata}
        pk={pk}
        names={listEditedFields(kind)}
        onDone={() => {
          onClose()
          reload()
        }}
        onClose={onClose}
      />
    )
  if (action === 'copy') return <CopyOrder metadata={metadata} order={order.body} kind={kind} onClose={onClose} />
  const resumes = action === 'issue' && order.body.status === ON_HOLD_STATUS
  const texts = resumes
    ? ({ title: 'orders.resume-ask', button: 'orders.resume' } as const)
    : action === 'hold'
      ? ({ title: 'orders.hold-ask', button: 'orders.hold' } as const)
      : ({ title: `${name}.${action}-ask`, button: `${name}.${action}` } as const)
  return (
    <ActionDialog
      url={`${metadata.path}${pk}/`}
      action={action}
      title={t(texts.title, { reference })}
      button={t(texts.button)}
      question={resumes ? {} : action === 'hold' ? { children: <p>{t('orders.hold-more')}</p> } : (questions[action] ?? {})}
      loaded={{ etag: order.etag, reload }}
      onDone={reload}
      onClose={onClose}
    />
  )
}

/** The fields in the form of an order, in order; the others are under "More". */
const listEditedFields = ({ company, ownFields = [] }: OrderKind): string[] => [
  'reference',
  ...(company ? [company, `${company}_reference`] : []),
  ...ownFields,
  'description',
  'target_date',
  'responsible',
  'project_code',
  ...(company ? ['order_currency'] : []),
]

type EditProperties = {
  title: string
  metadata: ResourceMetadata
  pk: number
  names: readonly string[]
  onDone: () => void
  onClose: () => void
}

/** The form of an order, in a dialog. It reloads the order, as its lines may have changed its total since the page was loaded. */
function EditOrder({ title, metadata, pk, names, onDone, onClose }: EditProperties) {
  const url = `${metadata.path}${pk}/`
  const start = useSignal<ApiResponse<Order> | undefined>(undefined)
  useEffect(() => {
    attempt(async () => {
      start.value = await get<Order>(withQuery(url, { extended: true }))
    }).then((isRead) => isRead || onClose())
  }, [])
  if (!start.value) return null
  return (
    <Dialog title={title} onClose={onClose}>
      <Edit
        metadata={metadata}
        url={url}
        start={start.value}
        names={names}
        without={EXCLUDED_FIELDS}
        onSaved={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** The fields copied from the order. A copy has its own dates and company reference. */
const COPIED_FIELDS = ['description', 'project_code', 'responsible'] as const
const COPIED_COMPANY_FIELDS = ['order_currency', 'contact', 'address'] as const

type CopyProperties = {
  metadata: ResourceMetadata
  order: Order
  kind: OrderKind
  onClose: () => void
}

/** The form for the copy's own fields, which creates it with the lines of the order. */
function CopyOrder({ metadata, order, kind, onClose }: CopyProperties) {
  const start = useSignal<Values | undefined>(undefined)
  useEffect(() => {
    attempt(async () => {
      const { reference } = await readDefaults(metadata.path)
      const { company, ownFields = [] } = kind
      const names = [...(company ? [...COPIED_COMPANY_FIELDS, company] : []), ...COPIED_FIELDS, ...ownFields]
      const copiedFields = names.map((name) => [name, (order as unknown as Values)[name]])
      start.value = { reference, ...Object.fromEntries(copiedFields) }
    }).then((isRead) => isRead || onClose())
  }, [])
  if (!start.value) return null
  return (
    <FormDialog<Order>
      title={t('orders.copy-of', { reference: order.reference })}
      metadata={metadata}
      start={start.value}
      names={listNewOrderFields(kind)}
      without={EXCLUDED_FIELDS}
      send={async (values, key) => {
        const lines = {
          duplicate_order: order.pk,
          duplicate_line_items: true,
          ...(kind.company && { duplicate_extra_lines: true }),
        }
        return (await post<Order>(metadata.path, { ...values, ...lines }, key)).body
      }}
      onDone={({ pk }) => {
        onClose()
        navigate(routeLocation.value.path.replace(/\d+\/$/, `${pk}/`))
      }}
      onClose={onClose}
    >
      <p>{t(kind.company ? 'orders.copy-more' : 'transfers.copy-more')}</p>
    </FormDialog>
  )
}
