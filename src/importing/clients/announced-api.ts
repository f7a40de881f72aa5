import type { Config } from '../../config.ts'
import { API_VERSION } from '../../version.ts'

/** The API version that `GET /api/` announces. */
export const readAnnouncedApi = (_config: Config): number => API_VERSION
