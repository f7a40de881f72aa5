import { computed, signal } from '@preact/signals'
import { errorText, t } from '../kit/language/language.ts'
import { ask, isOnline, newKey, post, Refusal, sessionEnded } from '../kit/service/api.ts'
import { account, isRemembered } from '../kit/service/session.ts'
import { inTurn } from '../kit/values/in-turn.ts'
import { describe } from './describe.ts'
import { type FoundObject, KINDS, type Kind, type Named, ownCode } from './own-code.ts'
import { play, type Tone } from './sounds.ts'
import { isDone, type KeptScan, type ScanAction, type ScanAnswer, type ScanEntry, WaitingScans } from './waiting-scans.ts'

/** What came of a scan, in a line. */
export type Line = {
  id: string
  tone: Tone
  text: string
  /** More of it, smaller. */
  more?: string
  /** The page of what it is about. */
  to?: string
  /** Takes back what it did. */
  takeBack?: () => Promise<unknown>
  isTakenBack?: boolean
  /** The scan that it says of that it waits. */
  waiting?: string
}

/** What a code stands for: an object, nothing (and what the service said of it), or nobody knows while the network is away. */
export type LookedUp = { object: FoundObject } | { answer: ScanAnswer } | { isAway: true }

/** How many lines are shown. */
const SHOWN = 50
/** Milliseconds after which scans that wait are tried again. */
const AGAIN = 5_000
/** Milliseconds after which an answer counts as lost: those who scan do not wait for a network that hangs. */
const RESPONSE_TIMEOUT_MS = 30_000
const SOUND = 'stockroom.sound'

/** What was scanned and what came of it: one for each account that is signed in here. */
export class Station {
  /** What came of the last scans, the newest first. */
  readonly lines = signal<readonly Line[]>([])
  /** The scans that the service does not have yet, and those that it refused later. */
  readonly kept = signal<readonly KeptScan[]>([])
  /** Counts what was done, so that what is shown is read again. */
  readonly changes = signal(0)
  /** Whose scans these are. */
  readonly #account: number
  readonly #scans: Promise<WaitingScans>
  /** The scans that are being made now, and their answers once they have come. */
  readonly #asked = new Map<string, ScanAnswer | undefined>()
  /** What codes stood for that were looked up. */
  readonly #known = new Map<string, Named>()
  readonly #nextTask = inTurn()
  /**
   * Says one thing after the other, in the order in which it was done: what it is called is read first, which takes longer for one than for
   * another, and what was done last has to be the first that is taken back.
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

  /** Sends what waits, now and whenever the network is back. Gives what ends that. */
  start(): () => void {
    const trySending = () => void this.sendKept()
    const timer = setInterval(async () => {
      // another window may have left some behind
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

  /**
   * Does one thing after the other, in the order in which they were asked for, however fast that is: what is scanned, answered and taken
   * back belongs together. What fails is said.
   */
  inTurn(task: () => void | Promise<void>): void {
    this.#nextTask(task).catch((error: Error) => {
      this.say({ tone: 'refused', text: t('failed'), more: error.message })
    })
  }

  /** Says what came of a scan, and makes its sound. */
  say(line: Omit<Line, 'id'>): void {
    this.lines.value = [{ id: newKey(), ...line }, ...this.lines.value].slice(0, SHOWN)
    this.sound(line.tone)
  }

  /** Makes the sound of a tone, where sounds are on. */
  sound(tone: Tone): void {
    if (localStorage.getItem(SOUND) !== 'off') play(tone)
  }

  /** Says that a scan was refused, as the service words it. */
  refuse(answer: ScanAnswer, code: string): void {
    this.say({ tone: 'refused', text: refusalText(answer), more: shortened(code) })
  }

  /** Finds out what a code stands for. */
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

  /** What a code stands for, where that is known without asking. */
  knownAs(code: string): Named | undefined {
    return ownCode(code) ?? this.#known.get(code)
  }

  /**
   * Carries a scan out. It is written down before it is sent, and says what it did, or that it waits. What is refused, or waits for
   * something that has to be said, is left to whoever asked.
   * @returns its answer; undefined while it waits for the network
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

  /** Takes back what was not sent yet. @throws Refusal */
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

  /** Sends what waits. */
  async sendKept(): Promise<void> {
    try {
      await this.#sendAll(await this.#scans)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }

  /** Sends all that waits, and says what came of those that nobody asks for now. @throws Refusal */
  async #sendAll(scans: WaitingScans): Promise<void> {
    const answered = await scans.send((entries) => this.#send(entries))
    const later = answered.filter(([{ entry }]) => !this.#asked.has(entry.id))
    const sent = new Set(later.map(([{ entry }]) => entry.id))
    // what it waited for came: it is taken back by what is said of it now
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
    // the browser may be somebody else's by now: what they did not scan is not sent under their name
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

  /** Gives up a scan that was refused, or that waits; one that was sent meanwhile is done, and that is said. */
  async giveUp(kept: KeptScan): Promise<void> {
    const scans = await this.#scans
    if (kept.refused) return scans.forget(kept)
    if (!(await scans.takeBack(kept.entry.id))) return this.say({ tone: 'refused', text: t('scan.was-sent') })
    // nothing is left to take back
    this.lines.value = this.lines.value.map((line) =>
      line.waiting === kept.entry.id ? { ...line, waiting: undefined, takeBack: undefined, isTakenBack: true } : line,
    )
  }

  /** Tries a refused scan once more, with more said. */
  async tryAgain(kept: KeptScan, more: Record<string, unknown> = {}): Promise<void> {
    await (await this.#scans).tryAgain(kept, newKey(), more)
    await this.sendKept()
  }

  /** Takes back the last thing that was done here and was not taken back: after what was scanned before. */
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

/** The object that an answer shows under its kind. */
function objectOf({ status, body }: ScanAnswer): FoundObject | undefined {
  if (status >= 300) return undefined
  for (const kind of KINDS) {
    const shown = body[kind] as Omit<FoundObject, 'kind'> | undefined
    if (shown?.pk) return { ...shown, kind }
  }
  return undefined
}

/** The object to which an answer says that a code is linked now. */
function linkedTo({ body }: ScanAnswer): Record<string, number> {
  const [named] = KINDS.filter((kind) => typeof body[kind] === 'number')
  return named ? { [named]: body[named] as number } : {}
}

const waitsFor = ({ status }: Refusal) =>
  status === 0 ? 'scan.waits-for-network' : status === 401 ? 'scan.waits-for-sign-in' : 'scan.waits-for-service'

/** What an answer says of why nothing was done, in the reader's language. */
export const refusalText = ({ field_errors = [] }: ScanAnswer): string => field_errors.map(errorText).join(' ') || t('failed')

/** Whether one of these is why nothing was done. */
export const isRefusedFor = ({ field_errors = [] }: ScanAnswer, ...codes: readonly string[]): boolean =>
  field_errors.some(({ code }) => codes.includes(code))

/**
 * A code as people recognise it: of a label the article and how many, of one of ours what it is of, else without what is not printed, and not
 * all of a long one.
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
