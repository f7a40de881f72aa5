import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { label, number, t } from '../../kit/language.ts'

/** Something that has to be said before a scan can be carried out. */
export type Question =
  | {
      kind: 'quantity'
      title: string
      /** In what it is said, such as packs or metres. */
      unit: string
      /** What Enter alone says; nothing where that would be a guess. */
      expected?: number
      answer: (quantity: string) => void
    }
  | SerialNumbers
  | { kind: 'choice'; title: string; choices: readonly { text: string; choose: () => void }[] }

type SerialNumbers = {
  kind: 'serial-numbers'
  title: string
  /** How many. */
  wanted: number
  /** Those that were scanned so far. */
  scanned: Signal<readonly string[]>
  answer: (serials: string) => void
}

export const serialNumbers = (asked: Omit<SerialNumbers, 'kind' | 'scanned'>): SerialNumbers => ({
  ...asked,
  kind: 'serial-numbers',
  scanned: signal([]),
})

/** GS between the fields of a label, and RS behind the last. */
const SEPARATORS = /\p{Cc}/u

/** Takes the serial number of a unit that was scanned: what its label says is one, else all of it. The last one answers the question. */
export function takeSerialNumber({ scanned, wanted, answer }: SerialNumbers, code: string): void {
  const fields = code.startsWith('[)>') ? code.split(SEPARATORS) : []
  const serial = fields.find((field) => field.startsWith('S'))?.slice(1) ?? code.trim()
  if (scanned.value.includes(serial)) return
  scanned.value = [...scanned.value, serial]
  if (scanned.value.length === wanted) answer(scanned.value.join(', '))
}

/** The question that is open. */
export const question = signal<Question | undefined>(undefined)

/** Closes the question, and carries on with what was said. */
const answered = (carryOn: () => void) => {
  question.value = undefined
  carryOn()
}

/** A question, answered by keys, by scans or by fingers. Escape leaves the scan undone. */
export function Ask({ asked }: { asked: Question }) {
  const cancel = () => {
    question.value = undefined
  }
  return (
    <section
      class="scan-question"
      aria-label={asked.title}
      onKeyDown={(event) => {
        if (event.key === 'Escape') cancel()
      }}
    >
      <h2>{asked.title}</h2>
      {asked.kind === 'quantity' && <AskQuantity asked={asked} onCancel={cancel} />}
      {asked.kind === 'serial-numbers' && <AskSerialNumbers asked={asked} onCancel={cancel} />}
      {asked.kind === 'choice' && <AskChoice asked={asked} onCancel={cancel} />}
    </section>
  )
}

type Of<Kind> = { asked: Extract<Question, { kind: Kind }>; onCancel: () => void }

/** Has the focus when it appears. */
function useFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}

function AskQuantity({ asked: { unit, expected, answer }, onCancel }: Of<'quantity'>) {
  const value = useSignal('')
  const isWrong = useSignal(false)
  const ref = useFocus<HTMLInputElement>()
  const id = useId()
  const help = isWrong.value
    ? t('scan.no-number')
    : expected === undefined
      ? t('scan.type-quantity')
      : t('scan.enter-confirms', { many: number(expected) })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const said = value.value.trim().replace(',', '.') || String(expected ?? '')
        isWrong.value = !/^\d+(\.\d+)?$/.test(said)
        if (!isWrong.value) answered(() => answer(said))
      }}
    >
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
          onInput={(event) => {
            value.value = event.currentTarget.value
          }}
        />
        <p class={isWrong.value ? 'error' : 'help'} id={`${id}-help`}>
          {help}
        </p>
      </div>
      <Buttons onCancel={onCancel} />
    </form>
  )
}

function AskSerialNumbers({ asked: { wanted, scanned, answer }, onCancel }: Of<'serial-numbers'>) {
  const typed = useSignal('')
  const ref = useFocus<HTMLInputElement>()
  const id = useId()
  const all = () => [...scanned.value, typed.value.trim()].filter(Boolean).join(', ')
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (all() !== '') answered(() => answer(all()))
      }}
    >
      <p>{t('scan.scan-serial-numbers', { done: scanned.value.length, wanted })}</p>
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
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value
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

function AskChoice({ asked: { choices }, onCancel }: Of<'choice'>) {
  const ref = useFocus<HTMLButtonElement>()
  return (
    <div class="buttons">
      {choices.map(({ text, choose }, at) => (
        <button
          key={text}
          ref={at === 0 ? ref : undefined}
          type="button"
          class={at === 0 ? 'primary' : ''}
          onClick={() => answered(choose)}
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
      {t('scan.go-on')}
    </button>
    <button type="button" onClick={onCancel}>
      {t('cancel')}
    </button>
  </div>
)
