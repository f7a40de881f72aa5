import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { helpText, label, t } from '../language/language.ts'
import { ApiError, isNotExecuted, newKey } from '../service/api.ts'
import { isFieldVisible } from '../service/features.ts'
import type { FieldMetadata, ResourceMetadata } from '../service/field-metadata.ts'
import { findProblem } from '../service/limits.ts'
import { choiceText } from './choice-text.ts'
import { awaitPendingSelections, Combobox, findUnselectedField } from './combobox.tsx'
import { NumberInput } from './number-input.tsx'
import { createFallback, findSource } from './reference.ts'
import { TagsField } from './tags.tsx'

/** Values by the name of their field, as bodies have them. */
export type Values = Record<string, unknown>

/** A form and its state. */
export type Form = {
  metadata: ResourceMetadata
  values: Signal<Values>
  /** Errors from the service, by field. */
  errors: Signal<Record<string, string[]>>
  /** Error from the service for the whole form. */
  problem: Signal<string | undefined>
  isBusy: Signal<boolean>
  /** Registers that a field shows its own errors, until the returned function is called. */
  registerField(name: string): () => void
  /** The fields that differ from their initial values. */
  getChanges(): Values
  /**
   * Sends the form: one request at a time, with an Idempotency-Key that makes repeated requests run once. Errors are shown at their fields,
   * including invalid numbers and exceeded limits, which are found before sending.
   * @returns the result of `send`; undefined when it was rejected
   */
  submit<T>(send: (key: string) => Promise<T>): Promise<T | undefined>
  /** Like `submit`, for a form that creates something: after a success it is not sent again until a value changes. */
  submitOnce<T>(send: (key: string) => Promise<T>): Promise<T | undefined>
}

/** @param start initial values of the fields */
export function useForm(metadata: ResourceMetadata, start: Values): Form {
  const initialValues = useRef(start)
  const values = useSignal(start)
  const errors = useSignal<Record<string, string[]>>({})
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  const placedNames = useRef(new Set<string>())
  const lastSent = useRef<Values | undefined>(undefined)
  /** Shows errors at their fields, and above the form if a field does not show its own. */
  const show = (fieldErrors: Record<string, string[]>, formErrors: readonly string[]) => {
    errors.value = fieldErrors
    const unplaced = Object.entries(fieldErrors).filter(([name]) => name !== 'non_field_errors' && !placedNames.current.has(name))
    const texts = unplaced.map(([name, messages]) => `${label(name)}: ${messages.join(' ')}`)
    problem.value = [...formErrors, ...texts].join(' ') || undefined
  }
  const form: Form = {
    metadata,
    values,
    errors,
    problem,
    isBusy,
    registerField(name) {
      placedNames.current.add(name)
      return () => placedNames.current.delete(name)
    },
    getChanges: () =>
      Object.fromEntries(Object.entries(values.value).filter(([name, value]) => value !== initialValues.current[name])),
    async submit(send) {
      if (isBusy.value) return undefined
      const foundErrors = validateValues(metadata, values.value)
      show(foundErrors, [])
      if (Object.keys(foundErrors).length > 0) return undefined
      isBusy.value = true
      try {
        const result = await send(key.current)
        key.current = newKey()
        return result
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        // a request without a response may have succeeded: it is resent with the same key
        if (isNotExecuted(error)) key.current = newKey()
        const isByField = Object.keys(error.fields).some((name) => name !== 'non_field_errors')
        const formErrors = isByField ? error.fields.non_field_errors : [error.message]
        show(error.fields, formErrors ?? [])
        return undefined
      } finally {
        isBusy.value = false
      }
    },
    async submitOnce(send) {
      if (lastSent.current === values.value) return undefined
      const sentValues = values.value
      const result = await form.submit(send)
      if (result !== undefined) lastSent.current = sentValues
      return result
    },
  }
  return form
}

/** Errors in the values, by field, as far as the client can find them. */
const validateValues = (metadata: ResourceMetadata, values: Values): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = metadata.fields[name]
      const problem = field && !field.isReadOnly && findProblem(field, value)
      return problem ? [[name, [problem]]] : []
    }),
  )

/**
 * Whether a key submits the form where browsers do not submit it: Ctrl+Enter anywhere, such as in multiline text, and Enter in a select,
 * which Space and the arrow keys open.
 */
const isSubmitKey = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && (event.ctrlKey || event.metaKey || event.target instanceof HTMLSelectElement)

/**
 * Returns the attributes of a `<form>` that is sent by its button, by Enter in a single-line field, and by the keys of `isSubmitKey`. It
 * waits for selections whose matches had not arrived when Enter was pressed; typed text without a selection blocks it. After an error, the
 * focus goes to the first field with an error.
 */
export const bindSubmit = (send: () => unknown) => {
  const handleSubmit = async (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const pendingSelections = awaitPendingSelections(form)
    if (pendingSelections) {
      await pendingSelections
      // with the selections, once they are rendered
      requestAnimationFrame(() => form.isConnected && form.requestSubmit())
      return
    }
    const unselectedField = findUnselectedField(form)
    if (unselectedField) return unselectedField.focus()
    await send()
    // errors are rendered by then
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  return {
    noValidate: true,
    onSubmit: (event: Event) => void handleSubmit(event),
    onKeyDown: (event: KeyboardEvent) => void (isSubmitKey(event) && handleSubmit(event)),
  }
}

type FieldProperties = {
  form: Form
  name: string
  /** Label of the field, where that of the language files does not fit. */
  title?: string
  /** Help for the field, where that of the API description does not suit users; null for none. */
  help?: string | null
  /** `password`, or `one-time-code`, as in HTML. */
  autocomplete?: string
  type?: 'password'
  autofocus?: boolean
  /** Renders another control than that of the field's type, with the attributes that bind it to this field. */
  control?: (attributes: Record<string, unknown>) => ComponentChildren
}

/** A field of a form: its label, the control for its type, its help and limits, and its errors. */
export function Field({ form, name, title = label(name), help, autocomplete, type, autofocus, control }: FieldProperties) {
  const id = useId()
  const metadata = form.metadata.fields[name] ?? { kind: 'text' }
  const errors = form.errors.value[name] ?? []
  useEffect(() => form.registerField(name), [name])
  // browsers apply the attribute once per page, and the element that had the focus before passes it to a neighbor
  useLayoutEffect(() => {
    if (autofocus) document.getElementById(id)?.focus()
  }, [])
  const helpMessage =
    help === null ? undefined : (help ?? (metadata.kind === 'tags' ? t('tags.help') : metadata.help && helpText(metadata.help)))
  const describedBy = [helpMessage && `${id}-help`, errors.length > 0 && `${id}-error`].filter(Boolean).join(' ') || undefined
  const set = (value: unknown) => {
    form.values.value = { ...form.values.value, [name]: value }
  }
  const attributes = {
    id,
    name,
    autocomplete: autocomplete ?? 'off',
    type,
    autofocus,
    // separates codes that are scanned one after the other
    'data-several': name === 'serial_numbers' ? '' : undefined,
    'aria-describedby': describedBy,
    'aria-invalid': errors.length > 0 ? true : undefined,
    required: metadata.isRequired,
  }
  const value = form.values.value[name]
  const source =
    metadata.kind === 'integer' || metadata.kind === 'text' ? findSource(form.metadata.path, name, form.values.value) : undefined
  const fieldControl =
    control?.(attributes) ??
    (source ? (
      <Combobox
        source={source}
        fallback={createFallback(form.metadata.path, name)}
        value={value as number | null}
        onPick={(row) => set(row?.pk ?? null)}
        attributes={attributes}
      />
    ) : (
      <Control
        metadata={metadata}
        value={value}
        onValue={set}
        attributes={attributes}
        choiceText={(choice) => choiceText(form.metadata.path, name, choice)}
      />
    ))
  const isCheckbox = metadata.kind === 'boolean'
  return (
    <div class={isCheckbox ? 'field checkbox-field' : 'field'}>
      {isCheckbox && fieldControl}
      <label for={id} class={metadata.isRequired ? 'required' : ''}>
        {title}
      </label>
      {!isCheckbox && fieldControl}
      {helpMessage && (
        <p class="help" id={`${id}-help`}>
          {helpMessage.replaceAll('`', '')}
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
  metadata: FieldMetadata
  value: unknown
  onValue: (value: unknown) => void
  attributes?: Record<string, unknown>
  /** Label of a choice; by default the choice itself. */
  choiceText?: (choice: string | number) => string
}

/** The control for a type of value. An empty one is null where that is allowed, otherwise ''. */
export function Control({ metadata, value, onValue, attributes = {}, choiceText = String }: ControlProperties) {
  const { kind, choices, isNullable, maxLength, minimum, maximum } = metadata
  const text = value === null || value === undefined ? '' : String(value)
  const setValue = (newValue: string) => onValue(newValue === '' && isNullable ? null : newValue)
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
          const newValue = event.currentTarget.value
          setValue(newValue)
          if (typeof choices[0] === 'number' && newValue !== '') onValue(Number(newValue))
        }}
      >
        {(isNullable || !choices.map(String).includes(text)) && !choices.includes('') && <option value="" />}
        {choices.map((choice) => (
          <option key={choice} value={String(choice)}>
            {choiceText(choice)}
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
        onInput={(event) => setValue(event.currentTarget.value)}
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
        onNumber={setValue}
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
      onInput={(event) => setValue(event.currentTarget.value)}
    />
  )
}

type FieldsProperties = {
  form: Form
  /** The fields that are shown, in order. */
  names: readonly string[]
  /** Fields that are not shown, because they have a control elsewhere. */
  without?: readonly string[]
  /** Custom rendering of a field, such as a selection of a part. */
  customFields?: Record<string, () => ComponentChildren>
}

/** The fields of a form. Writable fields that are not placed are under "More". */
export function Fields({ form, names, without = [], customFields = {} }: FieldsProperties) {
  const placedNames = new Set([...names, ...without])
  const rest = Object.entries(form.metadata.fields).filter(
    ([name, { isReadOnly, kind }]) =>
      !isReadOnly && !placedNames.has(name) && kind !== 'structure' && kind !== 'file' && isFieldVisible(name),
  )
  const show = (name: string) => <div key={name}>{customFields[name]?.() ?? <Field form={form} name={name} />}</div>
  const hasErrors = rest.some(([name]) => form.errors.value[name])
  return (
    <div class="fields">
      {names.filter(isFieldVisible).map(show)}
      {rest.length > 0 && (
        // content that opens below the edge of a window is not visible
        <details
          open={hasErrors || undefined}
          onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: 'nearest' })}
        >
          <summary>{t('more')}</summary>
          <div class="fields">{rest.map(([name]) => show(name))}</div>
        </details>
      )}
    </div>
  )
}

/** Errors of a field without a control, such as `items`, which is derived from other values. */
export function FieldError({ form, name }: { form: Form; name: string }) {
  useEffect(() => form.registerField(name), [name])
  const errors = form.errors.value[name] ?? []
  return errors.length > 0 ? <p class="field-error">{errors.join(' ')}</p> : null
}
