import { Problem } from './problem.ts'

export type Right = 'view' | 'add' | 'change' | 'delete'

/** The account that sends the request, with its current permissions. */
export type Caller = {
  pk: number
  username: string
  isStaff: boolean
  isSuperuser: boolean
  /** Maps each role to the permissions that any of the account's groups grants for it. */
  roles: ReadonlyMap<string, ReadonlySet<Right>>
  /** The groups the account belongs to. */
  groups: readonly number[]
  /** The token the request was sent with, if it was. */
  token?: number
  /** Whether this token may only read. */
  isReadOnly?: boolean
  /** The session of the request, if it has one. */
  session?: number
  /** A digest of the stored hash that the request's password matched, if it was sent with one. */
  passwordDigest?: string
  /** Whether a log-in of this account requires a second factor. */
  hasSecondFactor: boolean
  /** Whether the request's session was opened with a second factor. */
  passedSecondFactor: boolean
}

/** Decides whether a caller can do something. Without a caller (`undefined`) the request is anonymous. */
export type Access = {
  (caller: Caller | undefined, right: Right): boolean
  /** The required permissions, as a sentence for the OpenAPI document. */
  readonly words: (right: Right) => string
}

const access = (words: Access['words'], isAllowed: (caller: Caller | undefined, right: Right) => boolean): Access =>
  Object.assign(isAllowed, { words })

/** Any of these roles grants the permission. A superuser can do everything. */
export const roles = (...names: string[]): Access =>
  access(
    (right) => `Requires the permission \`${right}\` in the role ${names.map((name) => `\`${name}\``).join(' or ')}.`,
    (caller, right) => caller !== undefined && (caller.isSuperuser || names.some((name) => caller.roles.get(name)?.has(right))),
  )

/** Any of these roles grants the permission; the one to change includes adding and deleting: for objects that belong to another and change with it. */
export const changeRoles = (...names: string[]): Access => {
  const [own, change] = [roles(...names), (caller: Caller | undefined) => roles(...names)(caller, 'change')]
  const isChange = (right: Right) => right === 'add' || right === 'delete'
  return access(
    (right) => (isChange(right) ? own.words(right).replace(/\.$/, ', or the permission `change` there.') : own.words(right)),
    (caller, right) => own(caller, right) || (isChange(right) && change(caller)),
  )
}

/** Any role at all grants this right, whatever operation is requested. */
export const anyRole = (right: Right): Access =>
  access(
    () => `Requires the permission \`${right}\` in any role.`,
    (caller) => caller !== undefined && (caller.isSuperuser || [...caller.roles.values()].some((rights) => rights.has(right))),
  )

/** Anyone with an account. */
export const signedIn: Access = access(
  () => 'Requires an account.',
  (caller) => caller !== undefined,
)

/** Staff, and superusers. */
export const staff: Access = access(
  () => 'Requires a staff account.',
  (caller) => caller !== undefined && (caller.isStaff || caller.isSuperuser),
)

export const superuser: Access = access(
  () => 'Requires a superuser.',
  (caller) => caller?.isSuperuser === true,
)

/** Anyone at all. */
export const everyone: Access = access(
  () => 'Public, without an account.',
  () => true,
)

/** One rule for reading, another for every change. */
export const readWriteAccess = (read: Access, write: Access): Access => {
  const rule = (right: Right) => (right === 'view' ? read : write)
  return access(
    (right) => rule(right).words(right),
    (caller, right) => rule(right)(caller, right),
  )
}

/** Throws 401 for an anonymous caller, and 403 for an account without the permission. */
export function requireAccess(access: Access, caller: Caller | undefined, right: Right): void {
  if (access(caller, right)) return
  throw caller === undefined ? new Problem('not_authenticated') : new Problem('permission_denied')
}
