import { useRef } from 'preact/hooks'
import { count, t } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { ApiError, isNotExecuted, post, remove } from '../../kit/service/api.ts'
import type { Offer } from '../orders/allocation-form.tsx'
import { LineAllocationDialog } from '../orders/line-allocation-dialog.tsx'
import { parseAmount } from '../orders/order.ts'
import { getUsableStockUrls, isUsable } from '../stock/usable-stock.ts'
import { createShipment } from './new-shipment.ts'
import { getShortage, type SalesLine, type SalesOrder, type Shipment } from './sales-order-details.ts'

/** Maximum number of stock items offered for a line. */
const MAX_ITEMS = 50

type Properties = {
  order: SalesOrder
  lines: readonly SalesLine[]
  /** The shipments of the order: stock is allocated to the one not shipped yet, otherwise to a new one. */
  shipments: readonly Shipment[]
  onDone: () => void
  onClose: () => void
}

/** Allocates stock to the lines of a sales order that are short of it, and proposes stock that expires first. */
export function AllocationDialog({ order, lines, shipments, onDone, onClose }: Properties) {
  const targetShipment = useRef(shipments.find(({ shipment_date }) => shipment_date === null)?.pk)
  async function allocate(chosenOffers: readonly Offer<SalesLine>[], key: string): Promise<void> {
    /** A shipment created for these items alone. */
    let createdShipment: number | undefined
    try {
      if (targetShipment.current === undefined) {
        createdShipment = await createShipment(order.pk)
        targetShipment.current = createdShipment
      }
      const items = chosenOffers.map(({ line, item, amount }) => ({
        line_item: line.pk,
        stock_item: item.pk,
        quantity: parseAmount(amount),
      }))
      await post(`/api/order/so/${order.pk}/allocate/`, { shipment: targetShipment.current, items, check_expiry: true }, key)
    } catch (error) {
      if (
        createdShipment !== undefined &&
        error instanceof ApiError &&
        isNotExecuted(error) &&
        (await deleteIfEmpty(createdShipment))
      )
        targetShipment.current = undefined
      throw error
    }
    showToast(count('sales.was-allocated', chosenOffers.length))
    onDone()
  }
  return (
    <LineAllocationDialog<SalesLine>
      lines={lines}
      getShortage={getShortage}
      getStockUrls={(part) => getUsableStockUrls({ part }, 'SALE', MAX_ITEMS)}
      isUsable={(item) => isUsable(item, 'SALE')}
      noStockHint={t('sales.no-stock-more')}
      send={allocate}
      onClose={onClose}
    />
  )
}

/** Deletes a shipment if nothing was allocated to it. @returns whether it is deleted */
const deleteIfEmpty = (shipment: number): Promise<boolean> =>
  remove(`/api/order/so/shipment/${shipment}/`).then(
    () => true,
    (error) => {
      // an account without permission to delete reuses it for its next allocation
      if (!(error instanceof ApiError)) throw error
      return false
    },
  )
