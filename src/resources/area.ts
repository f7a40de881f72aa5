import type { Endpoint } from '../kit/definition/action.ts'
import type { Resource } from '../kit/definition/resource.ts'

/** An area of the API: its resources, and its actions and views. */
export type Area = { resources: readonly Resource[]; actions: readonly Endpoint[] }

/** Marks all actions of an area that issues credentials: their responses must never be stored. */
export const markSecrets = (actions: readonly Endpoint[]): Endpoint[] =>
  actions.map((action) => ({ ...action, containsSecret: true }))
