import { compare, multiply } from './exact.ts'

/** Fields of a build order line from which its consumed quantity is calculated; lines of other orders do not have them. */
export type ConsumedLine = {
  part_detail: { trackable: boolean } | null
  bom_item_detail?: { quantity: number } | null
  build_detail?: { completed: number } | null
  consumed?: number
}

/**
 * Quantity of a component that is consumed or installed: it is neither allocated nor required any more. Earlier versions did not count what
 * they installed in completed outputs.
 */
export function calculateConsumed({ part_detail, bom_item_detail, build_detail, consumed = 0 }: ConsumedLine): string {
  const installed = part_detail?.trackable ? multiply(bom_item_detail?.quantity ?? 0, build_detail?.completed ?? 0) : '0'
  return compare(consumed, installed) > 0 ? String(consumed) : installed
}
