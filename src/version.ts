/** The API version that existing clients request. */
export const API_VERSION = 196
/** The version of this program. */
export const VERSION = '0.1.0'
