/** A kind of request that is measured. */
export type Case = {
  name: string
  path: () => string
  /** The address that it is measured against. */
  bare?: () => string
  /** `bare` is an address of the service itself. */
  against?: 'ours'
  method?: 'POST'
  /** Authentication of requests to our service; a token by default. */
  signed?: 'session'
  /** Number of orders, where the body follows from that and the address. */
  orders?: number
  body?: () => unknown
  bareBody?: () => unknown
}

/** A random whole number from 1 to `most`. */
export const any = (max: number): number => 1 + Math.floor(Math.random() * max)
