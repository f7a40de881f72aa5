import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { choiceLabel, helpText, label, t } from '../language/language.ts'
import { newKey, Refusal, wasNotDone } from '../service/api.ts'
import { isFieldShown } from '../service/features.ts'
import type { FieldMetadata, ResourceMetadata } from '../service/field-metadata.ts'
import { problemOf } from '../service/limits.ts'
import { Chooser, choicesComing, unchosenIn } from './chooser.tsx'
import { NumberInput } from './number-input.tsx'
import { otherwiseOf, sourceOf } from './reference.ts'
import { TagsField } from './tags.tsx'

/** Values by the name of their field, as bodies have them. */
export type Values = Record<string, unknown>

/** A form that is being filled in. */
export type Form = {
  facts: ResourceMetadata
  values: Signal<Values>
  /** What the service said of each field. */
  errors: Signal<Record<string, string[]>>
  /** What it said of the whole. */
  problem: Signal<string | undefined>
  isBusy: Signal<boolean>
  /** Says that what is wrong with a field has a place of its own, until what it returns is called. */
  place(name: string): () => void
  /** The fields that differ from how the form began. */
  changed(): Values
  /**
   * Sends it: once at a time, with a key under which it is done once however often it is sent. What is refused is shown at its fields, and so
   * is what is no number, or beyond its limits, before it is sent.
   * @returns what `send` gives; undefined when it was refused
   */
  submit<T>(send: (key: string) => Promise<T>): Promise<T | undefined>
  /** The same for a form that makes something: once that is made, it is not sent again unless something else is filled in. */
  submitOnce<T>(send: (key: string) => Promise<T>): Promise<T | undefined>
}

/** @param start what the fields hold at first */
export function useForm(facts: ResourceMetadata, start: Values): Form {
  const first = useRef(start)
  const values = useSignal(start)
  const errors = useSignal<Record<string, string[]>>({})
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  const placed = useRef(new Set<string>())
  const sent = useRef<Values | undefined>(undefined)
  /** Shows what is wrong at its field, and over the whole where a field has no place. */
  const show = (found: Record<string, string[]>, whole: readonly string[]) => {
    errors.value = found
    const unplaced = Object.entries(found).filter(([name]) => name !== 'non_field_errors' && !placed.current.has(name))
    const texts = unplaced.map(([name, said]) => `${label(name)}: ${said.join(' ')}`)
    problem.value = [...whole, ...texts].join(' ') || undefined
  }
  const form: Form = {
    facts,
    values,
    errors,
    problem,
    isBusy,
    place(name) {
      placed.current.add(name)
      return () => placed.current.delete(name)
    },
    changed: () => Object.fromEntries(Object.entries(values.value).filter(([name, value]) => value !== first.current[name])),
    async submit(send) {
      if (isBusy.value) return undefined
      const wrong = wrongIn(facts, values.value)
      show(wrong, [])
      if (Object.keys(wrong).length > 0) return undefined
      isBusy.value = true
      try {
        const answer = await send(key.current)
        key.current = newKey()
        return answer
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        // what was never answered may have been done: it is sent again under the same key
        if (wasNotDone(error)) key.current = newKey()
        const isByField = Object.keys(error.fields).some((name) => name !== 'non_field_errors')
        const whole = isByField ? error.fields.non_field_errors : [error.message]
        show(error.fields, whole ?? [])
        return undefined
      } finally {
        isBusy.value = false
      }
    },
    async submitOnce(send) {
      if (sent.current === values.value) return undefined
      const sending = values.value
      const answer = await form.submit(send)
      if (answer !== undefined) sent.current = sending
      return answer
    },
  }
  return form
}

/** What is wrong with what was filled in, by field, as far as that is known without asking. */
const wrongIn = (facts: ResourceMetadata, values: Values): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = facts.fields[name]
      const problem = field && !field.isReadOnly && problemOf(field, value)
      return problem ? [[name, [problem]]] : []
    }),
  )

/**
 * Whether a key sends the form where the browser by itself does not: Ctrl+Enter anywhere, such as in lines of text, and Enter in a choice,
 * which blanks and arrows open.
 */
const isSending = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && (event.ctrlKey || event.metaKey || event.target instanceof HTMLSelectElement)

/**
 * What a `<form>` is given that is sent by its button, by Enter in a line, and by the keys of `isSending`. What Enter chose in a field before
 * it had come is waited for, and what was typed there without a choice keeps it from being sent. Where it is refused, the focus goes to the first field that something is wrong with.
 */
export const sentBy = (send: () => unknown) => {
  const sendFrom = async (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const coming = choicesComing(form)
    if (coming) {
      await coming
      // with what was chosen, once that is drawn
      requestAnimationFrame(() => form.isConnected && form.requestSubmit())
      return
    }
    const unchosen = unchosenIn(form)
    if (unchosen) return unchosen.focus()
    await send()
    // what is wrong is drawn by then
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  return {
    noValidate: true,
    onSubmit: (event: Event) => void sendFrom(event),
    onKeyDown: (event: KeyboardEvent) => void (isSending(event) && sendFrom(event)),
  }
}

type FieldProperties = {
  form: Form
  name: string
  /** What it is called, where the language files' word for the name does not do. */
  title?: string
  /** What it means, where the description of the interface does not say it well for people; null for nothing. */
  help?: string | null
  /** `password`, or `one-time-code`, as browsers know them. */
  autocomplete?: string
  type?: 'password'
  autofocus?: boolean
  /** Another control than that of its kind; it is given what makes it the control of this field. */
  control?: (attributes: Record<string, unknown>) => ComponentChildren
}

/** A field of a form: its label, the control that fits its kind, its help and limits, and what is wrong with it. */
export function Field({ form, name, title = label(name), help, autocomplete, type, autofocus, control }: FieldProperties) {
  const id = useId()
  const facts = form.facts.fields[name] ?? { kind: 'text' }
  const errors = form.errors.value[name] ?? []
  useEffect(() => form.place(name), [name])
  // browsers heed the attribute once in a page, and what had the focus before gives it to a neighbour
  useLayoutEffect(() => {
    if (autofocus) document.getElementById(id)?.focus()
  }, [])
  const words =
    help === null ? undefined : (help ?? (facts.kind === 'tags' ? t('tags.help') : facts.help && helpText(facts.help)))
  const described = [words && `${id}-help`, errors.length > 0 && `${id}-error`].filter(Boolean).join(' ') || undefined
  const set = (value: unknown) => {
    form.values.value = { ...form.values.value, [name]: value }
  }
  const attributes = {
    id,
    name,
    autocomplete: autocomplete ?? 'off',
    type,
    autofocus,
    // several codes that are scanned one after the other are separated there
    'data-several': name === 'serial_numbers' ? '' : undefined,
    'aria-describedby': described,
    'aria-invalid': errors.length > 0 ? true : undefined,
    required: facts.isRequired,
  }
  const value = form.values.value[name]
  const source =
    facts.kind === 'integer' || facts.kind === 'text' ? sourceOf(form.facts.path, name, form.values.value) : undefined
  const shown =
    control?.(attributes) ??
    (source ? (
      <Chooser
        from={source}
        otherwise={otherwiseOf(form.facts.path, name)}
        value={value as number | null}
        onPick={(row) => set(row?.pk ?? null)}
        attributes={attributes}
      />
    ) : (
      <Control
        facts={facts}
        value={value}
        onValue={set}
        attributes={attributes}
        word={(choice) => choiceLabel(form.facts.path, name, choice)}
      />
    ))
  const isTick = facts.kind === 'boolean'
  return (
    <div class={isTick ? 'field tick' : 'field'}>
      {isTick && shown}
      <label for={id} class={facts.isRequired ? 'required' : ''}>
        {title}
      </label>
      {!isTick && shown}
      {words && (
        <p class="help" id={`${id}-help`}>
          {words.replaceAll('`', '')}
        </p>
      )}
      {errors.length > 0 && (
        <p class="error" id={`${id}-error`}>
          {errors.join(' ')}
        </p>
      )}
    </div>
  )
}

type ControlProperties = {
  facts: FieldMetadata
  value: unknown
  onValue: (value: unknown) => void
  attributes?: Record<string, unknown>
  /** What a choice is called; by default as it is. */
  word?: (choice: string | number) => string
}

/** The control that fits a kind of value. An empty one is null where that is allowed, else ''. */
export function Control({ facts, value, onValue, attributes = {}, word = String }: ControlProperties) {
  const { kind, choices, isNullable, maxLength, minimum, maximum } = facts
  const text = value === null || value === undefined ? '' : String(value)
  const give = (given: string) => onValue(given === '' && isNullable ? null : given)
  if (kind === 'tags')
    return <TagsField value={(value as string[] | undefined) ?? []} onValue={onValue} attributes={attributes} />
  if (kind === 'boolean')
    return (
      <input
        {...attributes}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
    )
  if (choices)
    return (
      <select
        {...attributes}
        value={text}
        onChange={(event) => {
          const given = event.currentTarget.value
          give(given)
          if (typeof choices[0] === 'number' && given !== '') onValue(Number(given))
        }}
      >
        {(isNullable || !choices.map(String).includes(text)) && !choices.includes('') && <option value="" />}
        {choices.map((choice) => (
          <option key={choice} value={String(choice)}>
            {word(choice)}
          </option>
        ))}
      </select>
    )
  if (kind === 'lines' && attributes.type !== 'password')
    return (
      <textarea
        {...attributes}
        rows={5}
        maxLength={maxLength}
        value={text}
        onInput={(event) => give(event.currentTarget.value)}
      />
    )
  if (kind === 'number')
    return (
      <NumberInput
        {...({ type: 'text', ...attributes } as object)}
        maxLength={maxLength}
        min={minimum}
        max={maximum}
        value={text}
        onNumber={give}
      />
    )
  const types: Partial<Record<FieldMetadata['kind'], 'date' | 'email'>> = { date: 'date', email: 'email' }
  return (
    <input
      {...({ ...attributes, type: attributes.type ?? types[kind] ?? 'text' } as object)}
      inputMode={kind === 'integer' ? 'numeric' : undefined}
      maxLength={maxLength}
      min={minimum}
      max={maximum}
      value={text}
      onInput={(event) => give(event.currentTarget.value)}
    />
  )
}

type FieldsProperties = {
  form: Form
  /** The fields that are shown, in their order. */
  names: readonly string[]
  /** Fields that are shown nowhere: those that have a place of their own. */
  without?: readonly string[]
  /** How to show one otherwise than by its kind, such as a choice among parts. */
  own?: Record<string, () => ComponentChildren>
}

/** The fields of a form. Those that can be written and that nobody placed are under "More". */
export function Fields({ form, names, without = [], own = {} }: FieldsProperties) {
  const placed = new Set([...names, ...without])
  const rest = Object.entries(form.facts.fields).filter(
    ([name, { isReadOnly, kind }]) =>
      !isReadOnly && !placed.has(name) && kind !== 'structure' && kind !== 'file' && isFieldShown(name),
  )
  const show = (name: string) => <div key={name}>{own[name]?.() ?? <Field form={form} name={name} />}</div>
  const isWrong = rest.some(([name]) => form.errors.value[name])
  return (
    <div class="fields">
      {names.filter(isFieldShown).map(show)}
      {rest.length > 0 && (
        // what opens below the edge of a window is not seen there
        <details
          open={isWrong || undefined}
          onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: 'nearest' })}
        >
          <summary>{t('more')}</summary>
          <div class="fields">{rest.map(([name]) => show(name))}</div>
        </details>
      )}
    </div>
  )
}

/** What is wrong with a field that has no control, such as the `items` that are made of what is filled in. */
export function FieldError({ form, name }: { form: Form; name: string }) {
  useEffect(() => form.place(name), [name])
  const errors = form.errors.value[name] ?? []
  return errors.length > 0 ? <p class="field-error">{errors.join(' ')}</p> : null
}
