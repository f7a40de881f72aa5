import { Reply } from '../../../kit/definition/action.ts'
import type { Services } from '../../../kit/services/services.ts'

/** Why a sign-in at a provider came to nothing, as the page of the service is told in `sso_error`. docs/accounts.md explains each. */
export type RefusalCode =
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

/** A sign-in at a provider that goes no further. Thrown anywhere below its operations; the browser is led back with the code. */
export class Refusal extends Error {
  readonly code: RefusalCode
  /** For the log: what the provider or the library said. */
  readonly reason: string | undefined
  /** The account that was not let in, where there is one. */
  readonly user: number | undefined

  constructor(code: RefusalCode, reason?: string, user?: number) {
    super(code)
    this.code = code
    this.reason = reason
    this.user = user
  }
}

/** Leads the browser on. */
export const redirect = (location: string): Reply => new Reply(302, undefined, { location })

/** Does one step of a sign-in; where it is refused, the browser is led back to the page of the service, which is told no more than why. */
export async function ledBack({ config, log }: Services, provider: string, step: () => Promise<Reply>): Promise<Reply> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, reason } = error
    if (reason !== undefined) log.warn({ provider, code, reason }, 'a sign-in with a provider failed')
    return redirect(`${config.siteUrl}/?sso_error=${code}`)
  }
}
