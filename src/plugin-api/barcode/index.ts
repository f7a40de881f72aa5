/** Shared functions for plugins that read supplier labels. */

export * from './message.ts'
export * from './separators.ts'
export * from './supplier-label.ts'
export * from './supplier-of.ts'
