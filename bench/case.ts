/** One kind of request that is measured. */
export type Case = {
  name: string
  path: () => string
  /** What it is measured against. */
  bare?: () => string
  /** `bare` is an address of the service itself. */
  against?: 'ours'
  method?: 'POST'
  /** What signs ours; a token where nothing is said. */
  signed?: 'session'
  /** How many orders there are, where the body follows from that and the address. */
  orders?: number
  body?: () => unknown
  bareBody?: () => unknown
}

/** A whole number from 1 to so many. */
export const any = (most: number): number => 1 + Math.floor(Math.random() * most)
