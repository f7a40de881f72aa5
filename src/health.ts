import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from './config.ts'
import { createHostCheck } from './kit/request/hosts.ts'
import { Problem, problems } from './kit/request/problem.ts'
import { requestErrors } from './kit/request/request-errors.ts'
import { type Backlog, readBacklog } from './kit/services/event-cleanup.ts'
import type { Services } from './kit/services/services.ts'
import type { Database } from './kit/sql/tx.ts'
import { createProxyCheck } from './network.ts'

/** Milliseconds within which the database must respond for the service to be ready. */
const READY_TIMEOUT_MS = 2_000

/**
 * `/livez`: the process runs. `/readyz`: the service can serve requests and its database responds; if the disk is too full for changes it
 * still serves reads, and reports that. `/metrics`: for Prometheus, if it sends METRICS_TOKEN or runs on this machine.
 */
export function registerHealthRoutes(
  app: FastifyInstance,
  { database, disk, config }: Pick<Services, 'database' | 'disk' | 'config'>,
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestDuration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const updateEventGauges = createEventGauges(registry)
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const route = routeOptions.config.path ?? routeOptions.url ?? 'unknown'
    requestDuration.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  app.get('/livez', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (await isResponsive(database))
      return disk.isLow ? { status: 'read-only', reason: problems.insufficient_storage.text } : { status: 'ok' }
    return reply.code(503).header('retry-after', '2').send({ status: 'unavailable' })
  })
  const requireMetrics = createMetricsGuard(config)
  app.get('/metrics', async (request, reply) => {
    requireMetrics(request)
    await updateEventGauges(database)
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

/**
 * Restricts the metrics of the service to its operator. Requires no account, so that they are available while the database is down, too.
 * @throws Problem 401, 403
 */
function createMetricsGuard(config: Config): (request: FastifyRequest) => void {
  const { metricsToken } = config
  if (metricsToken !== undefined) {
    const expected = digest(metricsToken)
    return ({ headers }) => {
      const [, token = ''] = /^Bearer +(.*)$/i.exec(headers.authorization ?? '') ?? []
      if (!timingSafeEqual(digest(token), expected))
        throw new Problem('not_authenticated', requestErrors.metrics_token_required, { 'www-authenticate': 'Bearer' })
    }
  }
  const isKnownHost = createHostCheck(config)
  return ({ headers, socket, host }) => {
    // a proxy on this machine forwards requests from elsewhere, and a page in a local browser may come from another host
    const isLocal = isLoopback(socket.remoteAddress ?? '') && FORWARDING_HEADERS.every((name) => headers[name] === undefined)
    if (!isLocal || !isKnownHost(host)) throw new Problem('permission_denied', requestErrors.metrics_local_only)
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const isLoopback = createProxyCheck(['127.0.0.0/8', '::1'])

/** Headers that proxies add to the requests they forward. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/**
 * Creates gauges of the events that readers have not fetched yet. Returns a function that updates them from the database; without a
 * response of the database in time, the gauges are left out.
 */
function createEventGauges(registry: Registry): (database: Database) => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['reader'], registers: [registry] })
  const gauges: [Gauge, (backlog: Backlog) => number][] = [
    [gauge('event_backlog', 'Events that a listener has not received yet.'), ({ events }) => events],
    [gauge('event_oldest_seconds', 'Seconds since the oldest of these events.'), ({ age }) => age],
    [gauge('event_failures', 'Failures of the listener since its last event.'), ({ failures }) => failures],
  ]
  const unnumbered = new Gauge({
    name: 'event_unnumbered',
    help: 'Events that are committed but not numbered yet.',
    registers: [registry],
  })
  return async (database) => {
    for (const [eventGauge] of gauges) eventGauge.reset()
    unnumbered.remove()
    const backlog = readBacklog(database).catch(() => undefined)
    const result = await Promise.race([backlog, pause(READY_TIMEOUT_MS, undefined, { ref: false })])
    if (!result) return
    unnumbered.set(result.unnumbered)
    for (const [eventGauge, readValue] of gauges)
      for (const reader of result.readers) eventGauge.set({ reader: reader.reader }, readValue(reader))
  }
}

/** Whether the database responds within the timeout. A query to a database that hangs would wait much longer. */
async function isResponsive(database: Database): Promise<boolean> {
  const probe = database.read({ text: 'select 1' }).then(
    () => true,
    () => false,
  )
  return await Promise.race([probe, pause(READY_TIMEOUT_MS, false, { ref: false })])
}
