import { multiply } from './exact.ts'

/** Fields of a build order line from which its installed quantity is calculated; lines of other orders do not have them. */
export type InstallableLine = {
  part_detail: { trackable: boolean } | null
  bom_item_detail?: { quantity: number } | null
  build_detail?: { completed: number } | null
}

/** Quantity of a tracked component that is installed in completed outputs: it is neither allocated nor required any more. */
export function calculateInstalled({ part_detail, bom_item_detail, build_detail }: InstallableLine): string {
  return part_detail?.trackable ? multiply(bom_item_detail?.quantity ?? 0, build_detail?.completed ?? 0) : '0'
}
