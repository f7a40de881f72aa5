import type { Operation } from '../kit/http/operation.ts'
import type { Caller, Right } from '../kit/request/caller.ts'
import { RIGHTS, ROLES } from './user/rights.ts'

/**
 * The kinds of callers that every operation is checked for: an anonymous one, an account without a role, one that may only view, one with
 * every permission in every role, staff without a role, a superuser.
 */
export const CALLERS = ['anonymous', 'nobody', 'viewer', 'member', 'staff', 'superuser'] as const
export type CallerName = (typeof CALLERS)[number]

/** A caller with only these fields, and these permissions in every role. */
export const createSampleCaller = (attributes: Partial<Caller>, rights: readonly Right[] = []): Caller => ({
  pk: 1,
  username: '',
  isStaff: false,
  isSuperuser: false,
  roles: new Map(rights.length ? ROLES.map((role) => [role, new Set(rights)]) : []),
  groups: [],
  hasSecondFactor: false,
  passedSecondFactor: false,
  ...attributes,
})

const SAMPLE_CALLERS: Record<CallerName, Caller | undefined> = {
  anonymous: undefined,
  nobody: createSampleCaller({}),
  viewer: createSampleCaller({}, ['view']),
  member: createSampleCaller({}, RIGHTS),
  staff: createSampleCaller({ isStaff: true }),
  superuser: createSampleCaller({ isStaff: true, isSuperuser: true }),
}

/**
 * Callers that may use each operation, by `METHOD path`: the table generated/callers.json. A new operation changes it, and a test sends
 * every operation as every caller in it, so that no operation is added without a review of its permissions.
 */
export const createCallersTable = (operations: readonly Operation[]): Record<string, CallerName[]> =>
  Object.fromEntries(
    operations
      .map(({ method, path, access, right }): [string, CallerName[]] => [
        `${method} ${path}`,
        CALLERS.filter((name) => access(SAMPLE_CALLERS[name], right)),
      ])
      .toSorted(
        ([one], [other]) =>
          (one.split(' ')[1] as string).localeCompare(other.split(' ')[1] as string, 'en') || one.localeCompare(other, 'en'),
      ),
  )
