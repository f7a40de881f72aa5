import type { Caller } from '../request/caller.ts'
import { type ProblemCode, problems } from '../request/problem.ts'
import { getResponseSchema, type Operation } from './operation.ts'

/** Parts of the OpenAPI document that many operations share: headers, and errors by status. */

/** The body of every error. */
export const errorSchema = {
  description: 'Texts by field; `non_field_errors` for the object as a whole, `detail` for all other errors.',
  type: 'object',
  additionalProperties: true,
}

const integer = { type: 'integer' }
const text = { type: 'string' }

export const headers = {
  ETag: { description: 'The version of the object, for `If-Match` in a change.', schema: text },
  'X-Request-Id': { description: 'The id of the request in the log of the service.', schema: text },
  'Idempotency-Replayed': { description: '`true` if the first response is repeated and nothing was done again.', schema: text },
  'Cache-Control': { description: '`no-store`: the response may contain a secret.', schema: text },
  'Retry-After': { description: 'The number of seconds before a retry.', schema: integer },
  'RateLimit-Limit': { description: 'The number of requests allowed per period.', schema: integer },
  'RateLimit-Remaining': { description: 'The number of requests left in this period.', schema: integer },
  'RateLimit-Reset': { description: 'The number of seconds until the next period.', schema: integer },
} as const

const buildHeaderRefs = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

export const parameters = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    schema: text,
    description: 'The ETag of the version to change; 412 if the object has changed since.',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    schema: { type: 'string', examples: ['respond-async'] },
    description:
      'With `respond-async`, the request runs in the background, and the response 202 is sent as soon as it has started. Other preferences are ignored.',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description:
      'Makes a retry safe: the same key and body get the first response again, and nothing is done twice. Bodies are equal if their JSON is equivalent: the order of keys, white space and the notation of numbers (`1.0` for `1`) make no difference.',
  },
}

/** The headers of a successful response. */
export function buildSuccessHeaders(operation: Operation): Record<string, unknown> {
  const { keyed, containsSecret, throttled } = operation
  return buildHeaderRefs(
    'X-Request-Id',
    ...(returnsVersion(operation) ? (['ETag'] as const) : []),
    ...(keyed ? (['Idempotency-Replayed'] as const) : []),
    ...(containsSecret ? (['Cache-Control'] as const) : []),
    ...(throttled ? RATE_LIMIT_HEADERS : []),
  )
}

/** Whether the response is the object itself, with its key, and not only a part of it, such as its metadata. */
function returnsVersion(operation: Operation): boolean {
  const { kind, versioned } = operation
  if (kind) return kind === 'detail' || kind === 'create' || kind === 'update'
  const { properties = {} } = (getResponseSchema(operation) ?? {}) as { properties?: object }
  return versioned === true && 'pk' in properties
}

const RETRYABLE_CODES: readonly ProblemCode[] = ['throttled', 'unavailable']

const buildErrorResponse = (codes: readonly ProblemCode[], description: string) => ({
  description,
  headers: buildHeaderRefs(
    'X-Request-Id',
    ...(codes.some((code) => RETRYABLE_CODES.includes(code)) ? (['Retry-After'] as const) : []),
    ...(codes.includes('throttled') ? RATE_LIMIT_HEADERS : []),
  ),
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  },
})

const toComponentName = (code: ProblemCode): string =>
  code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** An account without any permissions. */
const CALLER_WITHOUT_RIGHTS = { roles: new Map(), isStaff: false, isSuperuser: false } as unknown as Caller

/** Errors that any request may get: while it is received, because of its caller, and for failures of the service. */
const COMMON_CODES: readonly ProblemCode[] = [
  'mfa_enrolment_required',
  'request_timeout',
  'too_large',
  'throttled',
  'head_too_large',
  'internal',
  'unavailable',
]

/** Errors that follow from the properties of an operation. */
function listCommonErrorCodes(operation: Operation): ProblemCode[] {
  const { method, path, kind, access, right, versioned, keyed, asyncResponse, unsafe, worksOnFullDisk } = operation
  const writes = method !== 'GET'
  const changes = writes || unsafe
  return [
    // every query parameter is checked
    'invalid',
    access(undefined, right) ? 'authentication_failed' : 'not_authenticated',
    ...(access(CALLER_WITHOUT_RIGHTS, right) ? [] : (['permission_denied'] as const)),
    ...(changes ? (['cross_site'] as const) : []),
    ...(path.includes('{') ? (['not_found'] as const) : []),
    ...(changes ? (['conflict'] as const) : []),
    ...(versioned ? (['precondition_failed'] as const) : []),
    ...(writes ? (['unsupported_media_type'] as const) : []),
    ...(keyed || asyncResponse ? (['idempotency_mismatch'] as const) : []),
    ...COMMON_CODES,
    ...(kind === 'create' ? (['keys_used_up'] as const) : []),
    ...(changes && !worksOnFullDisk ? (['insufficient_storage'] as const) : []),
  ]
}

/** The errors of an operation by status. Errors that many operations share are put into `shared`, and referenced. */
export function buildErrorResponses(operation: Operation, shared: Record<string, unknown>): Record<number, unknown> {
  const ownErrors = operation.errors ?? {}
  const codes = [...new Set([...listCommonErrorCodes(operation), ...(Object.keys(ownErrors) as ProblemCode[])])]
  const byStatus = Map.groupBy(codes, (code) => problems[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => {
      const description = codesOfStatus.map((code) => ownErrors[code] ?? problems[code].text).join(' ')
      if (codesOfStatus.some((code) => ownErrors[code])) return [status, buildErrorResponse(codesOfStatus, description)]
      const name = codesOfStatus.map(toComponentName).join('Or')
      shared[name] ??= buildErrorResponse(codesOfStatus, description)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}
