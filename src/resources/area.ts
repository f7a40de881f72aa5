import type { Endpoint } from '../kit/definition/action.ts'
import type { Resource } from '../kit/definition/resource.ts'

/** What one area of the interface offers: its resources, and its actions and views. */
export type Area = { resources: readonly Resource[]; actions: readonly Endpoint[] }

/** Marks actions of which no answer may be kept anywhere: whatever an area answers that lets people in. */
export const holdingSecrets = (actions: readonly Endpoint[]): Endpoint[] =>
  actions.map((action) => ({ ...action, holdsSecret: true }))
