import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Answer, get, Refusal } from '../../kit/api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Edit } from '../../kit/edit.tsx'
import type { ResourceFacts } from '../../kit/facts.ts'
import { warn } from '../../kit/toast.tsx'

type Properties = {
  title: string
  facts: ResourceFacts
  pk: number
  names: readonly string[]
  without: readonly string[]
  onDone: () => void
  onClose: () => void
}

/** The form of an order, in a window. It begins with the version of now, as its lines may have changed its total since the page was read. */
export function EditOrder<T extends object>({ title, facts, pk, names, without, onDone, onClose }: Properties) {
  const url = `${facts.path}${pk}/`
  const start = useSignal<Answer<T> | undefined>(undefined)
  useEffect(() => {
    get<T>(url).then(
      (answer) => {
        start.value = answer
      },
      (error) => {
        if (!(error instanceof Refusal)) throw error
        warn(error.message)
        onClose()
      },
    )
  }, [])
  if (!start.value) return null
  return (
    <Dialog title={title} onClose={onClose}>
      <Edit facts={facts} url={url} start={start.value} names={names} without={without} onSaved={onDone} onCancel={onClose} />
    </Dialog>
  )
}
