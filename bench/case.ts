/** A kind of request that is measured. */
export type Case = {
  name: string
  path: () => string
  /** The route of `bare.ts` that it is compared with. */
  bare?: () => string
  /** `ours`: `bare` is a path of the service itself. */
  against?: 'ours'
  method?: 'POST'
  /** Authentication of requests to our service; a token by default. */
  authentication?: 'session'
  /** Number of orders, where the body is derived from that and from the path. */
  orders?: number
  body?: () => unknown
  bareBody?: () => unknown
}

/** Returns a random integer from 1 to `max`. */
export const randomUpTo = (max: number): number => 1 + Math.floor(Math.random() * max)
