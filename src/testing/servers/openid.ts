import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { type Configuration, Provider } from 'oidc-provider'

/** Claims of the provider about an account. */
export type Claims = {
  sub: string
  email?: string
  email_verified?: boolean
  preferred_username?: string
  [claim: string]: unknown
}

export type TestOpenidProvider = {
  /** Its issuer name; for SSO_PROVIDERS. */
  issuer: string
  /** Its URL, which equals the issuer except in tests of issuer names. */
  origin: string
  clientId: string
  clientSecret: string
  /** Its accounts by subject. */
  accounts: Map<string, Claims>
  /** The subject of the account that visitors are signed in with; if undefined, they deny access. */
  current: string | undefined
  /** Creates an account with a verified address, which becomes `current`. Returns the subject. */
  createPerson(claims?: Partial<Claims>): string
  /** Replaces the JSON response of a path from now on. */
  replace(path: string, response: unknown): void
  restore(): void
  /** Requested paths so far. */
  requestedPaths: string[]
  /** Issued tokens so far. */
  tokens: string[]
  /** Stops responding until `restart` is called. */
  stop(): Promise<void>
  restart(): Promise<void>
}

const CLIENT = { clientId: 'stockroom', clientSecret: 'a secret between stockroom and the provider' }

/** Shared by all providers, so that subjects differ between them unless a test makes them equal. */
let personCount = 0

/**
 * Starts a real OpenID provider on this machine. It shows no pages: every visitor counts as signed in to the account `current`. It ends
 * with the test file.
 * @param options.redirectUris permitted redirect URLs
 * @param options.issuer its issuer name, if that differs from its URL
 */
export async function startTestOpenidProvider(options: {
  redirectUris: string[]
  issuer?: string
  client?: Record<string, unknown>
  configuration?: Configuration
}): Promise<TestOpenidProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void
  const server = createServer((request, response) => handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const issuer = options.issuer ?? origin

  const accounts = new Map<string, Claims>()
  const replacements = new Map<string, unknown>()
  const requestedPaths: string[] = []
  const tokens: string[] = []
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: options.redirectUris,
        token_endpoint_auth_method: 'client_secret_post',
        ...options.client,
      },
    ],
    features: { devInteractions: { enabled: false } },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name', 'nickname', 'groups'],
      email: ['email', 'email_verified'],
    },
    pkce: { required: () => true },
    cookies: { keys: ['keys of the provider in tests'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => accounts.get(sub) ?? { sub } }),
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
    ...options.configuration,
  })
  const result: TestOpenidProvider = {
    ...CLIENT,
    issuer,
    origin,
    accounts,
    current: undefined,
    createPerson(claims = {}) {
      const sub = `person-${++personCount}`
      accounts.set(sub, { preferred_username: sub, email: `${sub}@works.example`, email_verified: true, ...claims, sub })
      result.current = sub
      return sub
    },
    replace: (path, response) => void replacements.set(path, response),
    restore: () => replacements.clear(),
    requestedPaths,
    tokens,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    async restart() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }

  provider.on('grant.success', ({ body }) => {
    const { access_token, id_token } = body as Record<string, string>
    tokens.push(access_token as string, id_token as string)
  })

  /** Signs in the current account, and consents to everything, like a person on the provider's pages. */
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (result.current === undefined) {
      await provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'they refused' })
      return
    }
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: result.current, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { login: { accountId: result.current }, consent })
  }

  const callback = provider.callback()
  handle = async (request, response) => {
    const path = new URL(request.url ?? '/', origin).pathname
    // every visit starts without a session at the provider
    if (path.endsWith('/auth')) request.headers.cookie = ''
    if (replacements.has(path)) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(replacements.get(path)))
      return
    }
    requestedPaths.push(path)
    try {
      if (path.startsWith('/interaction/')) await interact(request, response)
      else callback(request, response)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return result
}
