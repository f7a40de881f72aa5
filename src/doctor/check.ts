import type { Config } from '../config.ts'
import type { Finding } from '../kit/services/inspection.ts'
import type { DatabaseAccess } from './database-access.ts'

export type { Finding }

export type Context = { config: Config; database: DatabaseAccess }

export type Check = {
  /** Its name in JSON. Scripts may match it. */
  name: string
  /** Its name for people. */
  title: string
  /** Checks without changing anything. An exception becomes an error with its message. */
  run(context: Context): Promise<Finding[]> | Finding[]
}

export const ok = (message: string): Finding => ({ status: 'ok', message })
export const warning = (message: string, advice: string): Finding => ({ status: 'warning', message, advice })
export const error = (message: string, advice: string): Finding => ({ status: 'error', message, advice })
export const skipped = (message: string): Finding => ({ status: 'skipped', message })

/** Formats a number of bytes for people: `1.5 GB`, `200 MB`. */
export const formatBytes = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.floor(bytes / 1e6)} MB`
