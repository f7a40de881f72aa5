import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Combobox } from '../../kit/form/combobox.tsx'
import { bindSubmit } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { getSource } from '../../kit/form/reference.ts'
import { count, label, t } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { ApiError, change, isNotExecuted, newKey, post } from '../../kit/service/api.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { LINES_PATH, listOutcomes } from './return-lines.tsx'
import type { ReturnLine } from './return-order-details.ts'
import { useObjectScans } from './scanned-item.ts'

type Properties = {
  order: number
  /** The outstanding lines. */
  lines: readonly ReturnLine[]
  /** The lines selected at first. */
  initialKeys: readonly number[]
  /** Reloads the lines, as another user may have changed them. */
  onRejected: () => void
  onDone: () => void
  onClose: () => void
}

/** ID of the location field. */
const LOCATION_FIELD = 'take-back-place'

/** The location of the last received items, until the console is reloaded. */
let lastLocation: number | null = null

/** The location proposed for items: the default location common to all of their parts, otherwise the last one used. */
function findDefaultLocation(lines: readonly ReturnLine[]): number | null {
  const locations = new Set(lines.map(({ part_detail }) => part_detail?.default_location ?? null))
  const [only = null] = locations
  return locations.size === 1 && only !== null ? only : lastLocation
}

/** Receives returned items: selected or scanned, with their location and outcomes. */
export function ReceiveItems({ order, lines, initialKeys, onRejected, onDone, onClose }: Properties) {
  const selectedKeys = useSignal<ReadonlySet<number>>(new Set(initialKeys))
  const location = useSignal(findDefaultLocation(lines.filter(({ pk }) => initialKeys.includes(pk))))
  const selectedOutcomes = useSignal<Readonly<Record<number, number>>>({})
  const errors = useSignal<Readonly<Record<number, string>>>({})
  const problem = useSignal<string | undefined>(undefined)
  const isSubmittedWithoutLocation = useSignal(false)
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  /** The versions of the lines whose outcomes this dialog has saved. */
  const savedLines = useRef(new Map<number, { outcome: number; etag?: string }>())
  const selectedLines = lines.filter(({ pk }) => selectedKeys.value.has(pk))
  const isLocationMissing = isSubmittedWithoutLocation.value && location.value === null
  const getOutcome = ({ pk, outcome }: ReturnLine) => selectedOutcomes.value[pk] ?? outcome
  const tick = (pk: number, isTicked: boolean) => {
    selectedKeys.value = isTicked
      ? new Set([...selectedKeys.value, pk])
      : new Set([...selectedKeys.value].filter((selectedKey) => selectedKey !== pk))
  }
  useObjectScans({
    item(pk) {
      const line = lines.find(({ item }) => item === pk)
      if (line) tick(line.pk, true)
      else problem.value = t('returns.not-in-order')
      return true
    },
    location(pk) {
      location.value = pk
      return true
    },
  })

  /** Saves the outcomes first: no item is received before all of them are saved. @returns whether they are saved */
  async function saveOutcomes(): Promise<boolean> {
    for (const line of selectedLines) {
      const outcome = getOutcome(line)
      const before = savedLines.current.get(line.pk) ?? line
      if (outcome === before.outcome) continue
      const result = await change<ReturnLine>(`${LINES_PATH}${line.pk}/`, { outcome }, before.etag)
      if ('conflict' in result) {
        savedLines.current.delete(line.pk)
        errors.value = { [line.pk]: t('returns.changed') }
        onRejected()
        return false
      }
      savedLines.current.set(line.pk, { outcome, etag: result.saved.etag })
    }
    return true
  }

  async function submit(): Promise<void> {
    if (isBusy.value || selectedLines.length === 0) return
    problem.value = undefined
    errors.value = {}
    isSubmittedWithoutLocation.value = location.value === null
    if (location.value === null) return
    isBusy.value = true
    try {
      if (!(await saveOutcomes())) return
      const items = selectedLines.map(({ pk }) => ({ item: pk }))
      await post(`/api/order/ro/${order}/receive/`, { items, location: location.value }, key.current)
      lastLocation = location.value
      showToast(count('returns.received-items', selectedLines.length))
      onDone()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // a request without a response may have been carried out: it is retried under the same key
      if (isNotExecuted(error)) key.current = newKey()
      const { items } = error.errors as { items?: Record<string, string[]>[] }
      if (Array.isArray(items))
        errors.value = Object.fromEntries(
          selectedLines.map(({ pk }, index) => [
            pk,
            Object.values(items[index] ?? {})
              .flat()
              .join(' '),
          ]),
        )
      else problem.value = error.text
    } finally {
      isBusy.value = false
    }
  }
  return (
    <Dialog title={t('returns.receive')} onClose={onClose} size="wide">
      <form {...bindSubmit(submit)} data-scans="page">
        <div class="field">
          <label for={LOCATION_FIELD} class="required">
            {t('receive.all-to')}
          </label>
          <Combobox
            source={getSource('storageLocation')}
            value={location.value}
            onPick={(row) => {
              location.value = row?.pk ?? null
            }}
            placeholder={t('receive.select-location')}
            attributes={{
              id: LOCATION_FIELD,
              'aria-invalid': isLocationMissing ? true : undefined,
              'aria-describedby': isLocationMissing ? `${LOCATION_FIELD}-error` : undefined,
            }}
          />
          <p class="help">{t('returns.receive-more')}</p>
          {isLocationMissing && (
            <p class="error" id={`${LOCATION_FIELD}-error`}>
              {t('receive.no-location')}
            </p>
          )}
        </div>
        <table class="plain receive-return">
          <thead>
            <tr>
              <th scope="col">{t('returns.item')}</th>
              <th scope="col">{label('outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.pk}>
                <td>
                  <label class="checkbox-line">
                    <input
                      type="checkbox"
                      checked={selectedKeys.value.has(line.pk)}
                      onChange={(event) => tick(line.pk, event.currentTarget.checked)}
                    />
                    <span>
                      {line.part_detail?.name} #{line.item_detail?.serial}
                      {line.notes && <small>{line.notes}</small>}
                    </span>
                  </label>
                  {errors.value[line.pk] && (
                    <p class="alert-text" role="alert">
                      {errors.value[line.pk]}
                    </p>
                  )}
                </td>
                <td>
                  <select
                    aria-label={t('returns.outcome-of', {
                      item: `${line.part_detail?.name ?? ''} #${line.item_detail?.serial ?? ''}`,
                    })}
                    value={String(getOutcome(line))}
                    onChange={(event) => {
                      selectedOutcomes.value = { ...selectedOutcomes.value, [line.pk]: Number(event.currentTarget.value) }
                    }}
                  >
                    {listOutcomes().map(({ value, text }) => (
                      <option key={value} value={String(value)}>
                        {text}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <FormFooter form={{ problem, isBusy }} isDisabled={selectedLines.length === 0} onCancel={onClose}>
          {count('returns.receive-button', selectedLines.length)}
        </FormFooter>
      </form>
    </Dialog>
  )
}
