import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'

/** Milliseconds between two looks. What a fast disk takes in meanwhile has to be less than what is kept free. */
const CHECK_INTERVAL_MS = 1_000

/** What a disk that was low has to have beyond the least, so that the service does not go back and forth. */
const AGAIN = 1.1

const MEBIBYTE = 1024 * 1024

/** Bytes that are held ready for PostgreSQL to recover with, which takes some segments of its log, of 16 MiB each. */
const RESERVE = 64 * MEBIBYTE

/**
 * Watches how much room is left where the embedded database lies. PostgreSQL ends when it cannot write its log, and comes back only
 * with room to go on: so changes are refused before (`isLow`), and a file holds some room that can be given up.
 */
export class Disk {
  /** So little room is left that nothing more should be stored. */
  isLow = false
  readonly #folder: string
  readonly #least: number
  readonly #log: Logger
  readonly #freeBytes: (folder: string) => Promise<number>
  readonly #reserve: string
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  /** The log knows that it cannot be looked at, or that there is no reserve. */
  #isReported = false

  /**
   * @param least bytes that are to stay free; with 0 nothing is watched or held ready
   * @param freeBytes how much room there is; by default what the operating system says
   */
  constructor(folder: string, least: number, log: Logger, freeBytes = freeBytesOf) {
    this.#folder = folder
    this.#least = least
    this.#log = log
    this.#freeBytes = freeBytes
    this.#reserve = join(folder, 'reserve')
  }

  /** Looks at once, and then every second. */
  async start(): Promise<void> {
    if (this.#least === 0) return
    try {
      await this.#look()
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

  /** Deletes the reserve, which is made anew when there is room again. Tells whether there was one. */
  giveUpReserve(): boolean {
    try {
      rmSync(this.#reserve)
    } catch {
      return false
    }
    this.#log.warn('the disk is full: releasing the reserve so that PostgreSQL can recover')
    return true
  }

  async #look(): Promise<void> {
    const free = await this.#freeBytes(this.#folder)
    const isLow = free < (this.isLow ? this.#least * AGAIN : this.#least)
    if (isLow !== this.isLow) this.#tell(isLow, free)
    this.isLow = isLow
    if (free >= this.#least * AGAIN + RESERVE) await this.#holdReserve()
  }

  #tell(isLow: boolean, free: number): void {
    const room = { free, least: this.#least }
    if (isLow) this.#log.error(room, 'the disk is nearly full: changes are rejected until there is free space')
    else this.#log.info(room, 'the disk has free space again: changes are accepted')
  }

  async #holdReserve(): Promise<void> {
    const size = await stat(this.#reserve).then(
      ({ size }) => size,
      () => 0,
    )
    if (size >= RESERVE) return
    const file = await open(this.#reserve, 'w', 0o600)
    try {
      // a disk that compresses would hold nothing ready for zeros
      const bytes = randomBytes(MEBIBYTE)
      for (let written = 0; written < RESERVE; written += MEBIBYTE) await file.write(bytes)
    } finally {
      await file.close()
    }
  }
}

/** How many bytes are free on the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
