import type { FastifyInstance } from 'fastify'
import type { Routes } from '../kit/http/routes.ts'
import { API_VERSION_HEADER } from '../wire.ts'

/** The application, as the demo uses it. */
export type Application = FastifyInstance & { routes: Routes }

/** The body of a response; the demo knows its fields. */
type Body = any

/** Sends requests to the application as accounts of the demo, without a network. */
export class Client {
  readonly #app: Application
  readonly #password: string

  /** @param password password of all accounts */
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

  /** The body of the response. Throws if the request is rejected. */
  async send(method: 'GET' | 'POST' | 'PUT' | 'PATCH', account: string, path: string, body?: object): Promise<Body> {
    const credentials = Buffer.from(`${account}:${this.#password}`).toString('base64')
    const { statusCode, payload } = await this.#app.inject({
      method,
      url: path,
      headers: { authorization: `Basic ${credentials}`, [API_VERSION_HEADER]: '196' },
      payload: body,
    })
    if (statusCode < 300) return JSON.parse(payload)
    throw new Error(`${method} ${path} by ${account} returned ${statusCode} ${payload}; its body was ${JSON.stringify(body)}`)
  }
}
