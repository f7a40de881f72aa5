import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.ts'

export type { components, operations, paths } from './schema.ts'

/** The objects of the service by their names: `Schemas['PurchaseOrder']`. */
export type Schemas = components['schemas']

/** Every operation of the service: `GET('/api/order/po/', ...)`, `POST(...)` and so on, with its types. */
export type Stockroom = Client<paths>

/** Address of the service and credentials: a token, or name and password; without either, the client is anonymous. */
export type Connection = {
  /** Its address, such as `https://stock.example.com`. */
  url: string
  token?: string
  username?: string
  password?: string
  /** Function that sends the requests; by default the `fetch` of the platform. */
  fetch?: (request: Request) => Promise<Response>
}

/**
 * Creates a client for the service. Its methods return `{ data, error, response }`: `data` is the response body, `error` the error messages
 * by field. They throw only when no response arrives.
 */
export function connect({ url, token, username, password, fetch }: Connection): Stockroom {
  const authorization =
    token !== undefined
      ? `Token ${token}`
      : username !== undefined
        ? `Basic ${base64(`${username}:${password ?? ''}`)}`
        : undefined
  return createClient<paths>({ baseUrl: url, headers: authorization === undefined ? {} : { authorization }, fetch })
}

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

/** The paths of lists: those whose response is an envelope with `results`. */
type ListPath = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: { 'application/json': { results: unknown[] } } } } }
  }
    ? Path
    : never
}[keyof paths]

type Row<Path extends ListPath> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': { results: (infer Item)[] } } } } }
}
  ? Item
  : never

type Query<Path extends ListPath> = paths[Path] extends { get: { parameters: { query?: infer Given } } } ? Given : never

/**
 * Yields the rows of a list one by one, reading page by page.
 * @throws Error when a page is rejected; its `cause` is the response's error
 */
export async function* each<Path extends ListPath>(
  stockroom: Stockroom,
  path: Path,
  query?: Query<Path>,
): AsyncGenerator<Row<Path>> {
  const limit = 250
  for (let offset = 0; ; offset += limit) {
    const request = { params: { query: { ...(query as object), limit, offset } } }
    // only the caller knows the types of the path
    const { data, error } = (await stockroom.GET(path as never, request as never)) as {
      data?: { results: Row<Path>[]; next: string | null }
      error?: unknown
    }
    if (!data) throw new Error(`${path} was refused`, { cause: error })
    yield* data.results
    if (data.next === null) return
  }
}
