import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import type { TestService } from './service.ts'

/** An unparsed response. */
export type RawResponse = { status: number; headers: Record<string, string>; body: string }

/** A connection to the service, for requests that a client library cannot send. */
export class RawConnection {
  readonly socket: Socket
  #received = ''

  constructor({ app }: Pick<TestService, 'app'>, localAddress?: string) {
    const { port } = app.server.address() as AddressInfo
    this.socket = connect({ port, host: '127.0.0.1', localAddress })
    this.socket.on('data', (chunk) => {
      this.#received += chunk
    })
    // tests expect the connection to break
    this.socket.on('error', () => {})
  }

  send(text: string): this {
    this.socket.write(text)
    return this
  }

  /** Returns the next response; undefined when the connection was closed without one. */
  async readResponse(): Promise<RawResponse | undefined> {
    for (;;) {
      const response = this.#takeResponse()
      if (response) return response
      if (this.socket.closed) return undefined
      await Promise.race([this.#next('data'), this.#next('close')])
    }
  }

  /** Waits until the other side has closed the connection. */
  async waitForClose(): Promise<void> {
    if (!this.socket.closed) await this.#next('close')
  }

  #next(event: 'data' | 'close'): Promise<void> {
    return new Promise((done) => this.socket.once(event, () => done()))
  }

  #takeResponse(): RawResponse | undefined {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [first = '', ...lines] = this.#received.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const body = this.#received.slice(end + 4, end + 4 + Number(headers['content-length'] ?? 0))
    if (body.length < Number(headers['content-length'] ?? 0)) return undefined
    this.#received = this.#received.slice(end + 4 + body.length)
    return { status: Number(first.split(' ')[1]), headers, body }
  }
}

/** Sends a string unchanged, and returns the response. */
export async function sendRaw(service: Pick<TestService, 'app'>, text: string): Promise<RawResponse | undefined> {
  const connection = new RawConnection(service)
  try {
    return await connection.send(text).readResponse()
  } finally {
    connection.socket.destroy()
  }
}
