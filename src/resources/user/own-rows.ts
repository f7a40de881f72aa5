import type { Resource } from '../../kit/definition/resource.ts'

/** Personal records: only their owner reaches them, whatever rights others have; to all others they are not there (decision 16). */
export const ownRows: NonNullable<Resource['rows']> = () => ({ sql: '{user} = {@caller}', values: [] })
