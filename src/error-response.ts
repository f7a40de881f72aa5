import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { getSite, readHeader } from './kit/http/http.ts'
import { translateDatabaseError } from './kit/request/constraint.ts'
import { Problem, toProblemJson } from './kit/request/problem.ts'
import { requestErrors } from './kit/request/request-errors.ts'
import { toLoggedPath } from './log.ts'
import type { ErrorReports } from './resources/error-report/error-reports.ts'

/** The error for a URL that does not exist. */
export function createUnknownPathError(request: FastifyRequest): Problem {
  const path = request.url.split('?', 1)[0] as string
  const detail = path.endsWith('/') ? requestErrors.unknown_address : requestErrors.address_without_slash
  return new Problem('unknown_path', detail).with({ body: { detail, url: `${getSite(request)}${path}` } })
}

/** The problem code for each of Fastify's own errors. */
const CODE_BY_FASTIFY_ERROR: Record<string, ConstructorParameters<typeof Problem>[0]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed',
}

/**
 * Sends an error in the form that the client accepts. Failures of the service itself are logged, and stored for staff to read.
 * @param error any thrown value
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, reports?: ErrorReports): FastifyReply {
  const thrown = toProblem(translateDatabaseError(error))
  const problem = thrown.code === 'unknown_path' && !('url' in (thrown.body as object)) ? createUnknownPathError(request) : thrown
  if (problem.code === 'internal') {
    request.log.error({ request: request.id, err: error }, 'a request failed')
    reports?.reportRequest(error, { id: request.id, path: toLoggedPath(request.url) })
  }
  if (problem.status === 401 && !problem.headers['www-authenticate']) reply.header('www-authenticate', getChallenge(request))
  reply.header('x-request-id', request.id)
  reply.headers(problem.headers)
  const accepts = readHeader(request, 'accept') ?? ''
  const wantsProblem = accepts.includes('application/problem+json')
  const type = wantsProblem ? 'application/problem+json' : 'application/json'
  const body = problem.status >= 500 ? { ...(problem.body as object), request_id: request.id } : problem.body
  const isAboutQuery = request.method === 'GET' || request.method === 'HEAD'
  return reply
    .code(problem.status)
    .header('content-type', type)
    .send(Buffer.from(JSON.stringify(wantsProblem ? toProblemJson(problem, request.id, isAboutQuery) : body)))
}

/** Offers `Basic` only to clients other than scripts in pages, as browsers open a password dialog for it. */
const getChallenge = (request: FastifyRequest): string =>
  readHeader(request, 'x-requested-with') === 'XMLHttpRequest' ? 'Token' : 'Token, Basic realm="api"'

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code = '', statusCode } = error as FastifyError
  const own = CODE_BY_FASTIFY_ERROR[code]
  if (own) return new Problem(own)
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new Problem('malformed', requestErrors.invalid_request({ reason: (error as Error).message }))
  return new Problem('internal')
}
