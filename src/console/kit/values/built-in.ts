import { times } from './exact.ts'

/** Fields of a build order line that tell how much of it is installed; lines of other orders have none of them. */
export type Tracked = {
  part_detail: { trackable: boolean } | null
  bom_item_detail?: { quantity: number } | null
  build_detail?: { completed: number } | null
}

/** Quantity of a tracked component that is installed in completed outputs: it is no longer allocated, and no longer needed. */
export function builtIn({ part_detail, bom_item_detail, build_detail }: Tracked): string {
  return part_detail?.trackable ? times(bom_item_detail?.quantity ?? 0, build_detail?.completed ?? 0) : '0'
}
