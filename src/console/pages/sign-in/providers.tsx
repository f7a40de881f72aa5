import { t } from '../../kit/language/language.ts'
import { routeLocation } from '../../kit/navigation/router.ts'
import { get, withQuery } from '../../kit/service/api.ts'

/** A provider for single sign-on: `login` and `connect` are the URLs that sign in, and link an account. */
export type Provider = { id: string; name: string; configured: boolean; login: string | null; connect: string | null }

/** The ways to sign in, as returned by `/api/auth/providers/`. */
export type SignInMethods = {
  sso_enabled: boolean
  password_forgotten_enabled: boolean
  providers: Provider[]
}

/** Loads the ways to sign in: in one wire form they are a list of one. @throws ApiError */
export async function loadSignInMethods(): Promise<SignInMethods | undefined> {
  const { body } = await get<SignInMethods | { results: [SignInMethods] }>('/api/auth/providers/')
  return 'results' in body ? body.results[0] : body
}

/** Adds the current page to the URL of a provider, which returns there. */
export function withReturn(url: string): string {
  const { path, query } = routeLocation.value
  const queryText = query.toString()
  return withQuery(url, { next: path + (queryText ? `?${queryText}` : '') })
}

/** The buttons for single sign-on: links to the service, which redirects to the provider and back to this page. */
export function Providers({ providers }: { providers: readonly Provider[] }) {
  const configuredProviders = providers.filter(({ configured, login }) => configured && login)
  return (
    <div class="providers">
      {configuredProviders.map(({ id, name, login }) => (
        <a key={id} class="button" href={withReturn(login as string)}>
          {t('sign-in.with', { provider: name })}
        </a>
      ))}
    </div>
  )
}
