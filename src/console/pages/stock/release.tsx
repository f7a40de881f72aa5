import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatWithUnit, t } from '../../kit/language/language.ts'
import { ApiError, type FieldError } from '../../kit/service/api.ts'
import { compare, subtract } from '../../kit/values/exact.ts'

/** An allocation that prevents a count. */
export type BlockingAllocation = {
  /** Its ID, which a count names to release it. */
  id: string
  /** Reference of the order that the stock is allocated to. */
  reference: string
  quantity: string
}

/** A count below the allocated quantity, as the service rejects it: its position in the request, and the allocations, newest first. */
export type BelowAllocated = { at: number; allocated: string; allocations: readonly BlockingAllocation[] }

/** The counts of a request that are below the allocated quantity. */
export const listBelowAllocated = (causes: readonly FieldError[]): BelowAllocated[] =>
  causes
    .filter(({ code }) => code === 'below_allocated')
    .map(({ pointer, parameters }) => ({
      at: Number(/\/items\/(\d+)\//.exec(pointer)?.[1] ?? 0),
      allocated: String(parameters.allocated),
      allocations: (parameters.allocations as FieldError[]).map(({ parameters: one }) => ({
        id: String(one.allocation),
        reference: String(one.reference),
        quantity: String(one.quantity),
      })),
    }))

/** The quantity that each allocation releases, in order, until the required quantity is reached, and the quantity still missing. */
export function distributeLoss(allocations: readonly BlockingAllocation[], required: string) {
  const losses = new Map<string, string>()
  let missing = required
  for (const { id, quantity: allocatedQuantity } of allocations) {
    if (compare(missing, 0) <= 0) break
    const loss = compare(allocatedQuantity, missing) < 0 ? allocatedQuantity : missing
    losses.set(id, loss)
    missing = subtract(missing, loss)
  }
  return { losses, missing }
}

/** The item that is counted. */
type CountedItem = { pk: number; name: string; units: string | null | undefined; quantity: string }

/** A count that requires a selection, and the allocations selected. */
type Choice = BelowAllocated & { of: CountedItem; chosen: ReadonlySet<string> }

export type AllocationRelease = {
  choices: Signal<readonly Choice[]>
  /** The allocations selected for a stock item, as fields of its count; empty if no selection was required. */
  getFields: (pk: number) => { release_allocations?: readonly string[] }
  /**
   * Sends counts. If any are below the allocated quantity, asks which orders lose stock.
   * @param getCounted returns the item of the entry at a position
   * @throws ApiError that requires the selection
   */
  send: <T>(getCounted: (at: number) => CountedItem, send: () => Promise<T>) => Promise<T>
}

const CHOICES = 'release-choices'

/** Allows counts below the allocated quantity, once the user has selected the orders that lose stock. */
export function useAllocationRelease(): AllocationRelease {
  const choices = useSignal<readonly Choice[]>([])
  // another count requires another selection
  useEffect(() => {
    if (choices.value.length === 0) return
    const clearChoices = ({ target }: Event) => {
      if (!(target instanceof Element && target.closest(`.${CHOICES}`))) choices.value = []
    }
    document.addEventListener('input', clearChoices)
    return () => document.removeEventListener('input', clearChoices)
  }, [choices.value])
  return {
    choices,
    getFields(pk) {
      const choice = choices.peek().find(({ of: countedItem }) => countedItem.pk === pk)
      return choice ? { release_allocations: listSelected(choice).map(({ id }) => id) } : {}
    },
    async send(getCounted, send) {
      if (choices.peek().some((choice) => compare(getLosses(choice).missing, 0) > 0))
        throw new ApiError(400, 'below_allocated', t('stock.release-more'))
      try {
        const response = await send()
        choices.value = []
        return response
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const shortfalls = listBelowAllocated(error.causes)
        if (shortfalls.length === 0 || shortfalls.length < error.causes.length) throw error
        choices.value = shortfalls.map((one) => {
          const countedItem = getCounted(one.at)
          const { losses } = distributeLoss(one.allocations, subtract(one.allocated, countedItem.quantity))
          return { ...one, of: countedItem, chosen: new Set(losses.keys()) }
        })
        throw new ApiError(400, 'below_allocated', t('stock.below-allocated'))
      }
    },
  }
}

const listSelected = ({ allocations, chosen }: Choice) => allocations.filter(({ id }) => chosen.has(id))
const getLosses = (choice: Choice) => distributeLoss(listSelected(choice), subtract(choice.allocated, choice.of.quantity))

/** A list of the orders that would lose stock, with quantities, to select from. */
export function ReleaseChoices({ releasing: { choices } }: { releasing: AllocationRelease }) {
  const all = choices.value
  if (all.length === 0) return null
  return (
    <div class={CHOICES}>
      {all.map((choice) => {
        const { of: countedItem, allocated, allocations, chosen } = choice
        const { losses, missing } = getLosses(choice)
        const formatQuantity = (amount: string) => formatWithUnit(amount, countedItem.units)
        return (
          <fieldset key={countedItem.pk}>
            <legend>
              {t('stock.release-of', {
                item: countedItem.name,
                counted: formatQuantity(countedItem.quantity),
                allocated: formatQuantity(allocated),
                missing: formatQuantity(subtract(allocated, countedItem.quantity)),
              })}
            </legend>
            {allocations.map(({ id, reference, quantity: allocatedQuantity }) => (
              <label class="checkbox-line" key={id}>
                <input
                  type="checkbox"
                  checked={chosen.has(id)}
                  onChange={(event) => {
                    const selection = new Set(chosen)
                    if (event.currentTarget.checked) selection.add(id)
                    else selection.delete(id)
                    choices.value = choices.value.map((one) =>
                      one.of.pk === countedItem.pk ? { ...one, chosen: selection } : one,
                    )
                  }}
                />
                {t('stock.allocated-to', { reference, quantity: formatQuantity(allocatedQuantity) })}
                {losses.has(id) && (
                  <strong class="has-difference">
                    {t('stock.order-loses', { quantity: formatQuantity(losses.get(id) as string) })}
                  </strong>
                )}
              </label>
            ))}
            {compare(missing, 0) > 0 && (
              <p class="alert-text">{t('stock.release-missing', { missing: formatQuantity(missing) })}</p>
            )}
          </fieldset>
        )
      })}
    </div>
  )
}
