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

const STORE = 'stockroom.receipts'
/** Time during which the service allows undoing a receipt, in milliseconds. */
const UNDOABLE_MS = 86_400_000

/** The receipts of the account that can still be undone, newest first. */
function readReceipts(): Receipt[] {
  try {
    const all = JSON.parse(localStorage.getItem(STORE) ?? '[]') as Receipt[]
    return all.filter(({ at }) => Date.now() - at < UNDOABLE_MS)
  } catch {
    return []
  }
}

const write = (receipts: readonly Receipt[]): void => localStorage.setItem(STORE, JSON.stringify(receipts))

/** Stores a receipt, so that it can be undone from the page of its order after its message has closed. */
export function storeReceipt(order: number, delivery: string): void {
  const pk = account.value?.pk
  if (pk !== undefined) write([{ delivery, order, account: pk, at: Date.now() }, ...readReceipts()])
}

/** Undoes a receipt: removes its stock and makes its lines outstanding again. @throws Refusal */
export async function undoReceipt(order: number, delivery: string, key: string): Promise<void> {
  await post(`/api/order/po/${order}/delivery/${delivery}/undo/`, {}, key)
  write(readReceipts().filter((one) => one.delivery !== delivery))
}

/** The latest receipt of an order that the account can undo in this browser. */
export const lastReceipt = (order: number): Receipt | undefined =>
  readReceipts().find((one) => one.order === order && one.account === account.value?.pk)
