import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { createProxyCheck, getNetwork } from '../../network.ts'
import { createHostCheck } from '../request/hosts.ts'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import { methodNotAllowed } from './http.ts'

/** Maximum time for the head of a request to arrive, in milliseconds. */
const HEADERS_TIMEOUT_MS = 15_000
/** Time that a connection stays open between two requests, in milliseconds. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Interval of the check for connections that have timed out, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000
/** Time for which a connection stays open after the response to an invalid request, so that the client can read it, in milliseconds. */
const LINGER_MS = 1_000
/** Interval of log messages about rejected connections, in milliseconds. */
const LOG_INTERVAL_MS = 60_000

/** The service's https certificate and key, as PEM. */
export type Certificate = { cert: string; key: string }

/** The TLS options of the server, at its start and for each certificate that follows. */
export const buildTlsOptions = (certificate: Certificate) => ({ ...certificate, minVersion: 'TLSv1.2' }) as const

/** The first byte of a TLS connection. */
const TLS_HANDSHAKE_BYTE = 22

/**
 * The connections of the HTTP server below the application: their number, in total and per address, the time limits for requests, the
 * responses to invalid requests, and their end.
 */
export class Connections {
  readonly #config: Config
  readonly #log: Logger
  readonly #isProxy: (address: string) => boolean
  readonly #certificate: Certificate | undefined
  /** Every connection, with the response to the last request on it. */
  readonly #open = new Map<Duplex, ServerResponse | undefined>()
  readonly #perNetwork = new Map<string, number>()
  #isClosing = false
  #rejectedCount = 0
  #lastLogTime = Number.NEGATIVE_INFINITY

  /** @param certificate set if the service speaks https itself */
  constructor(config: Config, log: Logger, certificate?: Certificate) {
    this.#config = config
    this.#log = log
    this.#isProxy = createProxyCheck(config.trustProxy)
    this.#certificate = certificate
  }

  /** Creates the server for an application. */
  serve(listener: RequestListener): Server {
    const options: ServerOptions = {
      requestTimeout: this.#config.requestSeconds * 1_000,
      headersTimeout: Math.min(this.#config.requestSeconds * 1_000, HEADERS_TIMEOUT_MS),
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // a request without a Host header is rejected in the documented form, as is one with two
      requireHostHeader: false,
    }
    const server = this.#certificate ? this.#secureServer(options, this.#certificate) : createServer(options)
    server.maxConnections = this.#config.maxConnections
    server.on('drop', (connection) => this.#logRejection(connection?.remoteAddress))
    server.on('connection', (socket) => this.#admit(socket))
    server.on('request', ({ socket }, response) => this.#open.set(socket, response))
    server.on('request', listener)
    server.on('connect', (_request, socket) => respond(socket, methodNotAllowed('CONNECT')))
    // other expectations of a client may be ignored
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    return server
  }

  /**
   * Creates a server that speaks https, and redirects browsers that use http. The first byte of a connection tells whether it is encrypted;
   * until that arrives, neither server has the connection.
   */
  #secureServer(options: ServerOptions, certificate: Certificate): Server {
    const server = createSecureServer({ ...options, ...buildTlsOptions(certificate), handshakeTimeout: HEADERS_TIMEOUT_MS })
    const plain = createServer(options, redirectToHttps(createHostCheck(this.#config)))
    plain.on('request', ({ socket }, response) => this.#open.set(socket, response))
    const [encrypted] = server.listeners('connection') as ((socket: Socket) => void)[]
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      socket.on('error', () => socket.destroy())
      const handshakeTimer = setTimeout(() => socket.destroy(), HEADERS_TIMEOUT_MS)
      handshakeTimer.unref()
      socket.once('close', () => clearTimeout(handshakeTimer))
      socket.once('data', (first) => {
        socket.pause()
        socket.unshift(first)
        if (first[0] !== TLS_HANDSHAKE_BYTE) {
          plain.emit('connection', socket)
          socket.resume()
        } else {
          clearTimeout(handshakeTimer)
          // from here on the encrypted socket represents the connection
          this.#open.delete(socket)
          encrypted?.call(server, socket)
        }
      })
    })
    server.on('secureConnection', (socket) => {
      if (this.#isClosing) return socket.destroy()
      this.#open.set(socket, undefined)
      socket.once('close', () => this.#open.delete(socket))
    })
    return server as unknown as Server
  }

  /** Responds to input that could not be read as a request, or did not arrive in time. */
  reject(error: NodeJS.ErrnoException, socket: Duplex): void {
    // a client that was rejected before may still be sending for a short time
    if (socket.destroyed || !socket.writable) return
    const response = this.#open.get(socket)
    const isResponseSent = response?.headersSent && !(response.writableFinished && response.req.complete)
    const hasSentNothing = (socket as Socket).bytesRead === 0 || /^ERR_(SSL|TLS)_/.test(error.code ?? '')
    if (error.code === 'ECONNRESET' || isResponseSent || hasSentNothing) {
      socket.destroy()
      return
    }
    const problem = toProblem(error.code)
    const request = respond(socket, problem)
    this.#log.info({ request, status: problem.status }, `rejected an invalid request: ${error.code}`)
  }

  /** Closes idle connections immediately, and all others after their last response. */
  close(): void {
    this.#isClosing = true
    for (const [socket, response] of this.#open) {
      if (!response || response.writableFinished) {
        socket.destroy()
        continue
      }
      if (!response.headersSent) response.setHeader('connection', 'close')
      response.once('close', () => socket.destroy())
    }
  }

  /** Counts a connection, unless its network has reached its limit. Connections of a proxy belong to its clients, and have no limit. */
  #admit(socket: Socket): void {
    const { remoteAddress = '' } = socket
    const network = this.#isProxy(remoteAddress) ? undefined : getNetwork(remoteAddress)
    const openCount = network === undefined ? 0 : (this.#perNetwork.get(network) ?? 0)
    if (this.#isClosing || openCount >= this.#config.maxConnectionsPerAddress) {
      if (!this.#isClosing) this.#logRejection(remoteAddress)
      socket.destroy()
      return
    }
    if (network !== undefined) this.#perNetwork.set(network, openCount + 1)
    this.#open.set(socket, undefined)
    socket.once('close', () => {
      this.#open.delete(socket)
      if (network === undefined) return
      const remaining = (this.#perNetwork.get(network) ?? 0) - 1
      if (remaining > 0) this.#perNetwork.set(network, remaining)
      else this.#perNetwork.delete(network)
    })
  }

  /** Logs rejected connections at most once per interval, so that they cannot fill the log. */
  #logRejection(address: string | undefined): void {
    this.#rejectedCount++
    if (performance.now() - this.#lastLogTime < LOG_INTERVAL_MS) return
    this.#log.warn(
      { address, refused: this.#rejectedCount },
      'rejecting connections: MAX_CONNECTIONS or MAX_CONNECTIONS_PER_ADDRESS is reached',
    )
    this.#lastLogTime = performance.now()
    this.#rejectedCount = 0
  }
}

/**
 * Responds to http requests to a service that speaks https: browsers are redirected, and everything else is rejected. The redirect never
 * leads to a host that is not configured.
 */
const redirectToHttps =
  (isKnownHost: (host: string) => boolean): RequestListener =>
  ({ method = '', headers: { host = '' }, url = '/' }, response) => {
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead && url.startsWith('/') && /^[\w.:[\]-]+$/.test(host) && isKnownHost(host)) {
      response.writeHead(307, { location: `https://${host}${url}`, connection: 'close' }).end()
      return
    }
    const { status, body } = new Problem('malformed_request', requestErrors.https_expected)
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body))
  }

/** The problem for an error of the parser, or a timeout. */
function toProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('head_too_large')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('too_large')
    case 'HPE_INVALID_METHOD':
      return methodNotAllowed()
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout')
    default:
      return new Problem('malformed_request')
  }
}

/**
 * Sends a response on a connection without a request, and ends it.
 * @returns the id of the response
 */
function respond(socket: Duplex, { status, body, headers }: Problem): string {
  const id = randomUUID()
  const text = JSON.stringify(body)
  const head = {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-request-id': id,
    connection: 'close',
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
  // if it were closed immediately, a client that is still sending would see a broken connection instead of the response
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  return id
}
