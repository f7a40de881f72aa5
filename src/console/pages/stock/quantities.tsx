import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { bindSubmit, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { count, getDecimalSeparator, label, parseTypedNumber, t } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { ApiError, post } from '../../kit/service/api.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { ChangedEntries, type ChangedEntry, getExpectedValues, readCurrentItems, useExpectations } from './expectations.tsx'
import { getActionTitle } from './offers.ts'
import { Reason } from './reason.tsx'
import { ReleaseChoices, useAllocationRelease } from './release.tsx'
import { formatItemQuantity, formatItemTitle, type StockItem } from './stock-details.tsx'
import { actionMetadata, DestinationField, type StockLocation } from './stock-plans.tsx'
import { getUndo, UNDOABLE } from './undo.ts'
import { useConfirmQuantities } from './unusual-quantities.tsx'

type Properties = {
  action: 'move' | 'count' | 'add' | 'remove'
  items: readonly StockItem[]
  onDone: () => void
  onClose: () => void
}

/** The quantity typed for an item. */
type EnteredQuantity = { pk: number; quantity: string }

/** The last path segment of the URL of each action. */
const PATHS = { move: 'transfer', count: 'count', add: 'add', remove: 'remove' } as const
const DONE_TEXTS = {
  count: 'stock.many-counted',
  add: 'stock.many-added',
  remove: 'stock.many-removed',
} as const

/**
 * The quantity for each of several items: the full quantity by default when they are moved, otherwise as typed; an empty line is skipped. One
 * request changes all of them or none.
 */
export function Quantities({ action, items: initialItems, onDone, onClose }: Properties) {
  const title = t(getActionTitle(action))
  const form = useForm(actionMetadata, { location: null, notes: '' })
  const isMove = action === 'move'
  const currentItems = useSignal(initialItems)
  const items = currentItems.value
  const typed = useRef(new Map(initialItems.map(({ pk, quantity }) => [pk, isMove ? String(quantity) : ''])))
  const itemErrors = useSignal<ReadonlyMap<number, string>>(new Map())
  const confirmation = useConfirmQuantities(action === 'count')
  const chosenLocation = useRef<StockLocation>(undefined)
  const list = useRef<HTMLTableElement>(null)
  const expectations = useExpectations()
  const releasing = useAllocationRelease()
  /** Keys of the items sent. */
  const sentKeys = useRef<readonly number[]>([])
  const refetch = async () => {
    currentItems.value = await readCurrentItems(items)
  }
  const findField = (pk: number | undefined) => list.current?.querySelector<HTMLInputElement>(`input[data-item="${pk}"]`)
  /** Takes over changed quantities: for a count the current one, for a move the current one if the full quantity was to be moved. */
  const acceptChanges = (changed: readonly ChangedEntry[]) => {
    const before = new Map(initialItems.map(({ pk, quantity }) => [pk, quantity]))
    for (const { index, found } of changed) {
      const pk = sentKeys.current[index]
      const field = findField(pk)
      if (pk === undefined || found === undefined || !field) continue
      const isFullQuantity = isMove && Number(typed.current.get(pk)) === before.get(pk)
      if (action !== 'count' && !isFullQuantity) continue
      typed.current.set(pk, found)
      field.value = found.replace('.', getDecimalSeparator())
    }
  }
  // errors in `items` are shown at their lines
  useEffect(() => form.registerField('items'), [])
  const generalErrors = itemErrors.value.size === 0 ? form.errors.value.items : undefined

  function submit(): void {
    const enteredQuantities = items.flatMap(({ pk }) => {
      const quantity = (typed.current.get(pk) ?? '').trim()
      return quantity === '' ? [] : [{ pk, quantity }]
    })
    itemErrors.value = new Map()
    if (enteredQuantities.length === 0) {
      form.problem.value = t('stock.no-quantity')
      return
    }
    // moving or removing is limited to the current quantity
    const canBeUnusual = action === 'count' || action === 'add'
    const quantities = new Map(enteredQuantities.map(({ pk, quantity }) => [pk, quantity]))
    const getTypedQuantity = (item: StockItem) => ({ item, quantity: quantities.get(item.pk) })
    confirmation.before(canBeUnusual ? items.map(getTypedQuantity) : [], () => send(enteredQuantities))
  }

  async function send(enteredQuantities: readonly EnteredQuantity[]): Promise<void> {
    const { location, notes } = form.values.value
    const itemsByKey = new Map(items.map((item) => [item.pk, item]))
    const entries = enteredQuantities.map((entered) => ({
      ...entered,
      ...getExpectedValues(itemsByKey.get(entered.pk) as StockItem),
      ...releasing.getFields(entered.pk),
    }))
    sentKeys.current = enteredQuantities.map(({ pk }) => pk)
    const getCountedItem = (index: number) => {
      const entered = enteredQuantities[index] as EnteredQuantity
      const item = itemsByKey.get(entered.pk) as StockItem
      return { ...entered, name: formatItemTitle(item), units: item.part_detail?.units }
    }
    const body = { items: entries, notes, ...(isMove ? { location } : {}), ...UNDOABLE }
    const response = await form.submit((key) =>
      expectations
        .send(
          (index) => formatItemTitle(itemsByKey.get(enteredQuantities[index]?.pk as number) as StockItem),
          refetch,
          () => releasing.send(getCountedItem, () => post(`/api/stock/${PATHS[action]}/`, body, key)),
        )
        .catch((error) => {
          if (error instanceof ApiError) itemErrors.value = errorsByItem(enteredQuantities, error)
          throw error
        }),
    )
    if (!response) {
      // errors are marked after rendering
      requestAnimationFrame(() =>
        fields()
          .find((field) => field.getAttribute('aria-invalid'))
          ?.focus(),
      )
      return
    }
    const message =
      action === 'move'
        ? t('stock.moved', {
            what: count('locations.item-count', enteredQuantities.length),
            place: chosenLocation.current?.name ?? '',
          })
        : count(DONE_TEXTS[action], enteredQuantities.length)
    showToast(message, getUndo(response))
    onDone()
  }

  const fields = () => [...(list.current?.querySelectorAll('input') ?? [])]
  const moveFocus = (from: HTMLInputElement, step: number): boolean => {
    const all = fields()
    const next = all[all.indexOf(from) + step]
    next?.focus()
    return next !== undefined
  }
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      <form {...bindSubmit(submit)}>
        {isMove && (
          <div class="fields">
            <DestinationField
              form={form}
              onPick={(row) => {
                chosenLocation.current = row
              }}
            />
          </div>
        )}
        <div class="many-items">
          <table class="editable-grid" ref={list} aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{label('part')}</th>
                <th scope="col" class="end">
                  {t('stock.current-quantity')}
                </th>
                <th scope="col" class="end">
                  {title}
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => {
                const problem = itemErrors.value.get(item.pk)
                return (
                  <tr key={item.pk} class={problem ? 'has-difference' : ''}>
                    <th scope="row">
                      {formatItemTitle(item)}
                      <small>{item.location_detail?.pathstring}</small>
                      {problem && (
                        <small class="alert-text" id={`wrong-${item.pk}`}>
                          {problem}
                        </small>
                      )}
                    </th>
                    <td class="end">{formatItemQuantity(item)}</td>
                    <td class="end">
                      {item.serial ? (
                        formatItemQuantity(item)
                      ) : (
                        <input
                          aria-label={t('stock.quantity-of', { item: formatItemTitle(item) })}
                          aria-invalid={problem ? true : undefined}
                          aria-describedby={problem ? `wrong-${item.pk}` : undefined}
                          data-item={item.pk}
                          inputMode="decimal"
                          autocomplete="off"
                          size={8}
                          defaultValue={(typed.current.get(item.pk) ?? '').replace('.', getDecimalSeparator())}
                          onInput={(event) => typed.current.set(item.pk, parseTypedNumber(event.currentTarget.value))}
                          onFocus={(event) => event.currentTarget.select()}
                          onKeyDown={(event) => {
                            if (event.ctrlKey || event.metaKey || event.altKey) return
                            const step = event.key === 'ArrowUp' ? -1 : /^(ArrowDown|Enter)$/.test(event.key) ? 1 : 0
                            // Enter in the last line submits the form
                            if (step !== 0 && (moveFocus(event.currentTarget, step) || event.key !== 'Enter'))
                              event.preventDefault()
                          }}
                        />
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
        <div class="fields">
          <Reason form={form} name="notes" action={action} />
        </div>
        <ChangedEntries
          expectations={expectations}
          isCount={action === 'count'}
          onRetry={([first]) => findField(sentKeys.current[first?.index ?? 0])?.focus()}
          onAccept={acceptChanges}
        />
        <ReleaseChoices releasing={releasing} />
        {generalErrors && <p class="field-error">{generalErrors.join(' ')}</p>}
        <FormFooter form={form} onCancel={onClose}>
          {title}
        </FormFooter>
      </form>
      {confirmation.question}
    </Dialog>
  )
}

/** The error of each item, by its key: the service lists errors in the order of the request. */
function errorsByItem(enteredQuantities: readonly EnteredQuantity[], { errors }: ApiError): Map<number, string> {
  const { items } = errors
  const found = new Map<number, string>()
  if (!Array.isArray(items)) return found
  for (const [index, entered] of items.entries()) {
    const texts = typeof entered === 'object' && entered !== null ? Object.values(entered).flat() : []
    const item = enteredQuantities[index]
    if (item && texts.length > 0) found.set(item.pk, texts.join(' '))
  }
  return found
}
