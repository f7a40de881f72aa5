/** The version of the interface that existing clients ask for. */
export const API_VERSION = 196
/** The version of this program. */
export const VERSION = '0.1.0'
