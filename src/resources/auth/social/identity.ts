/** Details of an account from a provider in addition to its identity. None of them decides which account here it belongs to. */
export type Profile = {
  /** Candidate names for the account here, the best first. */
  names: readonly string[]
  email: string
  /** The provider vouches that the address is the account's. */
  isVerified: boolean
}

/** A proven account at a provider. It is identified by issuer and subject alone (docs/decisions.md#single-sign-on). */
export type Identity = {
  issuer: string
  subject: string
  /** Requests the details from the provider, needed only for an account that is not linked here yet. */
  profile(): Promise<Profile>
  /** Requests the groups of the account at the provider, which are in this claim; undefined if the provider states no such claim. */
  groups(claim: string): Promise<readonly string[] | undefined>
}

/** Values set when the browser was sent to the provider, against which its response is checked. */
export type Checks = { state: string; nonce: string; verifier: string }

/** Returns the value if it is a string, otherwise an empty string: providers may send anything. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
