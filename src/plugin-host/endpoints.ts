import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed, preventStorage, ROUTED_METHODS, readQuery } from '../kit/http/http.ts'
import { type Caller, requireAccess, signedIn } from '../kit/request/caller.ts'
import { notFound } from '../kit/request/problem.ts'
import type { Services } from '../kit/services/services.ts'
import { isObject } from '../kit/values/json.ts'
import type { OwnRequest } from '../plugin-api/index.ts'
import { setting } from '../settings/live.ts'
import { callForRequest, toPlainJson } from './call-for.ts'

/** The function that responds under a plugin's own URL. */
const RESPONSE_HOOK = 'endpoints.answer'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Shows a plugin's response on our site without trusting it: in a browser it runs nothing, loads nothing and sends nothing. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,60}\/[a-z0-9][\w!#$&^.+-]{0,60}(; ?charset=[\w-]{1,30})?$/i

/** Lets plugins respond under `/plugin/<slug>/`: to accounts only, and with the permissions of the caller. */
export async function registerPluginEndpoints(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onSend', preventStorage)
    const url = '/plugin/:slug/*'
    const onRequest = async ({ caller }: FastifyRequest) => requireAccess(signedIn, caller, 'view')
    scope.route({
      method: [...METHODS],
      url,
      onRequest,
      handler: (request, reply) => respond(services, request, reply),
    })
    const allowed = [...METHODS, 'HEAD']
    scope.route({
      method: ROUTED_METHODS.filter((method) => !allowed.includes(method)),
      url,
      onRequest,
      handler: ({ method }) => {
        throw methodNotAllowed(method, allowed)
      },
    })
  })
}

async function respond(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { slug, '*': path } = request.params as { slug: string; '*': string }
  const plugin = setting(services, 'ENABLE_PLUGINS_URL')
    ? services.plugins.withHook(RESPONSE_HOOK).find(({ key }) => key === slug)
    : undefined
  if (!plugin) throw notFound()
  const method = request.method === 'HEAD' ? 'GET' : (request.method as OwnRequest['method'])
  const body = method === 'GET' ? null : toPlainJson(request.body)
  const pluginRequest: OwnRequest = { method, path, query: readQuery(request), body }
  return send(
    reply,
    await callForRequest({ ...services, caller: request.caller as Caller }, plugin, [pluginRequest], readResponse),
  )
}

type PluginResponse = { status: number; type?: string; text: string }

/** Reads the untrusted response of a plugin. @throws Error if it is invalid */
function readResponse(response: unknown): PluginResponse {
  if (!isObject(response)) throw new Error('it returned no response')
  const { status = 200, body, text, contentType } = response
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status < 600
  // it cannot redirect, or control a browser's cache
  if (!isStatus || (status >= 300 && status < 400)) throw new Error('it returned a status that is not allowed')
  if (contentType !== undefined && !(typeof contentType === 'string' && MEDIA_TYPE.test(contentType)))
    throw new Error('it returned an invalid media type')
  if (text !== undefined) {
    if (typeof text !== 'string') throw new Error('it returned an invalid text')
    return { status, type: contentType ?? 'text/plain; charset=utf-8', text }
  }
  const json = JSON.stringify(body)
  return json === undefined ? { status, text: '' } : { status, type: contentType ?? 'application/json', text: json }
}

function send(reply: FastifyReply, { status, type, text }: PluginResponse): FastifyReply {
  reply.code(status).header('content-security-policy', POLICY)
  if (type === undefined || status === 204 || status === 205) return reply.send()
  return reply.header('content-type', type).send(Buffer.from(text))
}
