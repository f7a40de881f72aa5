import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'

/** Milliseconds between two checks. In that time even a fast disk must not write more than the required free space. */
const CHECK_INTERVAL_MS = 1_000

/** Multiple of the required free space from which the disk is no longer low, so that the service does not flip back and forth. */
const RECOVERY_FACTOR = 1.1

const BYTES_PER_MEBIBYTE = 1024 * 1024

/** Size of the reserve in bytes, for PostgreSQL's recovery, which takes some segments of its log, of 16 MiB each. */
const RESERVE_BYTES = 64 * BYTES_PER_MEBIBYTE

/**
 * Monitors the free space on the disk of the embedded database. PostgreSQL ends when it cannot write its log, and restarts only with space
 * to continue: so changes are rejected before that (`isLow`), and a file reserves space that can be released.
 */
export class Disk {
  /** Whether so little space is left that nothing more should be stored. */
  isLow = false
  readonly #folder: string
  readonly #minFreeBytes: number
  readonly #log: Logger
  readonly #freeBytes: (folder: string) => Promise<number>
  readonly #reserve: string
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  /** Whether a failed check, or a failure to create the reserve, was logged. */
  #isReported = false

  /**
   * @param minFreeBytes required free bytes; with 0 nothing is monitored or reserved
   * @param freeBytes returns the free bytes; by default as reported by the operating system
   */
  constructor(folder: string, minFreeBytes: number, log: Logger, freeBytes = readFreeBytes) {
    this.#folder = folder
    this.#minFreeBytes = minFreeBytes
    this.#log = log
    this.#freeBytes = freeBytes
    this.#reserve = join(folder, 'reserve')
  }

  /** Checks immediately, and then every second. */
  async start(): Promise<void> {
    if (this.#minFreeBytes === 0) return
    try {
      await this.#check()
      this.#isReported = false
    } catch (error) {
      if (!this.#isReported) this.#log.warn({ err: error }, 'cannot monitor the free disk space')
      this.#isReported = true
    }
    if (!this.#stopped) this.#timer = setTimeout(() => this.start(), CHECK_INTERVAL_MS).unref()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** Deletes the reserve, which is created again when there is space. Returns whether there was one. */
  releaseReserve(): boolean {
    try {
      rmSync(this.#reserve)
    } catch {
      return false
    }
    this.#log.warn('the disk is full: releasing the reserve so that PostgreSQL can recover')
    return true
  }

  async #check(): Promise<void> {
    const available = await this.#freeBytes(this.#folder)
    const isLow = available < (this.isLow ? this.#minFreeBytes * RECOVERY_FACTOR : this.#minFreeBytes)
    if (isLow !== this.isLow) this.#report(isLow, available)
    this.isLow = isLow
    if (available >= this.#minFreeBytes * RECOVERY_FACTOR + RESERVE_BYTES) await this.#createReserve()
  }

  #report(isLow: boolean, available: number): void {
    const logFields = { free: available, least: this.#minFreeBytes }
    if (isLow) this.#log.error(logFields, 'the disk is nearly full: changes are rejected until there is free space')
    else this.#log.info(logFields, 'the disk has free space again: changes are accepted')
  }

  async #createReserve(): Promise<void> {
    const size = await stat(this.#reserve).then(
      ({ size }) => size,
      () => 0,
    )
    if (size >= RESERVE_BYTES) return
    const file = await open(this.#reserve, 'w', 0o600)
    try {
      // zeros would reserve nothing on a disk that compresses
      const bytes = randomBytes(BYTES_PER_MEBIBYTE)
      for (let writtenBytes = 0; writtenBytes < RESERVE_BYTES; writtenBytes += BYTES_PER_MEBIBYTE) await file.write(bytes)
    } finally {
      await file.close()
    }
  }
}

/** The number of free bytes on the disk of a folder. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
