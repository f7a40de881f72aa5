import type { Resource } from '../../kit/definition/resource.ts'

/** Personal records: accessible to their owner alone, whatever permissions others have; for all others they do not exist. */
export const ownRows: NonNullable<Resource['rows']> = () => ({ sql: '{user} = {@caller}', values: [] })
