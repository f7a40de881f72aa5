import { count, t } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { post, withQuery } from '../../kit/service/api.ts'
import type { Offer } from '../orders/allocation-form.tsx'
import { LineAllocationDialog } from '../orders/line-allocation-dialog.tsx'
import { parseAmount } from '../orders/order.ts'
import { getShortage, isWithin, type TransferLine, type TransferOrder } from './transfer-order-details.ts'

/** Maximum number of stock items offered for a line. */
const MAX_ITEMS = 50

type Properties = { order: TransferOrder; lines: readonly TransferLine[]; onDone: () => void; onClose: () => void }

/**
 * Allocates stock to the lines of a transfer order that are short of it. All stock is offered, damaged and expired stock too, as it may have
 * to move just as well; quantities are proposed from the source location only, if the order has one.
 */
export function AllocationDialog({ order, lines, onDone, onClose }: Properties) {
  const { pk, take_from_detail: source, destination_detail: destination } = order
  async function allocate(offers: readonly Offer<TransferLine>[], key: string): Promise<void> {
    const items = offers.map(({ line, item, amount }) => ({
      line_item: line.pk,
      stock_item: item.pk,
      quantity: parseAmount(amount),
    }))
    await post(`/api/order/transfer-order/${pk}/allocate/`, { items }, key)
    showToast(count('sales.was-allocated', offers.length))
    onDone()
  }
  return (
    <LineAllocationDialog<TransferLine>
      lines={lines}
      getShortage={getShortage}
      getStockUrls={(part) => [
        withQuery('/api/stock/', {
          ...{ part, in_stock: true, available: true, part_detail: true, location_detail: true },
          ...{ ordering: 'expiry_date', limit: MAX_ITEMS },
        }),
      ]}
      isUsable={({ location_detail }) =>
        // what is there already stays
        !(destination && location_detail?.pk === destination.pk) &&
        (!source || isWithin(location_detail?.pathstring, source.pathstring))
      }
      noStockHint={t('transfers.no-stock-more')}
      send={allocate}
      onClose={onClose}
    />
  )
}
