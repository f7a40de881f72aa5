import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { type Answer, change, get, Refusal } from './api.ts'
import { Conflict } from './edit.tsx'
import type { ResourceFacts } from './facts.ts'
import { Control, type Values } from './form.tsx'
import { label, t } from './language.ts'

type Properties<Row> = {
  facts: ResourceFacts
  /** The field that is edited. */
  name: string
  row: Row
  /** The version of the row, as a list with `etag=true` gives it; without it, the row is read when the edit begins. */
  etag?: string
  /** Is told what was saved, or what somebody else saved meanwhile. */
  onSaved: (answer: Answer<Row>) => void
  /** What is shown while it is not edited. */
  children: ComponentChildren
  align?: 'end'
}

/**
 * A value in a table that is edited where it stands, as in a sheet: Enter begins and saves and goes on below, Tab saves and goes on to the next,
 * Escape gives up. Where somebody else was faster both values are shown.
 */
export function EditCell<Row extends { pk: number }>(properties: Properties<Row>) {
  const { facts, name, row, etag, onSaved, children, align } = properties
  const url = `${facts.path}${row.pk}/`
  const before = (row as Values)[name]
  const field = facts.fields[name] ?? { kind: 'text' }
  const isEditing = useSignal(false)
  const value = useSignal<unknown>(before)
  const version = useSignal(etag)
  const error = useSignal<string | undefined>(undefined)
  const conflict = useSignal<Answer<Row> | undefined>(undefined)
  const isBusy = useRef(false)
  const ref = useRef<HTMLDivElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (!isEditing.value) return
    const control = ref.current?.querySelector<HTMLInputElement>('input, select, textarea')
    control?.focus()
    if (control?.type === 'text') control.select()
  }, [isEditing.value])

  async function begin(): Promise<void> {
    value.value = before
    error.value = undefined
    version.value = etag
    isEditing.value = true
    if (!etag) version.value = (await get<Row>(url)).etag
  }
  const leave = () => {
    isEditing.value = false
    error.value = undefined
  }
  /** @returns whether the cell may be left */
  async function save(): Promise<boolean> {
    if (isBusy.current) return false
    if (value.value === before) {
      leave()
      return true
    }
    isBusy.current = true
    try {
      const done = await change<Row>(url, { [name]: value.value }, version.value)
      if ('conflict' in done) {
        conflict.value = done.conflict
        return false
      }
      leave()
      onSaved(done.saved)
      return true
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      error.value = refusal.fields[name]?.join(' ') ?? refusal.message
      return false
    } finally {
      isBusy.current = false
    }
  }
  /** Goes to the same column of another row, or to another cell, that can be edited. */
  async function goOn(next: (cells: HTMLElement[], at: number) => HTMLElement | undefined, isOpened: boolean): Promise<void> {
    const own = ref.current
    if (!own || !(await save())) return
    const cells = [...(own.closest('table')?.querySelectorAll<HTMLElement>('.edit-cell') ?? [])]
    const button = (next(cells, cells.indexOf(own)) ?? own).querySelector('button')
    // the button of this cell is there once it is drawn again
    requestAnimationFrame(() => {
      const target = button ?? own.querySelector('button')
      target?.focus()
      if (isOpened && button) button.click()
    })
  }
  const below = (cells: HTMLElement[], at: number) => cells.slice(at + 1).find((cell) => cell.dataset.name === name)

  return (
    <div ref={ref} class={align === 'end' ? 'edit-cell end' : 'edit-cell'} data-name={name}>
      {isEditing.value ? (
        <Control
          facts={field}
          value={value.value}
          onValue={(given) => {
            value.value = given
          }}
          attributes={{
            'aria-label': label(name),
            'aria-invalid': error.value ? true : undefined,
            'aria-describedby': error.value ? id : undefined,
            onBlur: () => {
              if (!conflict.value && isEditing.value) save()
            },
            onKeyDown: (event: KeyboardEvent) => {
              if (event.key === 'Escape') {
                event.stopPropagation()
                leave()
              } else if (event.key === 'Enter' && !event.shiftKey) {
                event.preventDefault()
                goOn(below, false)
              } else if (event.key === 'Tab') {
                event.preventDefault()
                goOn((cells, at) => cells[at + (event.shiftKey ? -1 : 1)], true)
              }
            },
          }}
        />
      ) : (
        <button type="button" onClick={begin} title={t('edit')}>
          {children}
          <span class="unseen">
            {t('edit')}: {label(name)}
          </span>
        </button>
      )}
      {error.value && (
        <p class="error" id={id} role="alert">
          {error.value}
        </p>
      )}
      {conflict.value && (
        <Conflict
          mine={{ [name]: value.value }}
          theirs={conflict.value.body as Values}
          onMine={() => {
            version.value = conflict.value?.etag
            conflict.value = undefined
            save()
          }}
          onTheirs={() => {
            const theirs = conflict.value as Answer<Row>
            conflict.value = undefined
            leave()
            onSaved(theirs)
          }}
          onClose={() => {
            conflict.value = undefined
          }}
        />
      )}
    </div>
  )
}
