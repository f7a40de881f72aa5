import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { formatWithUnit, t } from '../../kit/language/language.ts'
import { Badge } from '../../kit/page/page.tsx'
import { post } from '../../kit/service/api.ts'
import { subtract, sumAmounts } from '../../kit/values/exact.ts'
import { AllocationForm, type Offer, parseTypedAmount } from '../orders/allocation-form.tsx'
import { parseAmount } from '../orders/order.ts'
import { formatStatus, getExpiry, OK_STATUS, type StockItem } from '../stock/stock-details.tsx'
import { isUsable } from '../stock/usable-stock.ts'
import {
  type Build,
  type BuildItem,
  type BuildLine,
  calculateOutputRequirement,
  calculateUnallocated,
  formatOutputName,
  getExcessWarning,
  type Output,
} from './build-details.ts'

/** Maximum number of stock items that are offered for a line. */
export const MAX_OFFERED_ITEMS = 200

/** An allocation, and the output that it goes into. */
type OutputAllocation = Pick<BuildItem, 'install_into' | 'quantity'>

type Properties = {
  build: Build
  line: BuildLine
  /** Available stock for the line: of its component, of substitutes, and of variants if the line allows them. */
  items: readonly StockItem[]
  total: number
  outputs: readonly Output[]
  /** Existing allocations of the line. */
  allocated: readonly OutputAllocation[]
  /** Called after an allocation. @param isMore whether another output is short of the component; it is then selected */
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
  const since = useRef<{ before: readonly OutputAllocation[]; added: OutputAllocation[] }>({ before, added: [] })
  if (since.current.before !== before) since.current = { before, added: [] }
  const allocated = [...before, ...since.current.added]
  const isTracked = line.part_detail?.trackable === true
  const findNextOutput = (exceptKey?: number) =>
    isTracked
      ? outputs.find((candidate) => candidate.pk !== exceptKey && calculateOutputShortage(line, candidate, allocated) > 0)
      : undefined
  const outputKey = useSignal(findNextOutput()?.pk)
  const output = outputs.find(({ pk }) => pk === outputKey.value)
  /** Serialized items that were just allocated: they are not offered while the available stock is reloaded. */
  const allocatedItems = useRef<ReadonlySet<number>>(new Set())
  const getTotal = (selected: readonly Offer<BuildLine>[]) => sumAmounts(selected.map(({ amount }) => parseTypedAmount(amount)))
  async function allocate(selected: readonly Offer<BuildLine>[], key: string): Promise<void> {
    const body = {
      check_expiry: true,
      items: selected.map(({ item, amount }) => ({
        build_line: line.pk,
        stock_item: item.pk,
        quantity: parseAmount(amount),
        ...(isTracked ? { output: outputKey.value } : {}),
      })),
    }
    await post(`/api/build/${build.pk}/allocate/`, body, key)
    if (output) since.current.added.push({ install_into: output.pk, quantity: Number(getTotal(selected)) })
    const next = findNextOutput(outputKey.value)
    if (next) {
      allocatedItems.current = new Set([
        ...allocatedItems.current,
        ...selected.filter(({ item }) => item.serial).map(({ item }) => item.pk),
      ])
      outputKey.value = next.pk
    }
    onDone(next !== undefined)
  }
  if (isTracked && outputs.length === 0) return <p class="quiet-text">{t('builds.outputs-first')}</p>
  return (
    <AllocationForm<BuildLine>
      lines={[line]}
      getItems={() => items.filter(({ pk }) => !allocatedItems.current.has(pk))}
      stock={items}
      target={outputKey.value}
      getShortage={() =>
        isTracked ? (output ? calculateOutputShortage(line, output, allocated) : 0) : calculateUnallocated(line)
      }
      isUsable={(item) => isUsable(item, 'BUILD')}
      isPreferred={(_, { part }) => part === line.part_detail?.pk}
      itemHeading={t('builds.from')}
      renderItem={({ item }) => (
        <>
          <a class="item-name" href={`/stock/item/${item.pk}/`}>
            {formatItemName(item)}
          </a>{' '}
          {item.part !== line.part_detail?.pk && <Badge tone="accent">{item.part_detail?.full_name}</Badge>}{' '}
          {item.status !== OK_STATUS && <Badge tone="warn">{formatStatus(item)}</Badge>}
          {getExpiry(item) === 'expired' && <Badge tone="bad">{t('stock.expired')}</Badge>}
          <small>{item.location_detail?.pathstring ?? t('stock.no-location')}</small>
        </>
      )}
      accessibleNames={({ item }) => ({ part: item.part_detail?.full_name ?? '', item: formatItemName(item) })}
      formatAvailable={(available, { item }) => formatWithUnit(available, item.part_detail?.units)}
      getButtonLabel={(selected) =>
        t('builds.allocate-sum', { sum: formatWithUnit(getTotal(selected), line.part_detail?.units) })
      }
      cancel={t('close')}
      // more than is needed in total, or for a tracked component by its output
      getWarning={(selected) =>
        isTracked
          ? output &&
            getExcessWarning(
              line,
              sumAmounts([sumAllocated(output, allocated), getTotal(selected)]),
              calculateOutputRequirement(line, output),
            )
          : getExcessWarning(line, sumAmounts([line.allocated, getTotal(selected)]), line.quantity)
      }
      send={allocate}
      onRejected={onRejected}
      onClose={onClose}
    >
      {(table) => (
        <>
          <h3>{t('builds.select-stock')}</h3>
          {children}
          {isTracked && (
            <label class="checkbox-line">
              {t('builds.into')}
              <select
                value={outputKey.value === undefined ? '' : String(outputKey.value)}
                onChange={(event) => {
                  outputKey.value = Number(event.currentTarget.value) || undefined
                }}
              >
                <option value="" />
                {outputs.map((candidate) => (
                  <option key={candidate.pk} value={String(candidate.pk)}>
                    {formatOutputName(candidate)}
                  </option>
                ))}
              </select>
            </label>
          )}
          {items.length === 0 ? <p class="alert-text">{t('builds.none-available')}</p> : table}
          {total > items.length && <p class="quiet-text">{t('builds.more-stock', { count: total - items.length })}</p>}
        </>
      )}
    </AllocationForm>
  )
}

const formatItemName = ({ pk, serial, batch }: StockItem): string =>
  serial ? `#${serial}` : batch ? t('stock.batch', { batch }) : t('sales.item', { item: pk })

/** Quantity that is allocated to an output. */
const sumAllocated = (output: Output, allocated: readonly OutputAllocation[]): string =>
  sumAmounts(allocated.filter(({ install_into }) => install_into === output.pk).map((item) => item.quantity))

/** Shortage of a tracked component for an output. */
const calculateOutputShortage = (line: BuildLine, output: Output, allocated: readonly OutputAllocation[]): number =>
  Math.max(0, Number(subtract(calculateOutputRequirement(line, output), sumAllocated(output, allocated))))
