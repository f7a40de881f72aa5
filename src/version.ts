import type { Wire } from './wire.ts'

/** The API version of the specification, which templates are told. */
export const API_VERSION = 196
/** The API version that InvenTree clients are told. */
export const getApiVersion = ({ announces530 }: Pick<Wire, 'announces530'>): number => (announces530 ? 530 : API_VERSION)
/** The version of this program. */
export const VERSION = '0.2.0'
