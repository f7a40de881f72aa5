import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate, place } from '../../kit/navigation/router.ts'
import { attempt } from '../../kit/page/toast.tsx'
import { post, suggestions } from '../../kit/service/api.ts'
import type { ResourceFacts } from '../../kit/service/facts.ts'
import { ELSEWHERE, newOrderFields, type Order } from './order.ts'

/** What a new order takes over of the one that it is like; dates and what the company called it are its own. */
const TAKEN = ['description', 'order_currency', 'project_code', 'responsible', 'contact', 'address'] as const

type Properties = {
  facts: ResourceFacts
  order: Order
  company: 'supplier' | 'customer'
  onClose: () => void
}

/** Asks for what a new order has of its own, and makes it with the lines of another. */
export function CopyOrder({ facts, order, company, onClose }: Properties) {
  const start = useSignal<Values | undefined>(undefined)
  useEffect(() => {
    attempt(async () => {
      const { reference } = await suggestions(facts.path)
      const taken = [...TAKEN, company].map((name) => [name, (order as unknown as Values)[name]])
      start.value = { reference, ...Object.fromEntries(taken) }
    }).then((isRead) => isRead || onClose())
  }, [])
  if (!start.value) return null
  return (
    <FormDialog<Order>
      title={t('orders.copy-of', { reference: order.reference })}
      facts={facts}
      start={start.value}
      names={newOrderFields(company)}
      without={ELSEWHERE}
      send={async (values, key) => {
        const lines = { duplicate_order: order.pk, duplicate_line_items: true, duplicate_extra_lines: true }
        return (await post<Order>(facts.path, { ...values, ...lines }, key)).body
      }}
      onDone={({ pk }) => {
        onClose()
        navigate(place.value.path.replace(/\d+\/$/, `${pk}/`))
      }}
      onClose={onClose}
    >
      <p>{t('orders.copy-more')}</p>
    </FormDialog>
  )
}
