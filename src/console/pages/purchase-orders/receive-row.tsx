import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { Combobox } from '../../kit/form/combobox.tsx'
import { getSource } from '../../kit/form/reference.ts'
import { formatNumber, formatWithUnit, getDecimalSeparator, t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { get } from '../../kit/service/api.ts'
import { PartName } from '../orders/order-cells.tsx'
import { Packs } from './order-lines.tsx'
import { getOutstanding, getUnitsPerPack } from './purchase-order-details.ts'
import {
  addBatch,
  type Entry,
  getBaseUnits,
  getLocation,
  parsePacks,
  parseSerials,
  type ReceiptForm,
  summarizeSerials,
  updateEntry,
} from './receipt-form.ts'

type Properties = {
  delivery: ReceiptForm
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
  const isEmpty = parsePacks(entry) === 0
  const invalidFields = Object.entries(errors).filter(([, texts]) => texts.length > 0)
  const attributes = (field: string, apiName: string, label: string) => ({
    'data-field': field,
    'aria-label': `${label}: ${name}`,
    'aria-invalid': errors[apiName]?.length ? true : undefined,
    'aria-describedby': invalidFields.length > 0 ? `${id}-wrong` : undefined,
    autocomplete: 'off',
    spellcheck: false,
    onFocus: (event: FocusEvent) => (event.currentTarget as HTMLInputElement).select(),
  })
  return (
    <li class={`receive-row ${isEmpty ? 'none' : ''} ${isFirst ? '' : 'more'}`}>
      {isFirst ? (
        <PartName
          part={part}
          detail={[line.supplier_part_detail?.SKU, line.reference, part?.description].filter(Boolean).join(' · ')}
        />
      ) : (
        <span class="quiet-text">{t('receive.another-of', { part: name })}</span>
      )}
      <span class="receive-outstanding">
        {isFirst && (
          <>
            <span class="phone-title">{t('receive.outstanding')}</span>
            <span>
              <Packs line={line} packs={getOutstanding(line)} />
            </span>
          </>
        )}
      </span>
      <span class="receive-received">
        <span class="phone-title">{t('receive.received')}</span>
        <input
          {...attributes('packs', 'quantity', t('receive.received'))}
          inputMode="decimal"
          value={entry.packs.replace('.', getDecimalSeparator())}
          onInput={(event) => updateEntry(delivery, entry.id, { packs: event.currentTarget.value })}
        />
        <small>
          {getUnitsPerPack(line) === 1 ? (part?.units ?? '') : `= ${formatWithUnit(getBaseUnits(entry), part?.units)}`}
        </small>
      </span>
      <span class="receive-serials">
        {part?.trackable && (
          <input
            {...attributes('serials', 'serial_numbers', t('receive.serials'))}
            placeholder={t('receive.serials-hint')}
            data-several={getBaseUnits(entry)}
            // prevents selecting all, so that scanned serial numbers stay when another is scanned
            onFocus={undefined}
            value={entry.serials}
            onInput={(event) => updateEntry(delivery, entry.id, { serials: event.currentTarget.value })}
          />
        )}
        {part?.trackable && <Serials entry={entry} part={part.pk} />}
      </span>
      <span class="receive-batch">
        <input
          {...attributes('batch', 'batch_code', t('receive.batch'))}
          placeholder={t('receive.batch')}
          value={entry.batch}
          onInput={(event) => updateEntry(delivery, entry.id, { batch: event.currentTarget.value })}
        />
      </span>
      <span class="receive-destination">
        <Combobox
          source={getSource('storageLocation')}
          value={entry.location}
          onPick={(location) => updateEntry(delivery, entry.id, { location: location?.pk ?? null })}
          placeholder={
            delivery.defaultLocation.value === null
              ? (line.destination_detail?.name ?? t('receive.select-location'))
              : t('receive.as-all')
          }
          attributes={{
            ...attributes('place', 'location', t('receive.location')),
            title: delivery.defaultLocation.value === null ? line.destination_detail?.pathstring : undefined,
            class: getLocation(delivery, entry) === undefined ? 'missing' : undefined,
          }}
        />
        <button
          type="button"
          class="quiet icon-only"
          aria-label={t('receive.another', { part: name })}
          title={t('receive.another', { part: name })}
          onClick={() => addBatch(delivery, entry)}
        >
          <Icon name="plus" />
        </button>
      </span>
      {invalidFields.length > 0 && (
        <p class="receive-wrong" id={`${id}-wrong`} role="alert">
          {invalidFields.flatMap(([, texts]) => texts).join(' ')}
        </p>
      )}
    </li>
  )
}

/** Previews the serial numbers while they are typed. */
function Serials({ entry, part }: { entry: Entry; part: number }) {
  const latest = useSignal<string | null>(null)
  const needsLatest = entry.serials.includes('~')
  useEffect(() => {
    if (!needsLatest) return
    const controller = new AbortController()
    get<{ latest: string | null }>(`/api/part/${part}/serial-numbers/`, controller.signal).then(
      ({ body }) => {
        latest.value = body.latest
      },
      () => {},
    )
    return () => controller.abort()
  }, [needsLatest, part])
  const result = parseSerials(entry, latest.value)
  if (!result)
    return getBaseUnits(entry) > 0 ? (
      <small>{t('receive.serials-wanted', { count: formatNumber(getBaseUnits(entry)) })}</small>
    ) : null
  if ('wrong' in result) {
    // the error is already shown below the line after a rejected request
    const isShown = entry.errors.serial_numbers?.includes(result.wrong)
    return isShown ? null : <small class="alert-text">{result.wrong}</small>
  }
  const { serials } = result
  return (
    <small>
      {formatNumber(serials.length)}: {summarizeSerials(serials)}
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
