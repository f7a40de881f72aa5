import { computed, signal } from '@preact/signals'
import { errorText, t } from '../kit/language/language.ts'
import { ask, isOnline, newKey, post, Refusal, sessionEnded } from '../kit/service/api.ts'
import { account, isRemembered } from '../kit/service/session.ts'
import { inTurn } from '../kit/values/in-turn.ts'
import { describe } from './describe.ts'
import { type FoundObject, KINDS, type Kind, type Named, ownCode } from './own-code.ts'
import { play, type Tone } from './sounds.ts'
import { isDone, type KeptScan, type ScanAction, type ScanAnswer, type ScanEntry, WaitingScans } from './waiting-scans.ts'

/** The result of a scan, in one line. */
export type Line = {
  id: string
  tone: Tone
  text: string
  /** Further details, in smaller type. */
  more?: string
  /** URL of its object. */
  to?: string
  /** Undoes the action. */
  takeBack?: () => Promise<unknown>
  isTakenBack?: boolean
  /** ID of the pending scan that the line reports. */
  waiting?: string
}

/** The result of looking up a code: an object, an error of the service, or unknown while the network is down. */
export type LookedUp = { object: FoundObject } | { answer: ScanAnswer } | { isAway: true }

/** Maximum number of lines shown. */
const SHOWN = 50
/** Milliseconds between attempts to send pending scans. */
const AGAIN = 5_000
/** Milliseconds after which a response counts as lost: scanning does not wait for a network that hangs. */
const RESPONSE_TIMEOUT_MS = 30_000
const SOUND = 'stockroom.sound'

/** The scans of one account that is signed in here, and their results. */
export class Station {
  /** The results of the last scans, newest first. */
  readonly lines = signal<readonly Line[]>([])
  /** The scans that the service has not received yet, and those it rejected later. */
  readonly kept = signal<readonly KeptScan[]>([])
  /** Incremented with each action, so that the page reloads its data. */
  readonly changes = signal(0)
  /** The account of the scans. */
  readonly #account: number
  readonly #scans: Promise<WaitingScans>
  /** The scans in progress, with their responses once received. */
  readonly #asked = new Map<string, ScanAnswer | undefined>()
  /** The objects of codes that were looked up. */
  readonly #known = new Map<string, Named>()
  readonly #nextTask = inTurn()
  /**
   * Reports results in the order of the actions: the names in them are loaded first, at different speeds, and undo must start with the
   * latest action.
   */
  readonly #sayNext = inTurn()

  constructor(account: number) {
    this.#account = account
    this.#scans = WaitingScans.open(account, () => void this.#readKept())
    this.#readKept()
  }

  async #readKept(): Promise<void> {
    const all = await (await this.#scans).all()
    this.kept.value = all.filter(({ entry }) => !this.#asked.has(entry.id))
  }

  /** Sends pending scans, now and whenever the network is back. Returns a function that stops that. */
  start(): () => void {
    const trySending = () => void this.sendKept()
    const timer = setInterval(async () => {
      // another window may have left some
      await this.#readKept().catch(() => undefined)
      if (this.kept.value.some(({ refused }) => !refused)) trySending()
    }, AGAIN)
    window.addEventListener('online', trySending)
    const stops = [isOnline, computed(() => !isRemembered.value)].map((state) =>
      state.subscribe((isThere) => {
        if (isThere) trySending()
      }),
    )
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', trySending)
      for (const stop of stops) stop()
    }
  }

  /** Runs tasks one after the other, in the order they were requested: scans, answers and undos depend on each other. Reports failures. */
  inTurn(task: () => void | Promise<void>): void {
    this.#nextTask(task).catch((error: Error) => {
      this.say({ tone: 'refused', text: t('failed'), more: error.message })
    })
  }

  /** Reports the result of a scan, and plays its sound. */
  say(line: Omit<Line, 'id'>): void {
    this.lines.value = [{ id: newKey(), ...line }, ...this.lines.value].slice(0, SHOWN)
    this.sound(line.tone)
  }

  /** Plays the sound of a tone, if sounds are enabled. */
  sound(tone: Tone): void {
    if (localStorage.getItem(SOUND) !== 'off') play(tone)
  }

  /** Reports that a scan was rejected, with the message of the service. */
  refuse(answer: ScanAnswer, code: string): void {
    this.say({ tone: 'refused', text: refusalText(answer), more: shortened(code) })
  }

  /** Looks up the object of a code. */
  async lookUp(code: string): Promise<LookedUp> {
    try {
      const [answer] = await this.#send([entryOf('scan', code)])
      const object = answer && objectOf(answer)
      if (!object) return { answer: answer as ScanAnswer }
      this.#known.set(code, { kind: object.kind, pk: object.pk })
      return { object }
    } catch (error) {
      if (error instanceof Refusal) return { isAway: true }
      throw error
    }
  }

  /** The object of a code, if it is known without a request. */
  knownAs(code: string): Named | undefined {
    return ownCode(code) ?? this.#known.get(code)
  }

  /**
   * Processes a scan. It is stored before it is sent, and reports the action, or that it is pending. The caller handles a rejected scan, or
   * one that requires an answer.
   * @returns its response; undefined while it waits for the network
   */
  async work(action: ScanAction, code: string, fields: Record<string, unknown>): Promise<ScanAnswer | undefined> {
    const entry = { ...entryOf(action, code), ...fields }
    const scans = await this.#scans
    this.#asked.set(entry.id, undefined)
    await scans.add(entry)
    try {
      await this.#sendAll(scans)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#asked.delete(entry.id)
      this.#readKept()
      const takeBack = () => this.#takeBackWaiting(entry.id)
      this.say({ tone: 'waits', text: t(waitsFor(error)), more: shortened(code), takeBack, waiting: entry.id })
      return undefined
    }
    const answer = this.#asked.get(entry.id)
    this.#asked.delete(entry.id)
    if (answer && isDone(answer)) await this.#sayNext(() => this.#sayDone(entry, answer))
    else await this.#forget(entry.id)
    this.changes.value++
    return answer
  }

  async #forget(id: string): Promise<void> {
    const scans = await this.#scans
    const kept = (await scans.all()).find(({ entry }) => entry.id === id)
    if (kept) await scans.forget(kept)
  }

  /** Undoes a scan that was not sent yet. @throws Refusal */
  async #takeBackWaiting(id: string): Promise<void> {
    if (!(await (await this.#scans).takeBack(id))) throw new Refusal(0, 'was_sent', t('scan.was-sent'))
  }

  async #sayDone(entry: ScanEntry, answer: ScanAnswer): Promise<void> {
    const { history } = answer
    const takeBack =
      entry.action === 'link'
        ? () => post('/api/barcode/unlink/', linkedTo(answer))
        : () => post(`/api/barcode/history/${history}/undo/`)
    this.say({ tone: 'did', ...(await describe(entry, answer)), takeBack })
  }

  /** Sends pending scans. */
  async sendKept(): Promise<void> {
    try {
      await this.#sendAll(await this.#scans)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }

  /** Sends all pending scans, and reports the results of those that no caller awaits. @throws Refusal */
  async #sendAll(scans: WaitingScans): Promise<void> {
    const answered = await scans.send((entries) => this.#send(entries))
    const later = answered.filter(([{ entry }]) => !this.#asked.has(entry.id))
    const sent = new Set(later.map(([{ entry }]) => entry.id))
    // the result is here: the line that reports it allows undo instead
    this.lines.value = this.lines.value.map((line) =>
      line.waiting && sent.has(line.waiting) ? { ...line, waiting: undefined, takeBack: undefined } : line,
    )
    if (later.length === 0) return
    await this.#sayNext(async () => {
      for (const [{ entry }, answer] of later)
        if (isDone(answer)) await this.#sayDone(entry, answer)
        else this.refuse(answer, entry.barcode)
    })
    this.changes.value++
  }

  async #send(entries: readonly ScanEntry[]): Promise<readonly ScanAnswer[]> {
    // another account may have signed in, which must not send scans it did not make
    if (isRemembered.value) throw new Refusal(0, 'unreachable', t('unreachable'))
    if (sessionEnded.value || account.value?.pk !== this.#account) throw new Refusal(401, 'not_authenticated', t('failed'))
    const { body } = await ask<{ items: ScanAnswer[] }>(
      '/api/barcode/batch/',
      { items: entries },
      AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    )
    for (const answer of body.items) if (answer.id && this.#asked.has(answer.id)) this.#asked.set(answer.id, answer)
    return body.items
  }

  /** Discards a rejected or pending scan; reports one that was sent in the meantime as done. */
  async giveUp(kept: KeptScan): Promise<void> {
    const scans = await this.#scans
    if (kept.refused) return scans.forget(kept)
    if (!(await scans.takeBack(kept.entry.id))) return this.say({ tone: 'refused', text: t('scan.was-sent') })
    // nothing is left to undo
    this.lines.value = this.lines.value.map((line) =>
      line.waiting === kept.entry.id ? { ...line, waiting: undefined, takeBack: undefined, isTakenBack: true } : line,
    )
  }

  /** Retries a rejected scan, with additional fields. */
  async tryAgain(kept: KeptScan, more: Record<string, unknown> = {}): Promise<void> {
    await (await this.#scans).tryAgain(kept, newKey(), more)
    await this.sendKept()
  }

  /** Undoes the latest action made here that was not undone yet, once earlier scans are processed. */
  takeBack(): void {
    this.inTurn(() => this.#takeBackLast())
  }

  async #takeBackLast(): Promise<void> {
    const last = this.lines.value.find(({ takeBack, isTakenBack }) => takeBack && !isTakenBack)
    if (!last?.takeBack) return this.say({ tone: 'refused', text: t('scan.nothing-to-take-back') })
    try {
      await last.takeBack()
      this.lines.value = this.lines.value.map((line) => (line.id === last.id ? { ...line, isTakenBack: true } : line))
      this.say({ tone: 'found', text: t('scan.taken-back', { what: last.text }) })
      this.changes.value++
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.say({ tone: 'refused', text: t('scan.not-taken-back'), more: error.message })
    }
  }
}

/** Whether scans make sounds in this browser. */
export const hasSound = signal(localStorage.getItem(SOUND) !== 'off')

export function setSound(isOn: boolean): void {
  localStorage.setItem(SOUND, isOn ? 'on' : 'off')
  hasSound.value = isOn
}

const entryOf = (action: ScanAction, barcode: string): ScanEntry => ({
  id: newKey(),
  time: new Date().toISOString(),
  action,
  barcode,
})

/** The object in a response, under its kind. */
function objectOf({ status, body }: ScanAnswer): FoundObject | undefined {
  if (status >= 300) return undefined
  for (const kind of KINDS) {
    const shown = body[kind] as Omit<FoundObject, 'kind'> | undefined
    if (shown?.pk) return { ...shown, kind }
  }
  return undefined
}

/** The object that a code is linked to after a response. */
function linkedTo({ body }: ScanAnswer): Record<string, number> {
  const [named] = KINDS.filter((kind) => typeof body[kind] === 'number')
  return named ? { [named]: body[named] as number } : {}
}

const waitsFor = ({ status }: Refusal) =>
  status === 0 ? 'scan.waits-for-network' : status === 401 ? 'scan.waits-for-sign-in' : 'scan.waits-for-service'

/** The errors of a response, in the reader's language. */
export const refusalText = ({ field_errors = [] }: ScanAnswer): string => field_errors.map(errorText).join(' ') || t('failed')

/** Whether a response has one of these error codes. */
export const isRefusedFor = ({ field_errors = [] }: ScanAnswer, ...codes: readonly string[]): boolean =>
  field_errors.some(({ code }) => codes.includes(code))

/**
 * A code in readable form: part number and quantity of a label, kind and key of an internal code, else the printable characters, shortened
 * if there are many.
 */
export function shortened(code: string): string {
  const own = code.trim().startsWith('{') ? ownCode(code) : undefined
  if (own) return `${t(`scan.kind.${own.kind as Kind}`)} ${own.pk}`
  const fields = code.startsWith('[)>') ? code.split(/\p{Cc}/u) : []
  const [article, many] = [/^(?:30|1)?P(.+)/, /^Q(.+)/].map((identifier) =>
    fields.map((field) => identifier.exec(field)?.[1]).find(Boolean),
  )
  if (article) return many ? `${many} × ${article}` : article
  const text = code.replaceAll(/\p{C}+/gu, ' ').trim()
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
