/** The API version that InvenTree clients request. */
export const API_VERSION = 196
/** The version of this program. */
export const VERSION = '0.2.0'
