import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { buildProxyUrl, dial, Messages } from './database-proxy.ts'

/**
 * Assignment of a free session to a transaction: the one that was released first, or last; or, while it is free, the session that the
 * client opened, so that the client notices no change.
 */
export type Assignment = 'first' | 'last' | 'own'

type Session = { socket: Socket; client: Client | undefined }
type Client = { socket: Socket; session: Session | undefined; own: Session; queuedMessages: Buffer[] }

/**
 * Emulates a pooler in transaction mode on loopback: every PostgreSQL session that a client opens is shared after each transaction.
 * Messages in an unassigned session, such as a notification, are lost. It ends with the test file.
 * @param options.rejectsTransactions statement mode: a session is shared after each statement
 * @returns the URL of the database through the pooler
 */
export async function startTransactionPooler(
  databaseUrl: string,
  { assignment, rejectsTransactions = false }: { assignment: Assignment; rejectsTransactions?: boolean },
): Promise<string> {
  const sockets = new Set<Socket>()
  const freeSessions: Session[] = []
  const queue: Client[] = []

  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const takeSession = (client: Client): Session | undefined => {
    if (assignment === 'own' && freeSessions.includes(client.own))
      return freeSessions.splice(freeSessions.indexOf(client.own), 1)[0]
    return assignment === 'first' ? freeSessions.shift() : freeSessions.pop()
  }
  const serve = () => {
    for (let client = queue[0]; client && freeSessions.length > 0; client = queue[0]) {
      queue.shift()
      const session = takeSession(client) as Session
      session.client = client
      client.session = session
      for (const message of client.queuedMessages.splice(0)) session.socket.write(message)
    }
  }
  const releaseSession = (session: Session) => {
    if (session.client) session.client.session = undefined
    session.client = undefined
    freeSessions.push(session)
    serve()
  }

  const server = createServer({ noDelay: true }, (socket) => {
    const session: Session = { socket: dial(databaseUrl), client: undefined }
    const client: Client = { socket, session, own: session, queuedMessages: [] }
    session.client = client
    track(socket)
    track(session.socket)
    const responses = new Messages()
    session.socket.on('data', (data) => {
      for (const message of responses.read(data)) {
        const holder = session.client
        // ReadyForQuery, with I when no transaction is open
        const isReady = message[0] === 'Z'.charCodeAt(0)
        const isIdle = isReady && message[5] === 'I'.charCodeAt(0)
        if (isReady && !isIdle && rejectsTransactions) holder?.socket.end(createFatalError(NO_TRANSACTIONS))
        else holder?.socket.write(message)
        if (holder && isIdle) releaseSession(session)
      }
    })
    // the first message has no letter: it opens the session, and is passed on unchanged
    let isOpening = true
    const requests = new Messages()
    socket.on('data', (data) => {
      const messages = isOpening ? [data] : requests.read(data)
      isOpening = false
      for (const message of messages) {
        if (message[0] === 'X'.charCodeAt(0)) return socket.end()
        if (client.session) client.session.socket.write(message)
        else {
          client.queuedMessages.push(message)
          if (!queue.includes(client)) queue.push(client)
        }
      }
      serve()
    })
    // an open transaction ends with the session
    socket.on('close', () => client.session?.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return buildProxyUrl(databaseUrl, (server.address() as AddressInfo).port)
}

const NO_TRANSACTIONS = 'transaction blocks not allowed in statement pooling mode'

/** Returns an ErrorResponse that ends a connection. */
function createFatalError(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
