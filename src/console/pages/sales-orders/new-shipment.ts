import { ApiError, get, type Page, post } from '../../kit/service/api.ts'
import type { Shipment } from './sales-order-details.ts'

/** Number of attempts to take the next number if another user takes it first. */
const MAX_ATTEMPTS = 3

/**
 * Creates a shipment of a sales order, with the next number that none of its shipments has.
 * @returns its key
 * @throws ApiError
 */
export async function createShipment(order: number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const { body: shipments } = await get<Page<Shipment>>(`/api/order/so/shipment/?order=${order}&limit=1000`)
    try {
      const { body } = await post<{ pk: number }>('/api/order/so/shipment/', {
        order,
        reference: getNextReference(shipments.results),
      })
      return body.pk
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400 || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** Non-numeric references are ignored. */
const getNextReference = (shipments: readonly Shipment[]): string => {
  const numbers = shipments.map(({ reference }) => Number(reference)).filter(Number.isSafeInteger)
  return String(Math.max(0, ...numbers) + 1)
}
