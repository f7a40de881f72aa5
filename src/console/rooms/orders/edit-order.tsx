import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Answer, get } from '../../kit/api.ts'
import { Edit } from '../../kit/edit.tsx'
import type { ResourceFacts } from '../../kit/facts.ts'

type Properties = {
  facts: ResourceFacts
  pk: number
  names: readonly string[]
  without: readonly string[]
  onDone: () => void
  onCancel: () => void
}

/** The form of an order. It begins with the version of now, as its lines may have changed its total since the page was read. */
export function EditOrder<T extends object>({ facts, pk, names, without, onDone, onCancel }: Properties) {
  const url = `${facts.path}${pk}/`
  const start = useSignal<Answer<T> | undefined>(undefined)
  useEffect(() => {
    get<T>(url).then((answer) => {
      start.value = answer
    })
  }, [])
  if (!start.value) return null
  return <Edit facts={facts} url={url} start={start.value} names={names} without={without} onSaved={onDone} onCancel={onCancel} />
}
