import { Reply } from '../../../kit/definition/action.ts'
import type { Services } from '../../../kit/services/services.ts'

/** Reason why a sign-in at a provider failed, passed to the service's page in `sso_error`. docs/guides/accounts.md explains each. */
export type SignInErrorCode =
  | 'disabled'
  | 'not_configured'
  | 'provider_unavailable'
  | 'denied'
  | 'invalid_answer'
  | 'expired'
  | 'cross_site'
  | 'not_signed_in'
  | 'inactive'
  | 'registration_closed'
  | 'address_missing'
  | 'address_refused'
  | 'address_taken'
  | 'already_linked'

/** A failed sign-in at a provider. Thrown anywhere below its operations; the browser is redirected back with the code. */
export class SignInError extends Error {
  readonly code: SignInErrorCode
  /** For the log: the error of the provider or the library. */
  readonly reason: string | undefined
  /** The account that was rejected, if there is one. */
  readonly user: number | undefined

  constructor(code: SignInErrorCode, reason?: string, user?: number) {
    super(code)
    this.code = code
    this.reason = reason
    this.user = user
  }
}

/** Redirects the browser. */
export const redirect = (location: string): Reply => new Reply(302, undefined, { location })

/** Runs one step of a sign-in; on an error the browser is redirected to the page of the service, with nothing but the reason. */
export async function redirectOnError({ config, log }: Services, provider: string, step: () => Promise<Reply>): Promise<Reply> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    const { code, reason } = error
    if (reason !== undefined) log.warn({ provider, code, reason }, 'a sign-in with a provider failed')
    return redirect(`${config.siteUrl}/?sso_error=${code}`)
  }
}
