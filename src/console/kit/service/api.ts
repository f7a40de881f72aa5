import { signal } from '@preact/signals'
import { errorText, type ServiceError, t } from '../language/language.ts'
import { confirmAccount } from './confirmation.ts'

/** A response of the API, with the version of the object where it has one, and the URL of what it started. */
export type ApiResponse<T> = { body: T; etag?: string; location?: string }

/** A page of a list. */
export type Page<Row> = { count: number; results: Row[] }

/** Result of an edit: the saved object, or the current object if another user saved first. A conflict is not thrown, as it is displayed. */
export type Change<T> = { saved: ApiResponse<T> } | { conflict: ApiResponse<T> }

/** An error about a part of a request: a JSON pointer into its body, `?name` for a query parameter, empty for all of it. */
export type FieldError = ServiceError & { pointer: string }

/** A request that the service rejected, or that did not reach it. */
export class ApiError extends Error {
  /** Error code, as in docs/errors.md; `unreachable` without a response. */
  readonly code: string
  /** 0 without a response. */
  readonly status: number
  /** Errors by field name, in the reader's language. */
  readonly fields: Record<string, string[]>
  /** The same, nested like the body: the errors of each of its `items`. */
  readonly errors: Record<string, unknown>
  /** Every error as the service describes it, with its position in the body. */
  readonly causes: readonly FieldError[]

  constructor(
    status: number,
    code: string,
    message: string,
    fields: Record<string, string[]> = {},
    errors: Record<string, unknown> = {},
    causes: readonly FieldError[] = [],
  ) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
    this.errors = errors
    this.causes = causes
  }

  /** All errors in one text: with their fields, otherwise the general message. */
  get text(): string {
    return Object.values(this.fields).flat().join(' ') || this.message
  }
}

/** Whether the session ended while the console was open: the shell then asks for a sign-in and returns. */
export const sessionEnded = signal(false)

/** Whether a second factor has to be enrolled before anything else (`LOGIN_ENFORCE_MFA`): the shell leads there. */
export const mustEnrol = signal(false)

/** Whether the last request reached the service. */
export const isOnline = signal(true)

type Request = { method?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }

/** @throws ApiError */
async function send<T>(url: string, request?: Request): Promise<ApiResponse<T>> {
  const response = await sendRaw(url, request)
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    body: (isJson ? await response.json() : undefined) as T,
    etag: response.headers.get('etag') ?? undefined,
    location: response.headers.get('location') ?? undefined,
  }
}

/** Sends a request: once more after the user has confirmed the account, if the service requires that. @throws ApiError */
async function sendRaw(url: string, request?: Request): Promise<Response> {
  try {
    return await sendOnce(url, request)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation_required' || !(await confirmAccount())) throw error
    return sendOnce(url, request)
  }
}

/** @throws ApiError */
async function sendOnce(url: string, { method = 'GET', body, headers = {}, signal }: Request = {}): Promise<Response> {
  const isForm = body instanceof FormData
  const response = await fetch(url, {
    method,
    signal,
    credentials: 'same-origin',
    body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
    headers: {
      accept: 'application/json, application/problem+json',
      // otherwise the browser would ask for a password in its own dialog
      'x-requested-with': 'XMLHttpRequest',
      // responses in the form that these pages know, whatever other clients get
      'x-api-version': '196',
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  }).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    isOnline.value = false
    throw new ApiError(0, 'unreachable', t('unreachable'))
  })
  isOnline.value = true
  if (response.ok) return response
  const isJson = response.headers.get('content-type')?.includes('json')
  throw createApiError(response.status, isJson ? await response.json() : undefined)
}

/** An error in the form of RFC 9457, in the reader's language. */
function createApiError(status: number, content: unknown): ApiError {
  const {
    code = '',
    title = '',
    detail = title,
    field_errors: causes = [],
  } = (content ?? {}) as { code?: string; title?: string; detail?: string; field_errors?: FieldError[] }
  const errors = groupErrorsByField(causes.filter(({ pointer, code: causeCode }) => pointer !== '' || causeCode !== code))
  const fields = flattenFieldErrors(errors)
  const bodyErrors = causes.filter(({ pointer }) => pointer === '').map(errorText)
  const message = getMessageForCode(code) ?? (bodyErrors.join(' ') || detail || `HTTP ${status}`)
  const apiError = new ApiError(status, code, message, fields, errors, causes)
  if (code === 'not_authenticated' || code === 'authentication_failed') sessionEnded.value = true
  if (code === 'mfa_enrolment_required') mustEnrol.value = true
  return apiError
}

/** Messages for errors that concern a request rather than the user's action, in plain words. */
const getMessageForCode = (code: string): string | undefined =>
  code === 'idempotency_mismatch'
    ? t('request-already-done')
    : code === 'idempotency_in_progress'
      ? t('in-progress')
      : code === 'precondition_failed'
        ? t('changed-meanwhile')
        : code === 'not_authenticated'
          ? t('was-signed-out')
          : code === 'confirmation_required'
            ? t('not-confirmed')
            : undefined

const flattenFieldErrors = (errors: Record<string, unknown>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(errors).map(([name, texts]) => [name, collectTexts(texts)]))

/** Errors in the reader's language, nested like the body: `/items/0/quantity` is at `items`, 0, `quantity`. */
export function groupErrorsByField(causes: readonly FieldError[]): Record<string, unknown> {
  const errors: Record<string, unknown> = {}
  for (const cause of causes) {
    const names = cause.pointer.replace(/^[/?]/, '').split('/').filter(Boolean).map(unescapePointer)
    // errors of an object or an entry as a whole
    if (names.length === 0 || /^\d+$/.test(names.at(-1) as string)) names.push('non_field_errors')
    const lastName = names.pop() as string
    let node = errors
    for (const [depth, name] of names.entries()) {
      const isList = /^\d+$/.test(names[depth + 1] ?? '')
      node[name] ??= isList ? [] : {}
      node = node[name] as Record<string, unknown>
    }
    node[lastName] = [...((node[lastName] as string[] | undefined) ?? []), errorText(cause)]
  }
  return errors
}

/** A name in a JSON pointer. */
const unescapePointer = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

/** All texts in the errors of a field, which may be nested like the field. */
const collectTexts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(collectTexts)
      : []

/** Reads an object or a list. @throws ApiError */
export const get = <T>(url: string, signal?: AbortSignal): Promise<ApiResponse<T>> => send<T>(url, { signal })

/**
 * Reads all data of a page in one round trip: the response of each URL by name. At most twenty.
 * @param optionalNames names of optional data: it is left out when its read is rejected
 * @throws ApiError of the first other read that is rejected
 */
export async function read<Data extends Record<string, unknown>>(
  urls: { [Name in keyof Data]: string },
  signal?: AbortSignal,
  optionalNames: readonly (keyof Data)[] = [],
): Promise<{ [Name in keyof Data]: ApiResponse<Exclude<Data[Name], undefined>> }> {
  type Responses = { [Name in keyof Data]: ApiResponse<Exclude<Data[Name], undefined>> }
  // an account without permissions sends no request
  if (Object.keys(urls).length === 0) return {} as Responses
  const { body } = await postQuery<Record<string, { status: number; body: unknown; etag?: string }>>(
    '/api/web/read/',
    { requests: urls },
    signal,
  )
  for (const [name, { status, body: content }] of Object.entries(body)) {
    if (status < 400) continue
    if (!optionalNames.includes(name)) throw createApiError(status, content)
    delete body[name]
  }
  return body as { [Name in keyof Data]: ApiResponse<Exclude<Data[Name], undefined>> }
}

/** A new Idempotency-Key for one submit, so that it runs once however often it is sent. The caller keeps it until a response arrives. */
export const newKey = (): string =>
  // randomUUID is available on https only
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Whether a rejected submit has certainly not run, so that the next one needs a new key. Without a response it may have run, and so may an
 * earlier request with the same key: both keep it.
 */
export const isNotExecuted = ({ status, code }: ApiError): boolean =>
  status > 0 && status < 500 && code !== 'idempotency_mismatch' && code !== 'idempotency_in_progress'

/**
 * Creates an object, or runs an action: `post('/api/order/po/1/issue/', {})`.
 * @param etag the version of the object for which the user chose the action: it is rejected when the object has changed since
 * @throws ApiError
 */
export const post = <T>(url: string, body: unknown = {}, key = newKey(), etag?: string): Promise<ApiResponse<T>> =>
  send<T>(url, { method: 'POST', body, headers: { 'idempotency-key': key, ...createIfMatchHeader(etag) } })

const createIfMatchHeader = (etag: string | undefined): Record<string, string> => (etag ? { 'if-match': etag } : {})

/** A background print job, as in `/api/print-job/`. */
type PrintJob = {
  id: string
  status: 'waiting' | 'running' | 'done' | 'failed' | 'unknown'
  file: string | null
  /** Anything missing from the print. */
  warnings: ServiceError[]
  field_errors: FieldError[]
}

/** Result of a print: the URL of the file, if there is one, and messages about anything missing. */
export type PrintResult = { file?: string; warnings: readonly string[] }

/** Milliseconds between checks of a print job, at first and at most. */
const POLL_INTERVALS_MS = { first: 150, max: 1_500 }

/**
 * Prints something, and waits for it. It runs as a background job: both wire forms respond to that alike, and a long print is not requested
 * twice.
 * @param body of a POST; undefined for a GET
 * @returns the result
 * @throws ApiError
 */
export async function print(url: string, body?: unknown, key = newKey()): Promise<PrintResult> {
  const headers = { prefer: 'respond-async', 'idempotency-key': key }
  const { location = '' } = await send(url, { method: body === undefined ? 'GET' : 'POST', body, headers })
  let { body: job } = await get<PrintJob>(location)
  for (
    let delay = POLL_INTERVALS_MS.first;
    job.status === 'waiting' || job.status === 'running';
    delay = Math.min(delay * 1.5, POLL_INTERVALS_MS.max)
  ) {
    await new Promise((resolve) => setTimeout(resolve, delay))
    job = (await get<PrintJob>(location)).body
  }
  if (job.status === 'done')
    return { ...(job.file === null ? {} : { file: toFileUrl(job.file) }), warnings: job.warnings.map(errorText) }
  const fields = flattenFieldErrors(groupErrorsByField(job.field_errors))
  const failureText = Object.values(fields).flat().join(' ') || t(job.status === 'unknown' ? 'print.unknown' : 'failed')
  throw new ApiError(400, job.status, failureText, fields)
}

/** A POST that only reads, or whose response is never stored, such as a search and a sign-in. @throws ApiError */
export const postQuery = <T>(url: string, body: unknown = {}, signal?: AbortSignal): Promise<ApiResponse<T>> =>
  send<T>(url, { method: 'POST', body, signal })

/** A POST whose response is a file, with the name and the warning that the service gives it. @throws ApiError */
export async function postForFile(url: string, body: unknown, signal: AbortSignal) {
  const response = await sendRaw(url, { method: 'POST', body, signal })
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { file: await response.blob(), name, warning: response.headers.get('warning') ?? undefined }
}

/**
 * Changes fields of an object, unless it has changed since it was read.
 * @param etag the version that the edit began with
 * @throws ApiError
 */
export const change = <T>(url: string, body: unknown, etag: string | undefined): Promise<Change<T>> =>
  send<T>(url, { method: 'PATCH', body, headers: createIfMatchHeader(etag) }).then(
    (saved) => ({ saved }),
    async (error) => {
      if (!(error instanceof ApiError) || error.status !== 412) throw toDeletedError(error)
      return { conflict: await get<T>(url).catch((reason) => Promise.reject(toDeletedError(reason))) }
    },
  )

/** Turns a 404 of a displayed object into an error that it was deleted, which says more than "not found". */
const toDeletedError = (error: unknown): unknown =>
  error instanceof ApiError && error.status === 404 ? new ApiError(404, error.code, t('already-deleted')) : error

/** Deletes an object, unless it has changed since it was read. @throws ApiError, with the code `precondition_failed` then */
export const remove = (url: string, etag?: string): Promise<ApiResponse<undefined>> =>
  send<undefined>(url, { method: 'DELETE', headers: createIfMatchHeader(etag) }).catch((error) =>
    Promise.reject(toDeletedError(error)),
  )

/** Deletes several objects of a list by their keys: all of them or none. @throws ApiError */
export const removeSeveral = (url: string, items: readonly (number | string)[]): Promise<ApiResponse<undefined>> =>
  send<undefined>(url, { method: 'DELETE', body: { items } })

/** A URL with its query; undefined and empty values are left out. */
export function withQuery(url: string, query: Record<string, string | number | boolean | undefined>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') parameters.set(name, String(value))
  return parameters.size ? `${url}?${parameters}` : url
}

/**
 * Default values of a new object's fields, according to the current settings of the service, with what it suggests: the next reference of an
 * order.
 * @param url the list that it is added to @throws ApiError
 */
export async function readDefaults(url: string): Promise<Record<string, unknown>> {
  const { body } = await send<{ actions?: { POST?: Record<string, { default?: unknown }> } }>(url, { method: 'OPTIONS' })
  const fields = Object.entries(body.actions?.POST ?? {})
  return Object.fromEntries(fields.flatMap(([name, field]) => ('default' in field ? [[name, field.default]] : [])))
}

/** Downloads a file that the service makes, with the name that the service gives it. @throws ApiError */
export async function download(url: string): Promise<void> {
  const response = await sendRaw(url)
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  saveFile(await response.blob(), name ?? '')
}

/** Saves a text as a file of the browser. @param type its media type */
export const saveTextFile = (text: string, name: string, type: string): void => saveFile(new Blob([text], { type }), name)

function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The URL of a file of the service, which contains the service's public site, relative to the console's own site. */
export const toFileUrl = (url: string): string => {
  const { pathname, search } = new URL(url, window.location.href)
  return pathname + search
}
