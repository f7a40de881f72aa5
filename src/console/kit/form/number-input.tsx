import type { ComponentProps } from 'preact'
import { useRef } from 'preact/hooks'
import { decimalSign, typedNumber } from '../language/language.ts'

type Properties = Omit<ComponentProps<'input'>, 'value' | 'onInput'> & {
  /** Number with a decimal point, as in the API. */
  value: string
  /** Receives the typed number, as `typedNumber` reads it. */
  onNumber: (value: string) => void
}

/** A number field, which shows typed text as it was typed, and any other value in the reader's format. */
export function NumberInput({ value, onNumber, ...attributes }: Properties) {
  const typed = useRef('')
  return (
    <input
      inputMode="decimal"
      {...(attributes as object)}
      value={typedNumber(typed.current) === value ? typed.current : value.replace('.', decimalSign())}
      onInput={({ currentTarget }) => {
        typed.current = currentTarget.value
        onNumber(typedNumber(currentTarget.value))
      }}
    />
  )
}
