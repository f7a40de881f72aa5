import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import pg from 'pg'

/** A network path to a database on which failures can be simulated. */
export type DatabaseProxy = {
  /** URL of the database through the proxy. */
  url: string
  /** Number of withheld notifications. */
  readonly withheldCount: number
  /** Withholds notifications on a channel from now on, or on all channels if none is given; everything else passes. */
  withhold(channel?: string): void
  /** Stops all traffic silently, as when a process hangs or a cable is unplugged. New connections are accepted, and hang. */
  freeze(): void
  /** Lets all traffic pass again, including the data that was sent while it was frozen. */
  thaw(): void
  /** Number of connections that were opened through it. */
  readonly connectionCount: number
}

/** Starts a proxy on loopback in front of a PostgreSQL server. It ends with the test file. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  const withheldChannels = new Set<string>()
  let withholdsAll = false
  let discardedCount = 0
  let openedCount = 0
  let isFrozen = false

  const track = (socket: Socket) => {
    sockets.add(socket)
    if (isFrozen) socket.pause()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer({ noDelay: true }, (client) => {
    openedCount++
    const database = dial(databaseUrl)
    const messages = new Messages()
    track(client)
    track(database)
    client.on('data', (data) => database.write(data))
    database.on('data', (data) => {
      for (const message of messages.read(data)) {
        const channel = getChannel(message)
        if (channel !== undefined && (withholdsAll || withheldChannels.has(channel))) discardedCount++
        else client.write(message)
      }
    })
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })

  return {
    url: buildProxyUrl(databaseUrl, (server.address() as AddressInfo).port),
    get withheldCount() {
      return discardedCount
    },
    get connectionCount() {
      return openedCount
    },
    withhold(channel) {
      if (channel === undefined) withholdsAll = true
      else withheldChannels.add(channel)
    },
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
  }
}

/** Opens a raw connection to a database. */
export function dial(databaseUrl: string): Socket {
  const { host, port } = new pg.Client({ connectionString: databaseUrl })
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ port, host, noDelay: true })
}

/** Returns the URL of a database with a port of this machine. */
export function buildProxyUrl(databaseUrl: string, port: number): string {
  const { database, user = '', password = '' } = new pg.Client({ connectionString: databaseUrl })
  const url = new URL(`postgres://127.0.0.1:${port}/${database}`)
  url.username = user
  url.password = password ?? ''
  return url.href
}

/** Splits the data of a server or a client into protocol messages: a letter, the length of the rest, the rest. */
export class Messages {
  #rest: Buffer = Buffer.alloc(0)

  read(data: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, data])
    const messages: Buffer[] = []
    while (this.#rest.length >= 5) {
      const length = 1 + this.#rest.readInt32BE(1)
      if (this.#rest.length < length) break
      messages.push(this.#rest.subarray(0, length))
      this.#rest = this.#rest.subarray(length)
    }
    return messages
  }
}

/** Returns the channel of a notification (NotificationResponse: the process, the channel, the payload); undefined for any other message. */
function getChannel(message: Buffer): string | undefined {
  if (message[0] !== 'A'.charCodeAt(0)) return undefined
  return message.toString('utf8', 9, message.indexOf(0, 9))
}
