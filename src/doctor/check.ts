import type { Config } from '../config.ts'
import type { DatabaseAccess } from './database-access.ts'

/**
 * `error`: the service could not run, or a part of it does not work. `warning`: it works, with a disadvantage. `skipped`: not known, because
 * something else is missing.
 */
export type Status = 'ok' | 'warning' | 'error' | 'skipped'

/** A result of a check: a sentence about what is right or wrong, and for a warning or an error what to do. */
export type Finding = { status: Status; message: string; advice?: string }

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
