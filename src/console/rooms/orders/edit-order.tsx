import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Edit } from '../../kit/form/edit.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { type Answer, get } from '../../kit/service/api.ts'
import type { ResourceFacts } from '../../kit/service/facts.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { ELSEWHERE } from './order.ts'

type Properties = {
  title: string
  facts: ResourceFacts
  pk: number
  names: readonly string[]
  onDone: () => void
  onClose: () => void
}

/** The form of an order, in a window. It begins with the version of now, as its lines may have changed its total since the page was read. */
export function EditOrder<T extends object>({ title, facts, pk, names, onDone, onClose }: Properties) {
  const url = `${facts.path}${pk}/`
  const start = useSignal<Answer<T> | undefined>(undefined)
  useEffect(() => {
    attempt(async () => {
      start.value = await get<T>(url)
    }).then((isRead) => isRead || onClose())
  }, [])
  if (!start.value) return null
  return (
    <Dialog title={title} onClose={onClose}>
      <Edit facts={facts} url={url} start={start.value} names={names} without={ELSEWHERE} onSaved={onDone} onCancel={onClose} />
    </Dialog>
  )
}
