/** Reading codes: what plugins that read labels of suppliers have in common. */

export * from './message.ts'
export * from './separators.ts'
export * from './supplier-label.ts'
export * from './supplier-of.ts'
