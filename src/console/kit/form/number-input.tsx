import type { ComponentProps } from 'preact'
import { useRef } from 'preact/hooks'
import { getDecimalSeparator, parseTypedNumber } from '../language/language.ts'

type Properties = Omit<ComponentProps<'input'>, 'value' | 'onInput'> & {
  /** Number with a decimal point, as in the API. */
  value: string
  /** Receives the typed number, as `typedNumber` reads it. */
  onNumber: (value: string) => void
}

/** A number field, which shows typed text as it was typed, and any other value in the user's number format. */
export function NumberInput({ value, onNumber, ...attributes }: Properties) {
  const typed = useRef('')
  return (
    <input
      inputMode="decimal"
      {...(attributes as object)}
      value={parseTypedNumber(typed.current) === value ? typed.current : value.replace('.', getDecimalSeparator())}
      onInput={({ currentTarget }) => {
        typed.current = currentTarget.value
        onNumber(parseTypedNumber(currentTarget.value))
      }}
    />
  )
}
