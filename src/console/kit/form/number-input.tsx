import type { ComponentProps } from 'preact'
import { useRef } from 'preact/hooks'
import { decimalSign, typedNumber } from '../language/language.ts'

type Properties = Omit<ComponentProps<'input'>, 'value' | 'onInput'> & {
  /** With a point before decimals, as the interface has it. */
  value: string
  /** Takes what was typed, as `typedNumber` reads it. */
  onNumber: (value: string) => void
}

/** A field of a number, which shows what was typed as it was typed, and anything else as the reader writes it. */
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
