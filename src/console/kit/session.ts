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
export type Right = 'view' | 'add' | 'change' | 'delete'
type Roles = Record<string, Right[] | null>

/** Whoever is signed in; null for nobody, undefined until that is known. */
export const account = signal<Account | null | undefined>(undefined)
const roles = signal<Roles>({})

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

/** Finds out who is signed in, and with which rights. @throws Refusal when the service cannot be asked */
export async function startSession(): Promise<void> {
  try {
    const { me, rights, news } = await read<{ me: Account; rights: { roles: Roles }; news: { count: number } }>({
      me: '/api/user/me/',
      rights: '/api/user/roles/',
      news: UNREAD,
    })
    batch(() => {
      account.value = me.body
      roles.value = rights.body.roles
      unread.value = news.body.count
      mustEnrol.value = false
      sessionEnded.value = false
    })
    windows.postMessage(me.body.pk)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'mfa_enrolment_required') mustEnrol.value = true
    else if (!sessionEnded.value) throw error
    account.value = null
    sessionEnded.value = false
  }
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
  await startSession()
}

/** Ends the session. @throws Refusal */
export async function signOut(): Promise<void> {
  await ask('/api/auth/logout/')
  windows.postMessage(null)
  account.value = null
  roles.value = {}
  unread.value = 0
}
