import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { Chooser } from '../../kit/form/chooser.tsx'
import { sourceOfKind } from '../../kit/form/reference.ts'
import { decimalSign, number, quantity, t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { get } from '../../kit/service/api.ts'
import { PartName } from '../orders/order-cells.tsx'
import { another, type Delivery, type Entry, locationOf, packsOf, serialsOf, set, summarizeSerials, unitsIn } from './delivery.ts'
import { Packs } from './order-lines.tsx'
import { outstanding, unitsOf } from './purchase-order-details.ts'

type Properties = {
  delivery: Delivery
  entry: Entry
  /** Whether it is the first entry of its line. */
  isFirst: boolean
}

/** The received quantity of a line: packs and base units side by side, serial numbers or a batch, and the location. */
export function ReceiveRow({ delivery, entry, isFirst }: Properties) {
  const { line, errors } = entry
  const id = useId()
  const part = line.part_detail
  const name = part?.name ?? ''
  const isNone = packsOf(entry) === 0
  const wrong = Object.entries(errors).filter(([, texts]) => texts.length > 0)
  const attributes = (field: string, inInterface: string, label: string) => ({
    'data-field': field,
    'aria-label': `${label}: ${name}`,
    'aria-invalid': errors[inInterface]?.length ? true : undefined,
    'aria-describedby': wrong.length > 0 ? `${id}-wrong` : undefined,
    autocomplete: 'off',
    spellcheck: false,
    onFocus: (event: FocusEvent) => (event.currentTarget as HTMLInputElement).select(),
  })
  return (
    <li class={`receive-row ${isNone ? 'none' : ''} ${isFirst ? '' : 'more'}`}>
      {isFirst ? (
        <PartName
          part={part}
          more={[line.supplier_part_detail?.SKU, line.reference, part?.description].filter(Boolean).join(' · ')}
        />
      ) : (
        <span class="quiet-text">{t('receive.another-of', { part: name })}</span>
      )}
      <span class="receive-to-come">
        {isFirst && (
          <>
            <span class="phone-title">{t('receive.to-come')}</span>
            <span>
              <Packs line={line} packs={outstanding(line)} />
            </span>
          </>
        )}
      </span>
      <span class="receive-came">
        <span class="phone-title">{t('receive.came')}</span>
        <input
          {...attributes('packs', 'quantity', t('receive.came'))}
          inputMode="decimal"
          value={entry.packs.replace('.', decimalSign())}
          onInput={(event) => set(delivery, entry.id, { packs: event.currentTarget.value })}
        />
        <small>{unitsOf(line) === 1 ? (part?.units ?? '') : `= ${quantity(unitsIn(entry), part?.units)}`}</small>
      </span>
      <span class="receive-serials">
        {part?.trackable && (
          <input
            {...attributes('serials', 'serial_numbers', t('receive.serials'))}
            placeholder={t('receive.serials-hint')}
            data-several={unitsIn(entry)}
            // prevents selecting all, so that scanned serial numbers stay when another is scanned
            onFocus={undefined}
            value={entry.serials}
            onInput={(event) => set(delivery, entry.id, { serials: event.currentTarget.value })}
          />
        )}
        {part?.trackable && <Serials entry={entry} part={part.pk} />}
      </span>
      <span class="receive-batch">
        <input
          {...attributes('batch', 'batch_code', t('receive.batch'))}
          placeholder={t('receive.batch')}
          value={entry.batch}
          onInput={(event) => set(delivery, entry.id, { batch: event.currentTarget.value })}
        />
      </span>
      <span class="receive-where">
        <Chooser
          from={sourceOfKind('place')}
          value={entry.place}
          onPick={(location) => set(delivery, entry.id, { place: location?.pk ?? null })}
          placeholder={
            delivery.place.value === null ? (line.destination_detail?.name ?? t('receive.choose-place')) : t('receive.as-all')
          }
          attributes={{
            ...attributes('place', 'location', t('receive.place')),
            title: delivery.place.value === null ? line.destination_detail?.pathstring : undefined,
            class: locationOf(delivery, entry) === undefined ? 'wanted' : undefined,
          }}
        />
        <button
          type="button"
          class="quiet icon-only"
          aria-label={t('receive.another', { part: name })}
          title={t('receive.another', { part: name })}
          onClick={() => another(delivery, entry)}
        >
          <Icon name="plus" />
        </button>
      </span>
      {wrong.length > 0 && (
        <p class="receive-wrong" id={`${id}-wrong`} role="alert">
          {wrong.flatMap(([, texts]) => texts).join(' ')}
        </p>
      )}
    </li>
  )
}

/** Previews the serial numbers of a text while it is typed. */
function Serials({ entry, part }: { entry: Entry; part: number }) {
  const latest = useSignal<string | null>(null)
  const asks = entry.serials.includes('~')
  useEffect(() => {
    if (!asks) return
    const controller = new AbortController()
    get<{ latest: string | null }>(`/api/part/${part}/serial-numbers/`, controller.signal).then(
      ({ body }) => {
        latest.value = body.latest
      },
      () => {},
    )
    return () => controller.abort()
  }, [asks, part])
  const result = serialsOf(entry, latest.value)
  if (!result) return unitsIn(entry) > 0 ? <small>{t('receive.serials-wanted', { count: number(unitsIn(entry)) })}</small> : null
  if ('wrong' in result) {
    // the error is already shown below the line after a rejected request
    const isSaid = entry.errors.serial_numbers?.includes(result.wrong)
    return isSaid ? null : <small class="late">{result.wrong}</small>
  }
  const { serials } = result
  return (
    <small>
      {number(serials.length)}: {summarizeSerials(serials)}
    </small>
  )
}

/** Enter and the arrows go to the same field of the next row; from the last one, Enter goes to the button. */
export function navigateRows(event: KeyboardEvent, form: HTMLFormElement | null): void {
  const input = event.target as HTMLElement
  if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
    event.preventDefault()
    form?.requestSubmit()
    return
  }
  if (event.defaultPrevented || !form || !(input instanceof HTMLInputElement) || event.isComposing) return
  const isDown = event.key === 'Enter' || event.key === 'ArrowDown'
  if (!isDown && event.key !== 'ArrowUp') return
  event.preventDefault()
  const field = input.dataset.field ?? 'packs'
  const all = [...form.querySelectorAll<HTMLInputElement>(`[data-field="${field}"]`)]
  const next = all[all.indexOf(input) + (isDown ? 1 : -1)]
  if (next) next.focus()
  else if (event.key === 'Enter') form.querySelector<HTMLButtonElement>('button[type="submit"]')?.focus()
}
