/** What a provider tells of an account besides who it is. Nothing in it decides whose account that is here. */
export type Profile = {
  /** Names that the account might have here, the best first. */
  names: readonly string[]
  email: string
  /** The provider vouches that the address is the account's. */
  isVerified: boolean
}

/** An account at a provider, proven. It is known by issuer and subject alone (decision 38). */
export type Identity = {
  issuer: string
  subject: string
  /** Asks the provider for the rest, which only an account that is not known here yet needs. */
  profile(): Promise<Profile>
}

/** What was agreed upon when the browser was sent to the provider, against which its answer is checked. */
export type Checks = { state: string; nonce: string; verifier: string }

/** The value if it is a text, else an empty one: providers send what they like. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
