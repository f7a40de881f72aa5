import { Type } from 'typebox'
import { Json, procedure, type Request } from '../../../kit/definition/action.ts'
import type { Input } from '../../../kit/definition/input.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { FieldError } from '../../../kit/request/errors.ts'
import { Problem } from '../../../kit/request/problem.ts'
import type { CombinedResponse } from '../../../kit/services/services.ts'
import { isObject } from '../../../kit/values/json.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { API_VERSION_HEADER } from '../../../wire.ts'
import { serviceErrors } from '../../service-errors.ts'

/** Maximum number of GETs in one request. */
const MAX_GETS = 20
const MAX_NAME_LENGTH = 100
const MAX_URL_LENGTH = 4_000

/** URLs by the names of their results. */
const requests: Input<Record<string, string>> = {
  schema: Type.Record(
    Type.String({ maxLength: MAX_NAME_LENGTH }),
    Type.String({ pattern: '^/api/', maxLength: MAX_URL_LENGTH }),
    {
      minProperties: 1,
      maxProperties: MAX_GETS,
    },
  ),
  options: { type: 'field' },
  help: `The URLs to read, with their queries, each under a name of your choice; at most ${MAX_GETS}.`,
  required: true,
  nullable: false,
  read(value) {
    if (!isObject(value)) throw new FieldError(valueErrors.object_expected)
    const entries = Object.entries(value)
    if (entries.length === 0) throw new FieldError(serviceErrors.addresses_required)
    if (entries.length > MAX_GETS) throw new FieldError(serviceErrors.max_addresses({ max_addresses: MAX_GETS }))
    const invalidEntries = entries.flatMap(([name, url]) => {
      const text = name.length > MAX_NAME_LENGTH ? valueErrors.max_length({ max_length: MAX_NAME_LENGTH }) : validateUrl(url)
      return text ? [[name.slice(0, MAX_NAME_LENGTH), [text]] as [string, ErrorMessage[]]] : []
    })
    if (invalidEntries.length > 0) throw new FieldError(Object.fromEntries(invalidEntries))
    return value as Record<string, string>
  },
}

function validateUrl(url: unknown): ErrorMessage | undefined {
  if (typeof url !== 'string') return valueErrors.text_expected
  if (url.length > MAX_URL_LENGTH) return valueErrors.max_length({ max_length: MAX_URL_LENGTH })
  return isApiUrl(url) ? undefined : serviceErrors.interface_address_expected
}

/** Whether a URL is below `/api/`, even after its `..` are resolved. */
const isApiUrl = (url: string): boolean =>
  url.startsWith('/api/') && new URL(url, 'http://localhost').pathname.startsWith('/api/')

const body = { requests }

/** Request headers that responses depend on: the format of errors, and cookies and browser. */
const FORWARDED_HEADERS = [API_VERSION_HEADER, 'accept', 'cookie', 'user-agent']

export const readTogether = procedure({
  method: 'POST',
  path: '/api/web/read/',
  summary: 'Read several URLs at once',
  description:
    'Returns the responses of several GET requests in one round trip. Each has its own status, body and, if available, ETag; an error of one does not affect the others. Lists, details and read-only views are supported; a request that creates a file, changes data or returns a secret is rejected with 403. All bodies together can have at most 16 MB: one that would exceed that gets 413, and must be read separately.',
  example: { body: { requests: { low: '/api/part/?low_stock=true&limit=10', order: '/api/order/po/1/?supplier_detail=true' } } },
  access: signedIn,
  right: 'view',
  worksOnFullDisk: true,
  // some of its results must not be stored anywhere
  containsSecret: true,
  body,
  status: 200,
  response: Type.Record(
    Type.String(),
    Type.Object({
      status: Type.Integer({ description: 'The status of the GET.' }),
      body: Type.Any({ description: 'Its body; null for none.' }),
      etag: Type.Optional(Type.String({ description: 'The ETag of an object, for `If-Match`.' })),
    }),
  ),
  handle: read,
})

async function read(request: Request<typeof body>): Promise<Json> {
  const { caller, exchange } = request
  const entries = Object.entries(request.body.requests)
  const headers = FORWARDED_HEADERS.flatMap((name) => {
    const value = exchange.header(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const responses = await request.readCombined({
    caller,
    urls: entries.map(([, url]) => url),
    site: exchange.site,
    headers: Object.fromEntries(headers),
  })
  const parts = entries.map(
    ([name], index) => `${JSON.stringify(name)}:${serializeResponse(responses[index] as CombinedResponse)}`,
  )
  return new Json(`{${parts.join(',')}}`)
}

/** Formats a response as JSON, with its body unchanged. */
function serializeResponse({ status, type, body, etag }: CombinedResponse): string {
  if (body !== '' && !/\bjson\b/.test(type)) return forbiddenJson
  return `{"status":${status},"body":${body || null}${etag === undefined ? '' : `,"etag":${JSON.stringify(etag)}`}}`
}

/** Only JSON comes from lists, details and views. */
const forbiddenJson = JSON.stringify({ status: 403, body: new Problem('permission_denied').body })
