import { post } from '../../kit/service/api.ts'
import { account } from '../../kit/service/session.ts'

/** A receipt made in this browser that can still be undone. */
export type Receipt = {
  /** Its key at the service. */
  delivery: string
  order: number
  /** The account that received it, which alone may undo it. */
  account: number
  /** Time of the receipt, in milliseconds since 1970. */
  at: number
}

const STORAGE_KEY = 'stockroom.receipts'
/** Time during which the service allows undoing a receipt, in milliseconds. */
const UNDO_LIMIT_MS = 86_400_000

/** The receipts of the account that can still be undone, newest first. */
function readReceipts(): Receipt[] {
  try {
    const all = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]') as Receipt[]
    return all.filter(({ at }) => Date.now() - at < UNDO_LIMIT_MS)
  } catch {
    return []
  }
}

const saveReceipts = (receipts: readonly Receipt[]): void => localStorage.setItem(STORAGE_KEY, JSON.stringify(receipts))

/** Stores a receipt, so that it can be undone from the page of its order after its message has closed. */
export function storeReceipt(order: number, delivery: string): void {
  const pk = account.value?.pk
  if (pk !== undefined) saveReceipts([{ delivery, order, account: pk, at: Date.now() }, ...readReceipts()])
}

/** Undoes a receipt: removes its stock and makes its lines outstanding again. @throws ApiError */
export async function undoReceipt(order: number, delivery: string, key: string): Promise<void> {
  await post(`/api/order/po/${order}/delivery/${delivery}/undo/`, {}, key)
  saveReceipts(readReceipts().filter((receipt) => receipt.delivery !== delivery))
}

/** The latest receipt of an order that the account can undo in this browser. */
export const findLastReceipt = (order: number): Receipt | undefined =>
  readReceipts().find((receipt) => receipt.order === order && receipt.account === account.value?.pk)
