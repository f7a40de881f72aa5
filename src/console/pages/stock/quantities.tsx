import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { sentBy, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { count, decimalSign, label, t, typedNumber } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { ApiError, post } from '../../kit/service/api.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { Changed, type ChangedEntry, expectedOf, readCurrent, useExpectations } from './expectations.tsx'
import { titleOfAction } from './offers.ts'
import { Reason } from './reason.tsx'
import { ReleaseChoices, useReleasing } from './release.tsx'
import { quantityOf, type StockItem, titleOf } from './stock-details.tsx'
import { actionMetadata, type StockLocation, To } from './stock-plans.tsx'
import { UNDOABLE, undoOf } from './undo.ts'
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
 * The quantity for each of several items: the full quantity by default when they are moved, else as typed; an empty line is skipped. One
 * request changes all of them or none.
 */
export function Quantities({ action, items: chosen, onDone, onClose }: Properties) {
  const title = t(titleOfAction(action))
  const form = useForm(actionMetadata, { location: null, notes: '' })
  const isMove = action === 'move'
  const currentItems = useSignal(chosen)
  const items = currentItems.value
  const typed = useRef(new Map(chosen.map(({ pk, quantity }) => [pk, isMove ? String(quantity) : ''])))
  const wrong = useSignal<ReadonlyMap<number, string>>(new Map())
  const doubts = useConfirmQuantities(action === 'count')
  const chosenLocation = useRef<StockLocation>(undefined)
  const list = useRef<HTMLTableElement>(null)
  const expectations = useExpectations()
  const releasing = useReleasing()
  /** Keys of the items sent. */
  const sent = useRef<readonly number[]>([])
  const reread = async () => {
    currentItems.value = await readCurrent(items)
  }
  const fieldOf = (pk: number | undefined) => list.current?.querySelector<HTMLInputElement>(`input[data-item="${pk}"]`)
  /** Takes over changed quantities: for a count the current one, for a move the current one if the full quantity was to be moved. */
  const take = (changed: readonly ChangedEntry[]) => {
    const before = new Map(chosen.map(({ pk, quantity }) => [pk, quantity]))
    for (const { at, found } of changed) {
      const pk = sent.current[at]
      const field = fieldOf(pk)
      if (pk === undefined || found === undefined || !field) continue
      const isAll = isMove && Number(typed.current.get(pk)) === before.get(pk)
      if (action !== 'count' && !isAll) continue
      typed.current.set(pk, found)
      field.value = found.replace('.', decimalSign())
    }
  }
  // errors in `items` are shown at their lines
  useEffect(() => form.registerField('items'), [])
  const elsewhere = wrong.value.size === 0 ? form.errors.value.items : undefined

  function submit(): void {
    const enteredQuantities = items.flatMap(({ pk }) => {
      const quantity = (typed.current.get(pk) ?? '').trim()
      return quantity === '' ? [] : [{ pk, quantity }]
    })
    wrong.value = new Map()
    if (enteredQuantities.length === 0) {
      form.problem.value = t('stock.no-quantity')
      return
    }
    // moving or removing is limited to the current quantity
    const adds = action === 'count' || action === 'add'
    const quantities = new Map(enteredQuantities.map(({ pk, quantity }) => [pk, quantity]))
    const typedOf = (item: StockItem) => ({ item, quantity: quantities.get(item.pk) })
    doubts.before(adds ? items.map(typedOf) : [], () => send(enteredQuantities))
  }

  async function send(enteredQuantities: readonly EnteredQuantity[]): Promise<void> {
    const { location, notes } = form.values.value
    const itemsByKey = new Map(items.map((item) => [item.pk, item]))
    const entries = enteredQuantities.map((one) => ({
      ...one,
      ...expectedOf(itemsByKey.get(one.pk) as StockItem),
      ...releasing.of(one.pk),
    }))
    sent.current = enteredQuantities.map(({ pk }) => pk)
    const countedAt = (at: number) => {
      const one = enteredQuantities[at] as EnteredQuantity
      const item = itemsByKey.get(one.pk) as StockItem
      return { ...one, name: titleOf(item), units: item.part_detail?.units }
    }
    const body = { items: entries, notes, ...(isMove ? { location } : {}), ...UNDOABLE }
    const response = await form.submit((key) =>
      expectations
        .send(
          (at) => titleOf(itemsByKey.get(enteredQuantities[at]?.pk as number) as StockItem),
          reread,
          () => releasing.send(countedAt, () => post(`/api/stock/${PATHS[action]}/`, body, key)),
        )
        .catch((error) => {
          if (error instanceof ApiError) wrong.value = errorsByItem(enteredQuantities, error)
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
        ? t('stock.moved', { what: count('locations.held', enteredQuantities.length), place: chosenLocation.current?.name ?? '' })
        : count(DONE_TEXTS[action], enteredQuantities.length)
    showToast(message, undoOf(response))
    onDone()
  }

  const fields = () => [...(list.current?.querySelectorAll('input') ?? [])]
  const go = (from: HTMLInputElement, by: number): boolean => {
    const all = fields()
    const next = all[all.indexOf(from) + by]
    next?.focus()
    return next !== undefined
  }
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      <form {...sentBy(submit)}>
        {isMove && (
          <div class="fields">
            <To
              form={form}
              onPick={(row) => {
                chosenLocation.current = row
              }}
            />
          </div>
        )}
        <div class="many-items">
          <table class="sheet" ref={list} aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{label('part')}</th>
                <th scope="col" class="end">
                  {t('stock.here')}
                </th>
                <th scope="col" class="end">
                  {title}
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => {
                const problem = wrong.value.get(item.pk)
                return (
                  <tr key={item.pk} class={problem ? 'differs' : ''}>
                    <th scope="row">
                      {titleOf(item)}
                      <small>{item.location_detail?.pathstring}</small>
                      {problem && (
                        <small class="late" id={`wrong-${item.pk}`}>
                          {problem}
                        </small>
                      )}
                    </th>
                    <td class="end">{quantityOf(item)}</td>
                    <td class="end">
                      {item.serial ? (
                        quantityOf(item)
                      ) : (
                        <input
                          aria-label={t('stock.quantity-of', { item: titleOf(item) })}
                          aria-invalid={problem ? true : undefined}
                          aria-describedby={problem ? `wrong-${item.pk}` : undefined}
                          data-item={item.pk}
                          inputMode="decimal"
                          autocomplete="off"
                          size={8}
                          defaultValue={(typed.current.get(item.pk) ?? '').replace('.', decimalSign())}
                          onInput={(event) => typed.current.set(item.pk, typedNumber(event.currentTarget.value))}
                          onFocus={(event) => event.currentTarget.select()}
                          onKeyDown={(event) => {
                            if (event.ctrlKey || event.metaKey || event.altKey) return
                            const by = event.key === 'ArrowUp' ? -1 : /^(ArrowDown|Enter)$/.test(event.key) ? 1 : 0
                            // Enter in the last line submits the form
                            if (by !== 0 && (go(event.currentTarget, by) || event.key !== 'Enter')) event.preventDefault()
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
        <Changed
          expectations={expectations}
          isCount={action === 'count'}
          onRetry={([first]) => fieldOf(sent.current[first?.at ?? 0])?.focus()}
          onAccept={take}
        />
        <ReleaseChoices releasing={releasing} />
        {elsewhere && <p class="field-error">{elsewhere.join(' ')}</p>}
        <FormFooter form={form} onCancel={onClose}>
          {title}
        </FormFooter>
      </form>
      {doubts.question}
    </Dialog>
  )
}

/** The error of each item, by its key: the service lists errors in the order of the request. */
function errorsByItem(enteredQuantities: readonly EnteredQuantity[], { errors }: ApiError): Map<number, string> {
  const { items } = errors
  const found = new Map<number, string>()
  if (!Array.isArray(items)) return found
  for (const [at, one] of items.entries()) {
    const texts = typeof one === 'object' && one !== null ? Object.values(one).flat() : []
    const item = enteredQuantities[at]
    if (item && texts.length > 0) found.set(item.pk, texts.join(' '))
  }
  return found
}
