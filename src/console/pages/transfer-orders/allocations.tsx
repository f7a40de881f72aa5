import { formatWithUnit, t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Panel } from '../../kit/page/page.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { remove } from '../../kit/service/api.ts'
import { PartName } from '../orders/order-cells.tsx'
import type { TransferAllocation } from './transfer-order-details.ts'

type Properties = {
  allocations: readonly TransferAllocation[]
  /** Whether the order is complete, so that the stock is at its destination or used up. */
  isComplete: boolean
  canRelease: boolean
  onChanged: () => void
}

/** The stock allocated to a transfer order, and where it is. */
export function Allocations({ allocations, isComplete, canRelease, onChanged }: Properties) {
  if (allocations.length === 0) return null
  const release = ({ pk }: TransferAllocation) =>
    attempt(() => remove(`/api/order/transfer-order-allocation/${pk}/`)).finally(onChanged)
  return (
    <Panel title={t(isComplete ? 'transfers.transferred-stock' : 'transfers.allocated-stock')} class="flush">
      <ul class="allocations">
        {allocations.map((allocation) => {
          const { pk, item, serial, quantity: amount, part_detail: part, location_detail: location } = allocation
          const releaseText = t('sales.release', { part: part?.name ?? '' })
          return (
            <li key={pk}>
              <PartName part={part} detail={location?.pathstring} />
              <a href={`/stock/item/${item}/`}>{serial ? `#${serial}` : formatWithUnit(amount, part?.units)}</a>
              {canRelease && (
                <button
                  type="button"
                  class="quiet icon-only"
                  aria-label={releaseText}
                  title={releaseText}
                  onClick={() => release(allocation)}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
