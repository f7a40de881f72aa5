import { batch, signal } from '@preact/signals'
import { ask, get, Refusal, read, sessionEnded } from './api.ts'

/** Whoever is signed in. */
export type Account = {
  pk: number
  username: string
  first_name: string
  last_name: string
  is_staff: boolean
  is_superuser: boolean
}
/** The name of an account as people read it: its first and last name, otherwise the one that signs in. */
export const accountName = ({
  first_name,
  last_name,
  username,
}: Pick<Account, 'first_name' | 'last_name' | 'username'>): string => `${first_name} ${last_name}`.trim() || username

export type Right = 'view' | 'add' | 'change' | 'delete'
type Roles = Record<string, Right[] | null>

/** Whoever is signed in; null for nobody, undefined until that is known. */
export const account = signal<Account | null | undefined>(undefined)
const roles = signal<Roles>({})

/** Features that settings of the service switch on and off, by the name of the setting. */
export type Feature = 'STOCK_ENABLE_EXPIRY' | 'PART_ENABLE_REVISION' | 'TEST_STATION_DATA'
type Features = Partial<Record<Feature, boolean>>
const features = signal<Features>({})

/** Whether a feature is switched on, as the settings of the service were when the account signed in or the page was loaded. */
export const isEnabled = (feature: Feature): boolean => features.value[feature] === true

/** How many notifications the account has not read. */
export const unread = signal(0)

const UNREAD = '/api/notifications/?read=false&limit=1'

/** Whether a second factor has to be enrolled before anything else (`LOGIN_ENFORCE_MFA`). */
export const mustEnrol = signal(false)

/** Whether the account has a right in one of these roles: buttons appear for those who may press them. */
export const may = (right: Right, ...inRoles: string[]): boolean =>
  account.value?.is_superuser === true || inRoles.some((role) => roles.value[role]?.includes(right))

/** The windows of a browser share its session: each tells the others whose it is. */
const windows = new BroadcastChannel('stockroom.account')

/** Follows who signs in and out in other windows of the browser, so that nothing here is done under another name. To be called once. */
export function followWindows(): void {
  windows.addEventListener('message', ({ data: pk }: MessageEvent<number | null>) => {
    if (!account.value) return
    // what is shown and typed stays, for whoever signs in again
    if (pk === null) sessionEnded.value = true
    else if (pk !== account.value.pk) window.location.reload()
    else if (sessionEnded.value) startSession().catch(() => undefined)
  })
}

/** Where the browser keeps who was signed in last. */
const KEPT = 'stockroom.account'

type StoredSession = { account: Account; roles: Roles; features?: Features }

/**
 * Who was signed in last, in which roles: whose scans those are that are made after a reload without network. Names of people and what the
 * service holds are not kept, and after a sign-out nothing is.
 */
function keep(kept: StoredSession | undefined): void {
  if (!kept) {
    localStorage.removeItem(KEPT)
    return
  }
  const { pk, username, is_staff, is_superuser } = kept.account
  const account: Account = { pk, username, is_staff, is_superuser, first_name: '', last_name: '' }
  localStorage.setItem(KEPT, JSON.stringify({ ...kept, account }))
}

function readKept(): StoredSession | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Whether nobody could say yet who is signed in, as the network is away: it is whoever was signed in last. */
export const isRemembered = signal(false)

/** How often it is tried to find out, in milliseconds. */
const AGAIN = 5_000

/** Asks until the service can be asked. */
function askAgain(): void {
  const ask = () => {
    if (isRemembered.value) startSession().catch(() => undefined)
  }
  const timer = setInterval(ask, AGAIN)
  window.addEventListener('online', ask)
  const end = isRemembered.subscribe((isStill) => {
    if (isStill) return
    clearInterval(timer)
    window.removeEventListener('online', ask)
    queueMicrotask(() => end())
  })
}

/** Finds out who is signed in, and with which rights. @throws Refusal when the service cannot be asked, and nobody was signed in here */
export async function startSession(): Promise<void> {
  try {
    const { me, rights, news, settings } = await read<{
      me: Account
      rights: { roles: Roles }
      news: { count: number }
      settings: Features
    }>({
      me: '/api/user/me/',
      rights: '/api/user/roles/',
      news: UNREAD,
      settings: '/api/web/settings/',
    })
    batch(() => {
      account.value = me.body
      roles.value = rights.body.roles
      features.value = settings.body
      unread.value = news.body.count
      mustEnrol.value = false
      sessionEnded.value = false
      isRemembered.value = false
    })
    windows.postMessage(me.body.pk)
    keep({ account: me.body, roles: rights.body.roles, features: settings.body })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 0 || error.status >= 500) return remember(error)
    if (error.code === 'mfa_enrolment_required') mustEnrol.value = true
    else if (!sessionEnded.value) throw error
    account.value = null
    sessionEnded.value = false
    isRemembered.value = false
    keep(undefined)
  }
}

/** @throws Refusal, as the service cannot be asked, where nobody was signed in here */
function remember(refusal: Refusal): void {
  const kept = readKept()
  if (!kept) throw refusal
  if (isRemembered.value) return
  batch(() => {
    account.value = kept.account
    roles.value = kept.roles
    features.value = kept.features ?? {}
    isRemembered.value = true
  })
  askAgain()
}

/** Counts anew what was not read. */
export async function countNews(): Promise<void> {
  const { body } = await get<{ count: number }>(UNREAD)
  unread.value = body.count
}

/** Counts what was not read whenever somebody comes back to the console. To be called once. */
export function followNews(): void {
  document.addEventListener('visibilitychange', () => {
    // without an answer, the number stays
    if (document.visibilityState === 'visible' && account.value) countNews().catch(() => undefined)
  })
}

/** What a sign-in needs: name and password, or the code alone where a sign-in by a provider waits for it. */
export type Credentials = { username?: string; password?: string; code?: string }

/** @throws Refusal, with the code `mfa_required` where the second factor is asked for */
export async function signIn(credentials: Credentials): Promise<void> {
  await ask('/api/auth/login/', credentials)
  // whoever was signed in before is not taken for whoever is now
  keep(undefined)
  await startSession()
}

/** Ends the session. @throws Refusal */
export async function signOut(): Promise<void> {
  await ask('/api/auth/logout/')
  windows.postMessage(null)
  keep(undefined)
  account.value = null
  roles.value = {}
  features.value = {}
  unread.value = 0
}
