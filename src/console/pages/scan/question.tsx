import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { parseGs1 } from '../../../notation/gs1/gs1-code.ts'
import { useConfirmQuantity } from '../../kit/form/confirm-quantity.tsx'
import { bindSubmit } from '../../kit/form/form.tsx'
import { formatWithUnit, label, parseTypedNumber, t } from '../../kit/language/language.ts'
import { useReturnFocus } from '../../kit/navigation/focus.ts'
import { isUnusual } from '../../kit/values/unusual-quantity.ts'
import { parseInternalCode } from '../../scanner/own-code.ts'
import { formatCode, type Station } from '../../scanner/station.ts'
import { isTypingCode } from './code-field.tsx'

/** A question to answer before a scan can be processed. */
export type Question =
  | {
      kind: 'quantity'
      title: string
      /** Unit of the quantity, such as packs or meters. */
      unit: string
      /** The quantity that Enter alone confirms; undefined where that would be a guess. */
      expected?: number
      submit: (quantity: string) => Promise<void>
    }
  | SerialNumbersQuestion
  | {
      kind: 'choice'
      title: string
      choices: readonly { text: string; choose: () => Promise<void> }[]
      /** The choice for a scanned code, such as that of an output; undefined for any other code. */
      findChoice?: (code: string) => (() => Promise<void>) | undefined
      /** Codes scanned while the question is open: they are processed after the answer. Without it, another scan discards the question. */
      waitingCodes?: Signal<readonly string[]>
    }

type SerialNumbersQuestion = {
  kind: 'serial-numbers'
  title: string
  /** Number of serial numbers required. */
  expectedCount: number
  /** The serial numbers scanned so far. */
  scanned: Signal<readonly string[]>
  submit: (serials: string) => Promise<void>
}

export const createSerialNumbersQuestion = (prompt: Omit<SerialNumbersQuestion, 'kind' | 'scanned'>): SerialNumbersQuestion => ({
  ...prompt,
  kind: 'serial-numbers',
  scanned: signal([]),
})

/** GS between the fields of a label, and RS after the last. */
const SEPARATORS = /\p{Cc}/u

/** The serial number on a label, or the code itself; undefined for a label without one, and for a code of the service. */
export function readSerialNumber(code: string): string | undefined {
  const text = code.trim()
  if (parseInternalCode(text)) return undefined
  if (text.startsWith('[)>')) {
    const field = text.split(SEPARATORS).find((one) => /^S./.test(one))
    return field ? field.slice(1) : parseGs1(text)?.serial
  }
  const label = parseGs1(text)
  // a plain number that could be a GTIN is a serial number here
  return label && !/^\d+$/.test(text) ? label.serial : text
}

/** Adds the serial number of a scanned unit. The last one answers the question. */
export async function addSerialNumber(
  { scanned, expectedCount, submit }: SerialNumbersQuestion,
  code: string,
  station: Station,
): Promise<void> {
  const serial = readSerialNumber(code)
  if (serial === undefined)
    return station.report({ tone: 'rejected', text: t('scan.no-serial-number'), detail: formatCode(code) })
  if (scanned.value.includes(serial)) return station.report({ tone: 'rejected', text: t('scan.serial-number-twice', { serial }) })
  scanned.value = [...scanned.value, serial]
  if (scanned.value.length < expectedCount) return station.report({ tone: 'found', text: `#${serial}` })
  question.value = undefined
  await submit(scanned.value.join(', '))
}

/** The open question. */
export const question = signal<Question | undefined>(undefined)

/** Closes the open question without an answer, and reports its scan as discarded. */
export function dismissQuestion(station: Station): void {
  const open = question.value
  if (!open) return
  question.value = undefined
  station.report({ tone: 'rejected', text: t('scan.discarded', { what: open.title }) })
  for (const code of (open.kind === 'choice' && open.waitingCodes?.value) || [])
    station.report({ tone: 'rejected', text: t('scan.discarded', { what: formatCode(code) }) })
}

/** A question, answered by keys, scans or touch. Escape discards the scan. */
export function QuestionForm({ prompt, station }: { prompt: Question; station: Station }) {
  const ref = useRef<HTMLElement>(null)
  // returns the focus to the code field for typing, or to the page for scanning
  useReturnFocus(ref)
  const cancel = () => dismissQuestion(station)
  /** Closes the question, and processes the answer after the earlier scans. */
  const closeAndRun = (task: () => Promise<void>) => {
    question.value = undefined
    station.enqueue(task)
  }
  return (
    <section
      ref={ref}
      class="scan-question"
      aria-label={prompt.title}
      onKeyDown={(event) => {
        // if a dialog for details is open, Escape closes only that
        if (event.key === 'Escape' && !event.defaultPrevented) cancel()
      }}
    >
      <h2>{prompt.title}</h2>
      {prompt.kind === 'quantity' && <QuantityForm prompt={prompt} onAnswer={closeAndRun} onCancel={cancel} />}
      {prompt.kind === 'serial-numbers' && <SerialNumbersForm prompt={prompt} onAnswer={closeAndRun} onCancel={cancel} />}
      {prompt.kind === 'choice' && <ChoiceForm prompt={prompt} onAnswer={closeAndRun} onCancel={cancel} />}
    </section>
  )
}

type FormProperties<Kind> = {
  prompt: Extract<Question, { kind: Kind }>
  onAnswer: (task: () => Promise<void>) => void
  onCancel: () => void
}

/** Focuses the element when it appears, unless the next code is being typed, half of which would end up there. */
function useFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null)
  useEffect(() => {
    if (!isTypingCode()) ref.current?.focus()
  }, [])
  return ref
}

function QuantityForm({ prompt: { unit, expected, submit }, onAnswer, onCancel }: FormProperties<'quantity'>) {
  const value = useSignal('')
  const isWrong = useSignal(false)
  const confirmation = useConfirmQuantity()
  const ref = useFocus<HTMLInputElement>()
  const id = useId()
  const help = isWrong.value
    ? t('scan.no-number')
    : expected === undefined
      ? t('scan.type-quantity')
      : t('scan.enter-confirms', { many: formatWithUnit(expected, unit) })
  function send() {
    const quantityText = parseTypedNumber(value.value.trim()) || String(expected ?? '')
    isWrong.value = !/^\d+(\.\d+)?$/.test(quantityText)
    if (isWrong.value) return
    const isUnusualQuantity = expected !== undefined && isUnusual(quantityText, expected)
    confirmation.before(
      isUnusualQuantity
        ? t('confirm.quantity', { amount: formatWithUnit(quantityText, unit), before: formatWithUnit(expected, unit) })
        : undefined,
      () => onAnswer(() => submit(quantityText)),
    )
  }
  return (
    <form {...bindSubmit(send)}>
      <div class="field">
        <label for={id}>{unit ? `${label('quantity')} (${unit})` : label('quantity')}</label>
        <input
          ref={ref}
          id={id}
          class="scan-quantity"
          inputMode="decimal"
          autocomplete="off"
          aria-invalid={isWrong.value || undefined}
          aria-describedby={`${id}-help`}
          value={value.value}
          // a corrected value replaces the doubtful one
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => {
            value.value = event.currentTarget.value
          }}
        />
        <p class={isWrong.value ? 'error' : 'help'} id={`${id}-help`}>
          {help}
        </p>
      </div>
      <Buttons onCancel={onCancel} />
      {confirmation.dialog}
    </form>
  )
}

function SerialNumbersForm({ prompt: { expectedCount, scanned, submit }, onAnswer, onCancel }: FormProperties<'serial-numbers'>) {
  const typedText = useSignal('')
  const ref = useFocus<HTMLInputElement>()
  const id = useId()
  const joinSerials = () => [...scanned.value, typedText.value.trim()].filter(Boolean).join(', ')
  return (
    <form
      {...bindSubmit(() => {
        const serials = joinSerials()
        if (serials !== '') onAnswer(() => submit(serials))
      })}
    >
      <p>{t('scan.scan-serial-numbers', { done: scanned.value.length, wanted: expectedCount })}</p>
      {scanned.value.length > 0 && (
        <ul class="scan-serials">
          {scanned.value.map((serial) => (
            <li key={serial}>{serial}</li>
          ))}
        </ul>
      )}
      <div class="field">
        <label for={id}>{t('scan.serial-numbers')}</label>
        <input
          ref={ref}
          id={id}
          autocomplete="off"
          aria-describedby={`${id}-help`}
          value={typedText.value}
          onInput={(event) => {
            typedText.value = event.currentTarget.value
          }}
        />
        <p class="help" id={`${id}-help`}>
          {t('scan.serial-numbers-help')}
        </p>
      </div>
      <Buttons onCancel={onCancel} />
    </form>
  )
}

function ChoiceForm({ prompt: { choices }, onAnswer, onCancel }: FormProperties<'choice'>) {
  const ref = useFocus<HTMLButtonElement>()
  return (
    <div class="buttons">
      {choices.map(({ text, choose }, index) => (
        <button
          key={text}
          ref={index === 0 ? ref : undefined}
          type="button"
          class={index === 0 ? 'primary' : ''}
          onClick={() => onAnswer(choose)}
        >
          {text}
        </button>
      ))}
      <button type="button" onClick={onCancel}>
        {t('cancel')}
      </button>
    </div>
  )
}

const Buttons = ({ onCancel }: { onCancel: () => void }) => (
  <div class="buttons">
    <button type="submit" class="primary">
      {t('scan.continue')}
    </button>
    <button type="button" onClick={onCancel}>
      {t('cancel')}
    </button>
  </div>
)
