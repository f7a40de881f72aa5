import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { header, siteOf } from './kit/http/http.ts'
import { translate } from './kit/request/constraint.ts'
import { Problem, problemJson } from './kit/request/problem.ts'
import { loggedPath } from './log.ts'
import type { ErrorReports } from './resources/error-report/error-reports.ts'

/** What an address is answered that there is not. */
export function unknownPath(request: FastifyRequest): Problem {
  const path = request.url.split('?', 1)[0] as string
  const detail = path.endsWith('/') ? 'API endpoint not found' : 'API endpoint not found: every address ends with a slash'
  return new Problem('unknown_path', { detail, url: `${siteOf(request)}${path}` })
}

/** What Fastify itself refuses, in our own words. */
const OWN: Record<string, ConstructorParameters<typeof Problem>[0]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed',
}

/**
 * Answers with a refusal, in the form that the client asks for. What is the service's own failure is logged, and kept for staff to read.
 * @param error whatever was thrown
 */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, reports?: ErrorReports): FastifyReply {
  const problem = problemOf(translate(error))
  if (problem.code === 'internal') {
    request.log.error({ request: request.id, err: error }, 'a request failed')
    reports?.ofRequest(error, { id: request.id, path: loggedPath(request.url) })
  }
  if (problem.status === 401 && !problem.headers['www-authenticate']) reply.header('www-authenticate', challenge(request))
  reply.header('x-request-id', request.id)
  reply.headers(problem.headers)
  const accepts = header(request, 'accept') ?? ''
  const wantsProblem = accepts.includes('application/problem+json')
  const type = wantsProblem ? 'application/problem+json' : 'application/json'
  const body = problem.code === 'unknown_path' && !('url' in (problem.body as object)) ? unknownPath(request).body : problem.body
  const own = problem.status >= 500 ? { ...(body as object), request_id: request.id } : body
  return reply
    .code(problem.status)
    .header('content-type', type)
    .send(Buffer.from(JSON.stringify(wantsProblem ? problemJson(problem, request.id) : own)))
}

/** A page that asks by a script signs people in itself: at `Basic`, its browser would ask for a password in a window of its own. */
const challenge = (request: FastifyRequest): string =>
  header(request, 'x-requested-with') === 'XMLHttpRequest' ? 'Token' : 'Token, Basic realm="api"'

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code = '', statusCode } = error as FastifyError
  const own = OWN[code]
  if (own) return new Problem(own)
  if (statusCode && statusCode >= 400 && statusCode < 500) return new Problem('malformed', (error as Error).message)
  return new Problem('internal')
}
