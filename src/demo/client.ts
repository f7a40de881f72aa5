import type { FastifyInstance } from 'fastify'
import type { Routes } from '../kit/http/routes.ts'

/** The application, as the demo asks it. */
export type Application = FastifyInstance & { routes: Routes }

/** What the demo reads out of answers; it knows which fields its requests bring. */
type Body = any

/** Sends requests to the application as accounts of the demo, without a network between. */
export class Client {
  readonly #app: Application
  readonly #password: string

  /** @param password of every account */
  constructor(app: Application, password: string) {
    this.#app = app
    this.#password = password
  }

  /** The rows of a list. */
  async list(account: string, path: string, query: Record<string, string | number | boolean> = {}): Promise<Body[]> {
    const parameters = new URLSearchParams({ ...query, limit: 1000 } as unknown as Record<string, string>)
    return (await this.send('GET', account, `${path}?${parameters}`)).results
  }

  post(account: string, path: string, body: object = {}): Promise<Body> {
    return this.send('POST', account, path, body)
  }

  patch(account: string, path: string, body: object): Promise<Body> {
    return this.send('PATCH', account, path, body)
  }

  /** The answer's body. Throws when the request is refused. */
  async send(method: 'GET' | 'POST' | 'PUT' | 'PATCH', account: string, path: string, body?: object): Promise<Body> {
    const credentials = Buffer.from(`${account}:${this.#password}`).toString('base64')
    const { statusCode, payload } = await this.#app.inject({
      method,
      url: path,
      headers: { authorization: `Basic ${credentials}` },
      payload: body,
    })
    if (statusCode < 300) return JSON.parse(payload)
    throw new Error(`${method} ${path} by ${account} returned ${statusCode} ${payload}; its body was ${JSON.stringify(body)}`)
  }
}
