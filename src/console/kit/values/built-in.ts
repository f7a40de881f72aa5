import { times } from './exact.ts'

/** What of a line of a build order says how much of it is built in; lines of other orders have none of it. */
export type Tracked = {
  part_detail: { trackable: boolean } | null
  bom_item_detail?: { quantity: number } | null
  build_detail?: { completed: number } | null
}

/** How much of a tracked component is built into outputs that are complete: it is put by no longer, and needed no more. */
export function builtIn({ part_detail, bom_item_detail, build_detail }: Tracked): string {
  return part_detail?.trackable ? times(bom_item_detail?.quantity ?? 0, build_detail?.completed ?? 0) : '0'
}
