import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { parseSerialNumbers, SerialNumberError } from '../../../notation/serial/serial-numbers.ts'
import { Field, type Form } from '../../kit/form/form.tsx'
import { errorText, formatNumber, t } from '../../kit/language/language.ts'
import { get } from '../../kit/service/api.ts'

type Properties = {
  form: Form
  part: number
  /** The number of serial numbers required. */
  expectedCount: number
  /** Required and prefilled with numbers that continue after the latest of the part. */
  isPrefilled?: boolean
  /** Required, and left to the user. */
  isRequired?: boolean
}

type SerialNumberUsage = { latest: string | null; next?: string }

/** The serial numbers of a form in one line, with the numbers that they expand to by the grammar of the service. */
export function SerialNumbers({ form, part, expectedCount, isPrefilled, isRequired }: Properties) {
  const loadedUsage = useSignal<SerialNumberUsage | undefined>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    get<SerialNumberUsage>(`/api/part/${part}/serial-numbers/`, controller.signal).then(
      ({ body }) => {
        loadedUsage.value = body
      },
      // typed numbers work without it
      () => {},
    )
    return () => controller.abort()
  }, [part])
  const usage = loadedUsage.value
  const next = usage && (usage.next ?? (usage.latest === null ? '1' : undefined))
  const suggested = useRef('')
  /** The text for the required number of serial numbers, starting at a given one. */
  const formatRange = (first: string): string => (expectedCount > 1 ? `${first}+` : first)
  const fill = (first: string) => {
    form.values.value = { ...form.values.value, serial_numbers: formatRange(first) }
  }
  useEffect(() => {
    const currentText = form.values.value.serial_numbers
    if (!isPrefilled || next === undefined || (currentText !== '' && currentText !== suggested.current)) return
    suggested.current = formatRange(next)
    fill(next)
  }, [next, expectedCount])
  const preview = previewSerials(String(form.values.value.serial_numbers ?? ''), expectedCount, usage?.latest ?? null)
  return (
    <>
      <Field form={form} name="serial_numbers" help={t(isPrefilled || isRequired ? 'stock.serials-how' : 'stock.serials-help')} />
      {preview ? (
        <p class={preview.isWrong ? 'field-error' : 'quiet-text'}>{preview.text}</p>
      ) : (
        next !== undefined && (
          <p class="quiet-text next-serial">
            {t('stock.next-serial', { serial: next })}{' '}
            <button type="button" class="quiet" onClick={() => fill(next)}>
              {t('stock.use-serial', { serial: formatRange(next) })}
            </button>
          </p>
        )
      )}
    </>
  )
}

function previewSerials(
  text: string,
  expectedCount: number,
  latest: string | null,
): { text: string; isWrong: boolean } | undefined {
  if (text.trim() === '') return undefined
  try {
    const { serials } = parseSerialNumbers(text, expectedCount, latest)
    const shownSerials = serials.length > 4 ? [serials[0], serials[1], '…', serials.at(-1)] : serials
    return { text: `${formatNumber(serials.length)}: ${shownSerials.join(', ')}`, isWrong: false }
  } catch (error) {
    if (!(error instanceof SerialNumberError)) throw error
    return { text: error.messages.map(errorText).join(' '), isWrong: true }
  }
}
