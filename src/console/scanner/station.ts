import { computed, signal } from '@preact/signals'
import { errorText, t } from '../kit/language/language.ts'
import { ApiError, isOnline, newKey, post, postQuery, sessionEnded } from '../kit/service/api.ts'
import { account, isOfflineSession } from '../kit/service/session.ts'
import { createSerialQueue } from '../kit/values/sequential-tasks.ts'
import { describeResult } from './describe.ts'
import { type CodeKind, KINDS, type ObjectReference, parseInternalCode, type ScannedObject } from './own-code.ts'
import { play, type Tone } from './sounds.ts'
import { isDone, type PendingScan, type ScanAction, type ScanEntry, type ScanResponse, WaitingScans } from './waiting-scans.ts'

/** The result of a scan, in one line. */
export type ScanResult = {
  id: string
  tone: Tone
  text: string
  /** Further details, in smaller type. */
  detail?: string
  /** URL of its object. */
  to?: string
  /** Undoes the action. */
  undo?: () => Promise<unknown>
  isUndone?: boolean
  /** ID of the pending scan that the line reports. */
  waiting?: string
}

/** The result of looking up a code: an object, an error of the service, or unknown while the network is down. */
export type LookupResult = { object: ScannedObject } | { response: ScanResponse } | { isOffline: true }

/** Maximum number of lines shown. */
const MAX_LINES = 50
/** Milliseconds between attempts to send pending scans. */
const RETRY_INTERVAL_MS = 5_000
/** Milliseconds after which a response counts as lost, so that scanning continues when the network hangs. */
const RESPONSE_TIMEOUT_MS = 30_000
const SOUND_KEY = 'stockroom.sound'

/** The scans of one account that is signed in here, and their results. */
export class Station {
  /** The results of the last scans, newest first. */
  readonly lines = signal<readonly ScanResult[]>([])
  /** The scans that the service has not received yet, and those it rejected later. */
  readonly pendingScans = signal<readonly PendingScan[]>([])
  /** Incremented with each action, so that the page reloads its data. */
  readonly changeCount = signal(0)
  /** The account of the scans. */
  readonly #account: number
  readonly #scans: Promise<WaitingScans>
  /** The scans in progress, with their responses once received. */
  readonly #inFlight = new Map<string, ScanResponse | undefined>()
  /** The objects of codes that were looked up. */
  readonly #objectsByCode = new Map<string, ObjectReference>()
  readonly #nextTask = createSerialQueue()
  /**
   * Reports results in the order of the actions. The names in them take different times to load, and undo must start with the latest
   * action.
   */
  readonly #reportInOrder = createSerialQueue()

  constructor(account: number) {
    this.#account = account
    this.#scans = WaitingScans.open(account, () => void this.#readPending())
    this.#readPending()
  }

  async #readPending(): Promise<void> {
    const all = await (await this.#scans).list()
    this.pendingScans.value = all.filter(({ entry }) => !this.#inFlight.has(entry.id))
  }

  /** Sends pending scans, now and whenever the network is back. Returns a function that stops that. */
  start(): () => void {
    const trySending = () => void this.sendPending()
    const timer = setInterval(async () => {
      // another window may have added some
      await this.#readPending().catch(() => undefined)
      if (this.pendingScans.value.some(({ refused }) => !refused)) trySending()
    }, RETRY_INTERVAL_MS)
    window.addEventListener('online', trySending)
    const stops = [isOnline, computed(() => !isOfflineSession.value)].map((state) =>
      state.subscribe((isAvailable) => {
        if (isAvailable) trySending()
      }),
    )
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', trySending)
      for (const stop of stops) stop()
    }
  }

  /** Runs tasks one after the other, in the order they were requested, as scans, user decisions and undos depend on each other. Reports failures. */
  enqueue(task: () => void | Promise<void>): void {
    this.#nextTask(task).catch((error: Error) => {
      this.report({ tone: 'rejected', text: t('failed'), detail: error.message })
    })
  }

  /** Reports the result of a scan, and plays its sound. */
  report(line: Omit<ScanResult, 'id'>): void {
    this.lines.value = [{ id: newKey(), ...line }, ...this.lines.value].slice(0, MAX_LINES)
    this.playSound(line.tone)
  }

  /** Plays the sound of a tone, if sounds are enabled. */
  playSound(tone: Tone): void {
    if (localStorage.getItem(SOUND_KEY) !== 'off') play(tone)
  }

  /** Reports that a scan was rejected, with the message of the service. */
  reportError(response: ScanResponse, code: string): void {
    this.report({ tone: 'rejected', text: scanErrorText(response), detail: formatCode(code) })
  }

  /** Looks up the object of a code. */
  async lookUp(code: string): Promise<LookupResult> {
    try {
      const [response] = await this.#send([createEntry('scan', code)])
      const object = response && findObject(response)
      if (!object) return { response: response as ScanResponse }
      this.#objectsByCode.set(code, { kind: object.kind, pk: object.pk })
      return { object }
    } catch (error) {
      if (error instanceof ApiError) return { isOffline: true }
      throw error
    }
  }

  /** The object of a code, if it is known without a request. */
  findCached(code: string): ObjectReference | undefined {
    return parseInternalCode(code) ?? this.#objectsByCode.get(code)
  }

  /**
   * Processes a scan: stores it, sends it, and reports the action, or that it is pending. The caller handles a rejected scan, or one that
   * requires a decision of the user.
   * @returns its response; undefined while it waits for the network
   */
  async execute(action: ScanAction, code: string, fields: Record<string, unknown>): Promise<ScanResponse | undefined> {
    const entry = { ...createEntry(action, code), ...fields }
    const scans = await this.#scans
    this.#inFlight.set(entry.id, undefined)
    await scans.add(entry)
    try {
      await this.#sendAll(scans)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#inFlight.delete(entry.id)
      this.#readPending()
      const undo = () => this.#undoPending(entry.id)
      this.report({ tone: 'waits', text: t(getPendingReasonKey(error)), detail: formatCode(code), undo, waiting: entry.id })
      return undefined
    }
    const response = this.#inFlight.get(entry.id)
    this.#inFlight.delete(entry.id)
    if (response && isDone(response)) await this.#reportInOrder(() => this.#reportDone(entry, response))
    else await this.#remove(entry.id)
    this.changeCount.value++
    return response
  }

  async #remove(id: string): Promise<void> {
    const scans = await this.#scans
    const pendingScan = (await scans.list()).find(({ entry }) => entry.id === id)
    if (pendingScan) await scans.remove(pendingScan)
  }

  /** Undoes a scan that was not sent yet. @throws ApiError */
  async #undoPending(id: string): Promise<void> {
    if (!(await (await this.#scans).undo(id))) throw new ApiError(0, 'was_sent', t('scan.was-sent'))
  }

  async #reportDone(entry: ScanEntry, response: ScanResponse): Promise<void> {
    const { history } = response
    const undo =
      entry.action === 'link'
        ? () => post('/api/barcode/unlink/', getLinkedObject(response))
        : // without a history of scans, there is nothing to undo by
          history === null
          ? undefined
          : () => post(`/api/barcode/history/${history}/undo/`)
    this.report({ tone: 'did', ...(await describeResult(entry, response)), undo })
  }

  /** Sends pending scans. */
  async sendPending(): Promise<void> {
    try {
      await this.#sendAll(await this.#scans)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }

  /** Sends all pending scans, and reports the results of those that no caller awaits. @throws ApiError */
  async #sendAll(scans: WaitingScans): Promise<void> {
    const results = await scans.send((entries) => this.#send(entries))
    const unawaitedResults = results.filter(([{ entry }]) => !this.#inFlight.has(entry.id))
    const sent = new Set(unawaitedResults.map(([{ entry }]) => entry.id))
    // the result has arrived, and the line that reports it offers undo instead
    this.lines.value = this.lines.value.map((line) =>
      line.waiting && sent.has(line.waiting) ? { ...line, waiting: undefined, undo: undefined } : line,
    )
    if (unawaitedResults.length === 0) return
    await this.#reportInOrder(async () => {
      for (const [{ entry }, response] of unawaitedResults)
        if (isDone(response)) await this.#reportDone(entry, response)
        else this.reportError(response, entry.barcode)
    })
    this.changeCount.value++
  }

  async #send(entries: readonly ScanEntry[]): Promise<readonly ScanResponse[]> {
    // another account may have signed in, which must not send scans it did not make
    if (isOfflineSession.value) throw new ApiError(0, 'unreachable', t('unreachable'))
    if (sessionEnded.value || account.value?.pk !== this.#account) throw new ApiError(401, 'not_authenticated', t('failed'))
    const { body } = await postQuery<{ items: ScanResponse[] }>(
      '/api/barcode/batch/',
      { items: entries },
      AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    )
    for (const response of body.items)
      if (response.id && this.#inFlight.has(response.id)) this.#inFlight.set(response.id, response)
    return body.items
  }

  /** Discards a rejected or pending scan; reports one that was sent in the meantime as done. */
  async discard(pendingScan: PendingScan): Promise<void> {
    const scans = await this.#scans
    if (pendingScan.refused) return scans.remove(pendingScan)
    if (!(await scans.undo(pendingScan.entry.id))) return this.report({ tone: 'rejected', text: t('scan.was-sent') })
    // nothing is left to undo
    this.lines.value = this.lines.value.map((line) =>
      line.waiting === pendingScan.entry.id ? { ...line, waiting: undefined, undo: undefined, isUndone: true } : line,
    )
  }

  /** Retries a rejected scan, with additional fields. */
  async retry(pendingScan: PendingScan, more: Record<string, unknown> = {}): Promise<void> {
    await (await this.#scans).retry(pendingScan, newKey(), more)
    await this.sendPending()
  }

  /** Undoes the latest action made here that was not undone yet, once earlier scans are processed. */
  undo(): void {
    this.enqueue(() => this.#undoLast())
  }

  async #undoLast(): Promise<void> {
    const last = this.lines.value.find(({ undo, isUndone }) => undo && !isUndone)
    if (!last?.undo) return this.report({ tone: 'rejected', text: t('scan.nothing-to-undo') })
    try {
      await last.undo()
      this.lines.value = this.lines.value.map((line) => (line.id === last.id ? { ...line, isUndone: true } : line))
      this.report({ tone: 'found', text: t('scan.undone', { what: last.text }) })
      this.changeCount.value++
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.report({ tone: 'rejected', text: t('scan.cannot-undo'), detail: error.message })
    }
  }
}

/** Whether scans make sounds in this browser. */
export const isSoundEnabled = signal(localStorage.getItem(SOUND_KEY) !== 'off')

export function setSoundEnabled(isOn: boolean): void {
  localStorage.setItem(SOUND_KEY, isOn ? 'on' : 'off')
  isSoundEnabled.value = isOn
}

const createEntry = (action: ScanAction, barcode: string): ScanEntry => ({
  id: newKey(),
  time: new Date().toISOString(),
  action,
  barcode,
})

/** The object in a response, under its kind. */
function findObject({ status, body }: ScanResponse): ScannedObject | undefined {
  if (status >= 300) return undefined
  for (const kind of KINDS) {
    const object = body[kind] as Omit<ScannedObject, 'kind'> | undefined
    if (object?.pk) return { ...object, kind }
  }
  return undefined
}

/** The object that a code is linked to after a response. */
function getLinkedObject({ body }: ScanResponse): Record<string, number> {
  const [linkedKind] = KINDS.filter((kind) => typeof body[kind] === 'number')
  return linkedKind ? { [linkedKind]: body[linkedKind] as number } : {}
}

const getPendingReasonKey = ({ status }: ApiError) =>
  status === 0 ? 'scan.waits-for-network' : status === 401 ? 'scan.waits-for-sign-in' : 'scan.waits-for-service'

/** The errors of a response, in the reader's language. */
export const scanErrorText = ({ field_errors = [] }: ScanResponse): string => field_errors.map(errorText).join(' ') || t('failed')

/** Whether a response has one of these error codes. */
export const hasErrorCode = ({ field_errors = [] }: ScanResponse, ...codes: readonly string[]): boolean =>
  field_errors.some(({ code }) => codes.includes(code))

/**
 * A code in readable form: part number and quantity of a label, kind and key of an internal code, otherwise the printable characters, shortened
 * if there are many.
 */
export function formatCode(code: string): string {
  const internalCode = code.trim().startsWith('{') ? parseInternalCode(code) : undefined
  if (internalCode) return `${t(`scan.kind.${internalCode.kind as CodeKind}`)} ${internalCode.pk}`
  const fields = code.startsWith('[)>') ? code.split(/\p{Cc}/u) : []
  const [partNumber, amount] = [/^(?:30|1)?P(.+)/, /^Q(.+)/].map((identifier) =>
    fields.map((field) => identifier.exec(field)?.[1]).find(Boolean),
  )
  if (partNumber) return amount ? `${amount} × ${partNumber}` : partNumber
  const text = code.replaceAll(/\p{C}+/gu, ' ').trim()
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
