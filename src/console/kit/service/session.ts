import { batch, signal } from '@preact/signals'
import { ApiError, get, mustEnrol, postQuery, read, sessionEnded } from './api.ts'
import { INSTANCE_PATH, type Instance, setInstance } from './instance.ts'

/** The signed-in account. */
export type Account = {
  pk: number
  username: string
  first_name: string
  last_name: string
  is_staff: boolean
  is_superuser: boolean
}
/** Formats the name of an account: its first and last name, otherwise its username. */
export const formatAccountName = ({
  first_name,
  last_name,
  username,
}: Pick<Account, 'first_name' | 'last_name' | 'username'>): string => `${first_name} ${last_name}`.trim() || username

export type Right = 'view' | 'add' | 'change' | 'delete'
type Roles = Record<string, Right[] | null>

/** The signed-in account; null if there is none, undefined while it is loading. */
export const account = signal<Account | null | undefined>(undefined)
const roles = signal<Roles>({})

/** Features that settings of the service enable, by the name of the setting. */
export type Feature =
  | 'STOCK_ENABLE_EXPIRY'
  | 'STOCK_ALLOW_EXPIRED_SALE'
  | 'STOCK_ALLOW_EXPIRED_BUILD'
  | 'PART_ENABLE_REVISION'
  | 'INVENTREE_INSTANCE_TITLE'
  | 'TEST_STATION_DATA'
type Features = Partial<Record<Feature, boolean>>
const features = signal<Features>({})

/** Whether a feature is enabled, according to the settings of the service at sign-in or page load. */
export const isEnabled = (feature: Feature): boolean => features.value[feature] === true

/** Number of the account's unread notifications. */
export const unreadCount = signal(0)

const UNREAD_URL = '/api/notifications/?read=false&limit=1'

/** Whether the account has a permission in one of these roles: buttons appear only for those who can use them. */
export const hasPermission = (right: Right, ...inRoles: string[]): boolean =>
  account.value?.is_superuser === true || inRoles.some((role) => roles.value[role]?.includes(right))

/** The windows of a browser share its session: each broadcasts its account to the others. */
const accountChannel = new BroadcastChannel('stockroom.account')

/** Follows sign-ins and sign-outs in other windows of the browser, so that nothing here runs under another account. Call it once. */
export function followOtherWindows(): void {
  accountChannel.addEventListener('message', ({ data: pk }: MessageEvent<number | null>) => {
    if (!account.value) return
    // content and input stay, for the next sign-in
    if (pk === null) sessionEnded.value = true
    else if (pk !== account.value.pk) window.location.reload()
    else if (sessionEnded.value) startSession().catch(() => undefined)
  })
}

/** Browser storage key of the last signed-in account. */
const STORAGE_KEY = 'stockroom.account'

type StoredSession = { account: Account; roles: Roles; features?: Features }

/**
 * Stores the last signed-in account and its roles, for scans made after a reload without a network. Names of people and data of the service
 * are not stored. A sign-out deletes everything.
 */
function storeSession(session: StoredSession | undefined): void {
  if (!session) {
    localStorage.removeItem(STORAGE_KEY)
    return
  }
  const { pk, username, is_staff, is_superuser } = session.account
  const account: Account = { pk, username, is_staff, is_superuser, first_name: '', last_name: '' }
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...session, account }))
}

function readStoredSession(): StoredSession | undefined {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Whether the last signed-in account is used because the service cannot be reached. */
export const isOfflineSession = signal(false)

/** Milliseconds between attempts to confirm the account. */
const RETRY_INTERVAL_MS = 5_000

/** Retries until the service can be reached. */
function retrySession(): void {
  const retry = () => {
    if (isOfflineSession.value) startSession().catch(() => undefined)
  }
  const timer = setInterval(retry, RETRY_INTERVAL_MS)
  window.addEventListener('online', retry)
  const unsubscribe = isOfflineSession.subscribe((isOffline) => {
    if (isOffline) return
    clearInterval(timer)
    window.removeEventListener('online', retry)
    queueMicrotask(() => unsubscribe())
  })
}

/** Number of global settings that this window has changed: what depends on them reads them again. */
export const settingChanges = signal(0)

/**
 * Makes a changed global setting take effect in this window; resolves when it has. It is stored by then: a service that cannot be reached now is
 * no failure.
 */
export async function announceSetting(): Promise<void> {
  settingChanges.value++
  await startSession().catch(() => undefined)
}

/** Loads the signed-in account and its permissions. @throws ApiError when the service cannot be reached, and no account is stored in this browser */
export async function startSession(): Promise<void> {
  try {
    const { me, rights, news, settings, instance } = await read<{
      me: Account
      rights: { roles: Roles }
      news: { count: number }
      settings: Features
      instance: Instance
    }>({
      me: '/api/user/me/',
      rights: '/api/user/roles/',
      news: UNREAD_URL,
      settings: '/api/web/settings/',
      instance: INSTANCE_PATH,
    })
    batch(() => {
      account.value = me.body
      roles.value = rights.body.roles
      features.value = settings.body
      setInstance(instance.body)
      unreadCount.value = news.body.count
      mustEnrol.value = false
      sessionEnded.value = false
      isOfflineSession.value = false
    })
    accountChannel.postMessage(me.body.pk)
    storeSession({ account: me.body, roles: rights.body.roles, features: settings.body })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 0 || error.status >= 500) return restoreSession(error)
    if (!mustEnrol.value && !sessionEnded.value) throw error
    account.value = null
    sessionEnded.value = false
    isOfflineSession.value = false
    storeSession(undefined)
  }
}

/** Uses the stored account. @throws ApiError when no account is stored in this browser */
function restoreSession(reason: ApiError): void {
  const session = readStoredSession()
  if (!session) throw reason
  if (isOfflineSession.value) return
  batch(() => {
    account.value = session.account
    roles.value = session.roles
    features.value = session.features ?? {}
    isOfflineSession.value = true
  })
  retrySession()
}

/** Reloads the number of unread notifications. */
export async function refreshUnread(): Promise<void> {
  const { body } = await get<{ count: number }>(UNREAD_URL)
  unreadCount.value = body.count
}

/** Reloads the number of unread notifications whenever the user returns to the console. Call it once. */
export function watchUnread(): void {
  document.addEventListener('visibilitychange', () => {
    // without a response, the number stays
    if (document.visibilityState === 'visible' && account.value) refreshUnread().catch(() => undefined)
  })
}

/** Credentials for a sign-in: name and password, or only the code when a sign-in by a provider waits for it. */
export type Credentials = { username?: string; password?: string; code?: string }

/** Signs in. @throws ApiError with the code `mfa_required` when the second factor is needed */
export async function signIn(credentials: Credentials): Promise<void> {
  await postQuery('/api/auth/login/', credentials)
  // the previous account must not be taken for the new one
  storeSession(undefined)
  await startSession()
}

/** Ends the session. @throws ApiError */
export async function signOut(): Promise<void> {
  await postQuery('/api/auth/logout/')
  accountChannel.postMessage(null)
  storeSession(undefined)
  account.value = null
  roles.value = {}
  features.value = {}
  unreadCount.value = 0
}
