import { ErrorMessage, errorCatalogue } from '../values/message.ts'
import { type Errors, type FieldErrorJson, listMessages } from './errors.ts'

/**
 * The catalogue of all request errors. A code is stable: clients may rely on it, so it is never reused for another meaning. docs/errors.md
 * is generated from this table.
 */
export const problems = {
  invalid: { status: 400, text: 'The request is invalid; each field has its errors.' },
  unknown_host: { status: 400, text: 'The service does not accept this host name (SITE_URL, ALLOWED_HOSTS).' },
  malformed_request: { status: 400, text: 'The request is not valid HTTP.' },
  malformed: { status: 400, text: 'The body is not valid JSON, or not valid for its content type.' },
  wrong_state: { status: 400, text: 'The state of the object does not allow this.' },
  not_authenticated: { status: 401, text: 'Authentication credentials were not provided.' },
  authentication_failed: { status: 401, text: 'The credentials are invalid.' },
  permission_denied: { status: 403, text: 'You do not have permission to perform this action.' },
  mfa_required: { status: 401, text: 'A second factor is required: repeat the request with its code.' },
  confirmation_required: {
    status: 403,
    text: 'Confirm your account first, with POST /api/auth/confirm/: the last sign-in or confirmation is too long ago.',
  },
  read_only_token: { status: 403, text: 'This token may only read.' },
  mfa_enrolment_required: { status: 403, text: 'This service requires a second factor: enroll one first.' },
  cross_site: { status: 403, text: 'CSRF Failed: the request comes from another site.' },
  not_found: { status: 404, text: 'Not found.' },
  unknown_path: { status: 404, text: 'This URL does not exist.' },
  method_not_allowed: { status: 405, text: 'This method is not allowed here; the Allow header lists the allowed ones.' },
  request_timeout: { status: 408, text: 'The request did not arrive in time (REQUEST_SECONDS).' },
  conflict: { status: 409, text: 'Another request changed the same objects at the same time; try again.' },
  precondition_failed: {
    status: 412,
    text: 'The object has changed since you read it: its ETag is no longer the one in If-Match.',
  },
  expectation_failed: {
    status: 412,
    text: 'The actual values differ from the expected ones; each entry has its actual value.',
  },
  too_large: { status: 413, text: 'The body is larger than this service accepts.' },
  unsupported_media_type: {
    status: 415,
    text: 'The body must be sent as application/json; operations that accept a file also accept multipart/form-data.',
  },
  idempotency_mismatch: { status: 422, text: 'This Idempotency-Key was used before with another request.' },
  idempotency_in_progress: { status: 409, text: 'A request with this Idempotency-Key is in progress.' },
  throttled: { status: 429, text: 'Too many requests of this kind; Retry-After says when to try again.' },
  head_too_large: { status: 431, text: 'The URL and headers are longer than this service accepts.' },
  internal: { status: 500, text: 'The service failed; the request id helps to find the cause.' },
  unavailable: { status: 503, text: 'The service is busy or starting; try again shortly.' },
  keys_used_up: { status: 507, text: 'There are no primary keys left for objects of this type.' },
  insufficient_storage: { status: 507, text: 'The disk is nearly full: changes are rejected until there is free space.' },
} as const

export type ProblemCode = keyof typeof problems

/** The area name for the codes of problems themselves. */
export const REQUEST_ERRORS_AREA = 'Whole requests'

/** Default texts of the problems. */
const defaults = errorCatalogue(
  REQUEST_ERRORS_AREA,
  Object.fromEntries(Object.entries(problems).map(([code, { text }]) => [code, text])),
) as Readonly<Record<ProblemCode, ErrorMessage>>

/**
 * The input of an error body. A message becomes `{detail}`, unless its form is `bare`, as in some recorded responses; a list of messages
 * stays a list. In the form `query` the fields are query parameters.
 */
type Body = ErrorMessage | readonly ErrorMessage[] | Errors
type Form = 'detail' | 'bare' | 'query'

/** An error in its stored JSON form, from which it is restored with its codes. */
export type StoredProblem = { code: ProblemCode; body: unknown; field_errors?: FieldErrorJson[] }

/** An error for the client. Thrown anywhere below a route; it rolls the transaction back. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  /** The JSON body: `{detail}`, `{field: [messages]}`, `{non_field_errors: [...]}` or, if recorded like that, a bare list or message. */
  readonly body: unknown
  readonly headers: Record<string, string>
  /** Each of its messages with the position that it is about. */
  readonly fieldErrors: readonly FieldErrorJson[]

  constructor(code: ProblemCode, body: Body = defaults[code], headers: Record<string, string> = {}, form: Form = 'detail') {
    super(ErrorMessage.is(body) ? body.message : problems[code].text)
    this.code = code
    this.status = problems[code].status
    this.body = ErrorMessage.is(body) && form !== 'bare' ? { detail: body } : body
    this.headers = headers
    this.fieldErrors = form === 'query' ? toQueryPointers(listMessages(body)) : listMessages(body)
  }

  /** A copy with other headers, with other values in its body, such as the scanned code, or with its messages at other positions. */
  with(change: { headers?: Record<string, string>; body?: unknown; fieldErrors?: readonly FieldErrorJson[] }): Problem {
    return Object.assign(new Problem(this.code), { ...this, message: this.message, ...change })
  }
}

/** Positions in a body as query parameters: `/status` becomes `?status`. */
const toQueryPointers = (errors: readonly FieldErrorJson[]): FieldErrorJson[] =>
  errors.map((error) => ({ ...error, pointer: error.pointer.replace(/^\//, '?') }))

/** Restores a problem that was stored (`StoredProblem`). */
export const restoreProblem = ({ code, body, field_errors = [] }: StoredProblem): Problem =>
  Object.assign(new Problem(code), { body, fieldErrors: field_errors })

export const toStoredProblem = ({ code, body, fieldErrors }: Problem): StoredProblem => ({
  code,
  body,
  field_errors: [...fieldErrors],
})

/** 400 with messages for each field, as `{"field": ["message"]}`. */
export const invalid = (errors: Errors): Problem => new Problem('invalid', errors)

/** The same for query parameters. */
export const invalidQuery = (errors: Errors): Problem => new Problem('invalid', errors, {}, 'query')

/** 400 for the object as a whole, as `{"non_field_errors": ["message"]}`. */
export const invalidObject = (...messages: readonly ErrorMessage[]): Problem =>
  new Problem('invalid', { non_field_errors: messages })

/** 404 for an object that does not exist, or that the caller may not know of. */
export const notFound = (): Problem => new Problem('not_found')

/**
 * The error in the form of RFC 9457, for clients that request `application/problem+json`.
 * @param isAboutQuery whether the request has no body, so that its fields are query parameters
 */
export function toProblemJson(problem: Problem, requestId: string, isAboutQuery: boolean) {
  const { body, fieldErrors } = problem
  const normalized = Array.isArray(body) ? { non_field_errors: body } : ErrorMessage.is(body) ? { detail: body } : body
  const { detail, ...fields } = normalized as Record<string, unknown>
  return {
    type: 'about:blank',
    title: problems[problem.code].text,
    status: problem.status,
    code: problem.code,
    ...(typeof detail === 'string' || ErrorMessage.is(detail) ? { detail } : {}),
    ...(Object.keys(fields).length ? { errors: fields } : {}),
    field_errors: isAboutQuery ? toQueryPointers(fieldErrors) : fieldErrors,
    request_id: requestId,
  }
}
