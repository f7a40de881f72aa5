import type { Endpoint } from '../kit/definition/action.ts'
import type { Resource } from '../kit/definition/resource.ts'

/** What one area of the interface offers: its resources, and its actions and views. */
export type Area = { resources: readonly Resource[]; actions: readonly Endpoint[] }
