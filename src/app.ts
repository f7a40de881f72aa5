// Over 400 lines: it lists in one place the parts that the service is made of, and the order in which they start and stop.
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { serveApiPage } from './api-page.ts'
import { backupQueue, scheduleBackups } from './backup/schedule.ts'
import { createCombinedReader } from './combined-reads.ts'
import type { Config } from './config.ts'
import { isConsoleRequest, serveConsole } from './console-bundle/console-files.ts'
import { demoQueue } from './demo/queue.ts'
import { serveDocs } from './docs-bundle/docs-files.ts'
import { createInspection } from './doctor/running-service.ts'
import { createUnknownPathError, sendError } from './error-response.ts'
import { registerHealthRoutes } from './health.ts'
import { type Certificate, Connections } from './kit/http/connections.ts'
import { methodNotAllowed, ROUTED_METHODS, readHeader, requireOneHost, toOriginForm } from './kit/http/http.ts'
import { registerMediaRoutes } from './kit/http/media.ts'
import { acceptMultipart, acceptUrlEncoded } from './kit/http/multipart.ts'
import { buildOpenapi } from './kit/http/openapi.ts'
import type { Operation } from './kit/http/operation.ts'
import { Routes } from './kit/http/routes.ts'
import { FILES_CHANNEL, FileIndex, listFileColumns } from './kit/reading/stored-files.ts'
import { Problem } from './kit/request/problem.ts'
import { requestErrors } from './kit/request/request-errors.ts'
import { createDownload } from './kit/services/download.ts'
import { EVENTS_CHANNEL, Events } from './kit/services/events.ts'
import { JOBS_CHANNEL, Jobs } from './kit/services/jobs.ts'
import { Journal } from './kit/services/journal.ts'
import { Listener } from './kit/services/listener.ts'
import { MAINTENANCE_CHANNEL, Maintenance } from './kit/services/maintenance.ts'
import { openFiles } from './kit/services/open-files.ts'
import { Secrets } from './kit/services/secrets.ts'
import type { Services } from './kit/services/services.ts'
import { Throttle } from './kit/services/throttle.ts'
import { Database } from './kit/sql/tx.ts'
import { parseJson } from './kit/values/json.ts'
import { registerPages } from './link-pages/index.ts'
import { toLoggedPath } from './log.ts'
import { createProxyCheck } from './network.ts'
import { createChildRunner } from './plugin-host/child/in-child.ts'
import { createContextFactory } from './plugin-host/contexts.ts'
import { discover } from './plugin-host/discover.ts'
import { registerPluginEndpoints } from './plugin-host/endpoints.ts'
import { createPluginReaders, removeReaders } from './plugin-host/events.ts'
import { runInProcess } from './plugin-host/in-process.ts'
import { Packages } from './plugin-host/install/packages.ts'
import { createRequestSender, type SendPluginRequest } from './plugin-host/plugin-request.ts'
import { PLUGIN_SETTINGS_CHANNEL, PluginSettings } from './plugin-host/plugin-settings.ts'
import { PluginRegistry } from './plugin-host/registry.ts'
import { createScheduleQueue, runLater, startScheduler } from './plugin-host/schedules.ts'
import { ChromiumPrinter } from './printing/browser/printer.ts'
import { BuiltInTemplateFiles, listBuiltInColumns } from './printing/built-in-files.ts'
import { isLabel } from './printing/kinds.ts'
import { RequestGuard } from './resources/auth/request-guard.ts'
import { startSweeping } from './resources/background-task/housekeeping.ts'
import { createRatesQueue, startRateRefresh } from './resources/currency/fetch-rates.ts'
import { createMailQueue } from './resources/email/mail.ts'
import { ErrorReports } from './resources/error-report/error-reports.ts'
import { actions, resources } from './resources/index.ts'
import { labelPrinting } from './resources/label/index.ts'
import { createMachineQueue, scheduleMachineChecks } from './resources/machine/run-machines.ts'
import { createNewsQueue, scheduleNewsFetch } from './resources/news/fetch-news.ts'
import { scheduleNotifications } from './resources/notifications/deliver-notifications.ts'
import { priceQueue, schedulePriceUpdates } from './resources/part/pricing/price-runs.ts'
import { scheduleStocktakes, stocktakeQueue } from './resources/part/stocktake/report/runs.ts'
import { type PrintRunner, printQueue } from './resources/print-job/run-print-job.ts'
import { checkTemplates } from './resources/printing/check-templates.ts'
import { printedFiles } from './resources/printing/printed-files.ts'
import { printReport } from './resources/report/index.ts'
import { verificationQueue } from './resources/stock/verification/runs.ts'
import { tags } from './resources/tags.ts'
import { Accounts } from './resources/user/accounts.ts'
import { getSecretKey } from './secret-key.ts'
import { LiveSettings } from './settings/live.ts'
import { registerStaticFiles } from './static-files.ts'
import { VERSION } from './version.ts'

export type AppOptions = {
  config: Config
  pool: Pool
  /** Address of the database, for the connection that listens for changes. */
  databaseUrl: string
  /** Certificate of the service, where it serves HTTPS itself. */
  certificate?: Certificate
  /** Whether the disk of the database is almost full, where that is known. */
  disk?: Services['disk']
  log: Logger
  /** Whether this process runs background work; true by default. Otherwise the work waits for a process that runs it. */
  runsBackgroundWork?: boolean
}

/** The application, with the table of its operations for tests and documents. */
export type App = FastifyInstance & { routes: Routes }

/** Builds the HTTP application over a migrated database. It does not listen yet. */
export async function buildApp({
  config,
  pool,
  databaseUrl,
  certificate,
  disk = UNLIMITED_DISK,
  log,
  runsBackgroundWork = true,
}: AppOptions): Promise<App> {
  const database = new Database(
    pool,
    (error) => log.error({ err: error }, 'a follow-up of a change failed'),
    () => events.handleCommit(),
  )
  const packages = new Packages({
    database,
    root: join(config.dataDir, 'plugin-packages'),
    seconds: config.pluginInstallSeconds,
    allowedHosts: config.fetchAllowedHosts,
    tryOut: (packageLocation) => plugins.tryOut(packageLocation),
    log,
  })
  const pluginSettings = new PluginSettings(database, () => listener.isCurrent)
  const plugins = new PluginRegistry(packages, {
    database,
    settings: pluginSettings,
    discover: () => discover(config.dataDir, packages),
    runners: { builtIn: runInProcess, other: createChildRunner({ memoryMegabytes: config.pluginMemoryMegabytes, log }) },
    contexts: createContextFactory({
      settings: pluginSettings,
      log,
      sendPluginRequest: (...args) => ask(...args),
      findAccount: (pk) => accounts.findByKey(pk),
      download: (...args) => services.download(...args),
      runLater: ({ key, manifest }, entry) => runLater(services, key, manifest.schedule, entry),
    }),
    version: VERSION,
    keepsBuiltInsOn: config.wire.keepsBuiltInsOn,
    // a setting offers the plugins that fetch exchange rates
    onChange: () => reloadSettings(),
    log,
  })
  const settings = new LiveSettings(database, plugins, () => listener.isCurrent)
  let isClosing = false
  const reloadSettings = async () => {
    // plugins also change the settings while they stop, when nothing reads the settings any more
    if (isClosing) return
    await settings
      .reload()
      .then(followReaders)
      .catch((error) => log.error({ err: error }, 'could not reload the settings'))
  }
  const secrets = new Secrets([getSecretKey(config), ...config.previousSecretKeys])
  const reports = new ErrorReports(database, disk, log)
  const jobs = new Jobs(database, log, (job) => reports.reportJob(job))
  const maintenance = new Maintenance(database, () => listener.isCurrent)
  const events = new Events({ database, maintenance, log })
  const printer = new ChromiumPrinter({ config, log })
  const files = new BuiltInTemplateFiles(openFiles(config, log))
  const fileColumns = [...resources.flatMap(listFileColumns), ...listBuiltInColumns(resources), ...printedFiles]
  const storedFiles = new FileIndex(fileColumns, { database, files })
  const services: Services & { plugins: PluginRegistry } = {
    config,
    database,
    settings,
    log,
    secrets,
    throttle: new Throttle(database),
    jobs,
    events,
    journal: new Journal(database, log),
    plugins,
    printer,
    files,
    download: createDownload({ allowedHosts: config.fetchAllowedHosts }),
    storedFiles,
    readCombined: (args) => readCombined(args),
    maintenance,
    disk,
    inspectInstallation: createInspection({ ...config, databaseUrl }, printer),
    accounts: { invalidate: () => accounts.invalidate() },
  }
  jobs.register(createMailQueue(services))
  jobs.register(createRatesQueue(services))
  jobs.register(createNewsQueue(services))
  jobs.register(createScheduleQueue(services))
  jobs.register(createMachineQueue(services))
  jobs.register(verificationQueue(services))
  jobs.register(stocktakeQueue(services))
  jobs.register(backupQueue(services, pool))
  jobs.register(demoQueue(() => application))
  jobs.register(priceQueue(services))
  const listener = new Listener(
    databaseUrl,
    [
      'accounts',
      'settings',
      'plugins',
      PLUGIN_SETTINGS_CHANNEL,
      FILES_CHANNEL,
      MAINTENANCE_CHANNEL,
      JOBS_CHANNEL,
      EVENTS_CHANNEL,
    ],
    (channel, payload) => {
      if (channel === MAINTENANCE_CHANNEL) return maintenance.handleNotification(payload)
      if (channel === undefined || channel === EVENTS_CHANNEL) events.wake()
      if (channel === EVENTS_CHANNEL) return
      if (channel === undefined || channel === PLUGIN_SETTINGS_CHANNEL) pluginSettings.invalidate()
      if (channel === PLUGIN_SETTINGS_CHANNEL) return
      if (channel === undefined)
        maintenance.reload().catch((error) => log.error({ err: error }, 'could not read the rate limits'))
      if (channel === undefined || channel === JOBS_CHANNEL) jobs.wake(payload || undefined)
      if (channel === undefined || channel === 'plugins')
        plugins.followDatabase().catch((error) => log.error({ err: error }, 'could not read which plugins are enabled'))
      if (runsBackgroundWork && (channel === undefined || channel === FILES_CHANNEL)) deleteObsoleteFiles()
      if (channel === JOBS_CHANNEL || channel === 'plugins' || channel === FILES_CHANNEL) return
      if (channel !== 'settings') accounts.invalidate()
      // changes of one account carry its key; groups are choices of a global setting
      if (channel !== undefined && payload !== '*') return
      reloadSettings()
    },
    log,
  )
  const accounts = new Accounts(services, () => listener.isCurrent)
  const printing: PrintRunner = (request, kind, steps) => (isLabel(kind) ? labelPrinting : printReport)(request, kind, steps)
  jobs.register(printQueue(services, { accountOf: (pk) => accounts.findByKey(pk), printing }))
  const deleteObsoleteFiles = () =>
    storedFiles.clear().catch((error) => log.warn({ err: error }, 'could not delete obsolete files'))
  /** Updates the event readers of this node: they depend on the running plugins, and on the setting that withholds events from them. */
  const followReaders = async () => {
    if (!runsBackgroundWork) return
    await removeReaders(services)
    await events.setReaders(createPluginReaders(services))
  }
  const requestGuard = new RequestGuard(services, accounts)

  const connections = new Connections(config, log, certificate)
  const isPermanent = isPermanentlySecure(config)
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    bodyLimit: config.bodyLimit,
    // Fastify gets no schemas (ADR 0003), and so needs no schema compiler
    schemaController: { compilersFactory: { buildValidator: noopCompiler, buildSerializer: noopCompiler } },
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    trustProxy: createProxyCheck(config.trustProxy),
    genReqId: () => crypto.randomUUID(),
    // a child logger per request costs more than adding the request to the few lines that are logged
    childLoggerFactory: (logger) => logger,
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      maxParamLength: 300,
    },
    rewriteUrl: (request) => toOriginForm(request),
    serverFactory: (listener) => connections.serve(listener),
    clientErrorHandler: (error, socket) => connections.reject(error, socket),
    // each plugin has its own timeout; their total start time is unlimited
    pluginTimeout: 0,
    // requests that still arrive on a busy connection while the service stops get a normal response
    return503OnClosing: false,
    // an address that cannot be decoded is rejected before routing
    frameworkErrors: (_error, request, reply) => {
      sendError(new Problem('unknown_path'), request, reply)
      // no hook runs for it
      logRequest(request, reply, log)
    },
  })
  const ask: SendPluginRequest = createRequestSender(app, requestGuard, config)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('reader', undefined)
  app.decorateRequest('site', undefined)
  app.decorate('siteUrl', config.siteUrl)
  // cookies are parsed where they are needed
  await app.register(cookie, { hook: false })
  readBodies(app)
  acceptMultipart(app, services)
  if (config.wire.acceptsForms) acceptUrlEncoded(app)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, reports))
  const consolePage = await serveConsole(app, services)
  app.get('/', (_request, reply) => consolePage(reply))
  app.setNotFoundHandler((request, reply) => {
    if (isConsoleRequest(request)) return consolePage(reply)
    throw createUnknownPathError(request)
  })
  if (config.corsOrigins === '*' || config.corsOrigins.length) {
    await allowOrigins(app, config.corsOrigins)
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (isPermanent) reply.header('strict-transport-security', 'max-age=15552000')
    requireOneHost(request)
    if (!ROUTED_METHODS.includes(request.method)) done(methodNotAllowed(request.method))
    // an unknown path is rejected before the body is read
    else if (request.is404 && !isConsoleRequest(request))
      requestGuard.enter(request, reply, (error) => done(error ?? createUnknownPathError(request)))
    else if (PROBES.has(request.url)) done()
    else requestGuard.enter(request, reply, done)
  })
  registerHealthRoutes(app, services)
  logRequests(app, log)

  const routes = createRoutes(services)
  const readCombined = createCombinedReader(app, requestGuard, routes)
  routes.mount(app)
  serveApiPage(app, () => buildDocument(routes))
  await serveDocs(app)
  await registerPages(app, services)
  await registerPluginEndpoints(app, services)
  await registerStaticFiles(app)
  registerMediaRoutes(app, services)

  app.addHook('preClose', async () => connections.close())
  const stops: (() => unknown)[] = []
  /** Stops the check of all templates, which would otherwise use the database until it has finished. */
  let stopTemplateCheck: () => Promise<void> = async () => undefined
  app.addHook('onReady', async () => {
    await settings.reload()
    await plugins.start()
    await listener.start()
    await jobs.start({ works: runsBackgroundWork })
    if (!runsBackgroundWork) return
    await followReaders()
    events.start()
    stops.push(
      startSweeping(services),
      scheduleBackups(services),
      startRateRefresh(services),
      scheduleNewsFetch(services),
      scheduleStocktakes(services),
      schedulePriceUpdates(services),
      startScheduler(services),
      scheduleMachineChecks(services),
      scheduleNotifications(services),
    )
    printer.start()
    const controller = new AbortController()
    const templateCheck = checkTemplates(services, controller.signal).catch((error) =>
      log.warn({ err: error }, 'could not check the templates'),
    )
    stopTemplateCheck = () => {
      controller.abort()
      return templateCheck
    }
  })
  app.addHook('onClose', async () => {
    isClosing = true
    for (const stop of stops) stop()
    await stopTemplateCheck()
    await services.journal.flush()
    await Promise.all([jobs.stop(), events.stop()])
    await reports.waitUntilWritten()
    await plugins.stop()
    await printer.stop()
    await listener.stop()
  })
  const application = Object.assign(app, { routes }) as unknown as App
  return application
}

/**
 * Whether to tell browsers to use only https for this host (HSTS): under a trusted certificate, on a port that nothing else uses. They
 * apply it to all ports, for months.
 */
const isPermanentlySecure = ({ tlsCert, siteUrl }: Config): boolean => {
  const { protocol, port } = new URL(siteUrl)
  return tlsCert !== undefined && protocol === 'https:' && port === ''
}

/** A no-op in place of Fastify's schema compilers. */
const noopCompiler = () => () => {
  throw new Error('routes have no schemas for Fastify')
}

/** Default where the free disk space is unknown. */
const UNLIMITED_DISK = { isLow: false }

/** Probes of an orchestrator, which may use any host name. */
const PROBES = new Set(['/livez', '/readyz', '/metrics'])

/** Logs one line for each request. */
function logRequests(app: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('info')) return
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply, log)
    done()
  })
}

function logRequest(request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  log.info(
    {
      request: request.id,
      method: request.method,
      path: toLoggedPath(request.url),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      account: request.caller?.pk,
    },
    'request',
  )
}

/** Allows browser clients from these origins (CORS). OPTIONS without a preflight's headers remains an operation of the API. */
async function allowOrigins(app: FastifyInstance, origins: Config['corsOrigins']): Promise<void> {
  const options = {
    origin: origins === '*' ? '*' : [...origins],
    credentials: origins !== '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposedHeaders: ['etag', 'x-request-id', 'allow', 'retry-after'],
    maxAge: 600,
  }
  await app.register(cors, () => (request: FastifyRequest, decide: (error: null, options: FastifyCorsOptions) => void) => {
    decide(null, { ...options, preflight: 'access-control-request-method' in request.headers })
  })
}

/** Parses bodies as JSON, except for forms. An empty one is an empty object; the body of a GET is ignored. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = readHeader(request, 'content-encoding') ?? 'identity'
    if (encoding !== 'identity') return done(new Problem('unsupported_media_type', requestErrors.compressed_body))
    if (body.length === 0) return done(null, {})
    if (!isUtf8(body as Buffer)) return done(new Problem('malformed', requestErrors.body_not_utf8))
    try {
      done(null, parseJson(body.toString()))
    } catch (error) {
      done(
        new Problem(
          'malformed',
          error instanceof RangeError
            ? requestErrors.json_nested_too_deeply
            : requestErrors.invalid_json({ reason: (error as Error).message.slice(0, 200) }),
        ),
      )
    }
  })
}

const buildDocument = (routes: Routes) =>
  buildOpenapi(
    routes.operations,
    {
      title: 'Stockroom',
      version: VERSION,
      description: 'Inventory management: purchase orders, stock, parts and companies.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags,
    routes.services.config.wire,
  )

/** Returns the OpenAPI document without a running service. */
export function createOpenapiDocument(config: Config): Record<string, unknown> {
  return buildDocument(createRoutes({ config } as Services))
}

/** Every operation, without a running service. */
export const listOperations = (config: Config): readonly Operation[] => createRoutes({ config } as Services).operations

function createRoutes(services: Services): Routes {
  const routes = new Routes(services)
  for (const resource of resources) routes.addResource(resource)
  for (const action of actions(services)) routes.addAction(action)
  return routes
}
