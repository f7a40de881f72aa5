import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { quantity, t } from '../../kit/language/language.ts'
import { Badge } from '../../kit/page/page.tsx'
import { post } from '../../kit/service/api.ts'
import { minus, sum } from '../../kit/values/exact.ts'
import { AllocationForm, type Offer, typedAmount } from '../orders/allocation-form.tsx'
import { amountOf } from '../orders/order.ts'
import { expiryOf, OK, type StockItem, statusOf } from '../stock/stock-details.tsx'
import {
  type Build,
  type BuildItem,
  type BuildLine,
  excessWarning,
  missingQuantity,
  type Output,
  outputName,
  requiredByOutput,
} from './build-details.ts'

/** Maximum number of stock items that are offered for a line. */
export const MAX_OFFERED = 200

/** An allocation, and the output that it goes into. */
type Allocated = Pick<BuildItem, 'install_into' | 'quantity'>

type Properties = {
  build: Build
  line: BuildLine
  /** Available stock for the line: of its component, of substitutes, and of variants if the line allows them. */
  items: readonly StockItem[]
  total: number
  outputs: readonly Output[]
  /** Existing allocations of the line. */
  allocated: readonly Allocated[]
  /** Called after an allocation. @param isMore whether other outputs are short of the component, the next of which is offered it */
  onDone: (isMore: boolean) => void
  /** Called after an error: reloads the available stock. */
  onRejected: () => void
  onClose: () => void
  /** Filters for the offered stock. */
  children?: ComponentChildren
}

/** Allocates stock to a line of a build order, prefilled with its shortage, so that Enter allocates it. */
export function LineAllocation(properties: Properties) {
  const { build, line, items, total, outputs, allocated: before, onDone, onRejected, onClose, children } = properties
  /** Allocations made here since `before` was loaded. */
  const since = useRef<{ before: readonly Allocated[]; added: Allocated[] }>({ before, added: [] })
  if (since.current.before !== before) since.current = { before, added: [] }
  const allocated = [...before, ...since.current.added]
  const isTracked = line.part_detail?.trackable === true
  const nextOutput = (except?: number) =>
    isTracked ? outputs.find((one) => one.pk !== except && shortageOf(line, one, allocated) > 0) : undefined
  const into = useSignal(nextOutput()?.pk)
  const output = outputs.find(({ pk }) => pk === into.value)
  /** Serialized items that were allocated here: they are not offered while the available stock is reloaded. */
  const allocatedItems = useRef<ReadonlySet<number>>(new Set())
  const sumOf = (selected: readonly Offer<BuildLine>[]) => sum(selected.map(({ amount }) => typedAmount(amount)))
  async function allocate(selected: readonly Offer<BuildLine>[], key: string): Promise<void> {
    const body = {
      items: selected.map(({ item, amount }) => ({
        build_line: line.pk,
        stock_item: item.pk,
        quantity: amountOf(amount),
        ...(isTracked ? { output: into.value } : {}),
      })),
    }
    await post(`/api/build/${build.pk}/allocate/`, body, key)
    if (output) since.current.added.push({ install_into: output.pk, quantity: Number(sumOf(selected)) })
    const next = nextOutput(into.value)
    if (next) {
      allocatedItems.current = new Set([
        ...allocatedItems.current,
        ...selected.filter(({ item }) => item.serial).map(({ item }) => item.pk),
      ])
      into.value = next.pk
    }
    onDone(next !== undefined)
  }
  if (isTracked && outputs.length === 0) return <p class="quiet-text">{t('builds.outputs-first')}</p>
  return (
    <AllocationForm<BuildLine>
      lines={[line]}
      itemsOf={() => items.filter(({ pk }) => !allocatedItems.current.has(pk))}
      stock={items}
      target={into.value}
      shortageOf={() => (isTracked ? (output ? shortageOf(line, output, allocated) : 0) : missingQuantity(line))}
      isUsable={(item) => item.status === OK && expiryOf(item) !== 'expired'}
      isFirst={(_, { part }) => part === line.part_detail?.pk}
      from={t('builds.from')}
      item={({ item }) => (
        <>
          <a class="item-name" href={`/stock/item/${item.pk}/`}>
            {nameOf(item)}
          </a>{' '}
          {item.part !== line.part_detail?.pk && <Badge tone="accent">{item.part_detail?.full_name}</Badge>}{' '}
          {item.status !== OK && <Badge tone="warn">{statusOf(item)}</Badge>}
          {expiryOf(item) === 'expired' && <Badge tone="bad">{t('stock.expired')}</Badge>}
          <small>{item.location_detail?.pathstring ?? t('stock.nowhere')}</small>
        </>
      )}
      accessibleNames={({ item }) => ({ part: item.part_detail?.full_name ?? '', item: nameOf(item) })}
      formatAvailable={(available, { item }) => quantity(available, item.part_detail?.units)}
      button={(selected) => t('builds.take', { sum: quantity(sumOf(selected), line.part_detail?.units) })}
      cancel={t('close')}
      // more than is needed in total, or for a tracked component by its output
      getWarning={(selected) =>
        isTracked
          ? output && excessWarning(line, sum([allocatedTo(output, allocated), sumOf(selected)]), requiredByOutput(line, output))
          : excessWarning(line, sum([line.allocated, sumOf(selected)]), line.quantity)
      }
      send={allocate}
      onRejected={onRejected}
      onClose={onClose}
    >
      {(table) => (
        <>
          <h3>{t('builds.choose')}</h3>
          {children}
          {isTracked && (
            <label class="tick-line">
              {t('builds.into')}
              <select
                value={into.value === undefined ? '' : String(into.value)}
                onChange={(event) => {
                  into.value = Number(event.currentTarget.value) || undefined
                }}
              >
                <option value="" />
                {outputs.map((one) => (
                  <option key={one.pk} value={String(one.pk)}>
                    {outputName(one)}
                  </option>
                ))}
              </select>
            </label>
          )}
          {items.length === 0 ? <p class="late">{t('builds.nothing-free')}</p> : table}
          {total > items.length && <p class="quiet-text">{t('builds.more-stock', { count: total - items.length })}</p>}
        </>
      )}
    </AllocationForm>
  )
}

const nameOf = ({ pk, serial, batch }: StockItem): string =>
  serial ? `#${serial}` : batch ? t('stock.batch', { batch }) : t('sales.item', { item: pk })

/** Quantity that is allocated to an output. */
const allocatedTo = (output: Output, allocated: readonly Allocated[]): string =>
  sum(allocated.filter(({ install_into }) => install_into === output.pk).map((item) => item.quantity))

/** Shortage of a tracked component for an output. */
const shortageOf = (line: BuildLine, output: Output, allocated: readonly Allocated[]): number =>
  Math.max(0, Number(minus(requiredByOutput(line, output), allocatedTo(output, allocated))))
