import { createHash, randomBytes } from 'node:crypto'
import { after } from 'node:test'
import Fastify from 'fastify'

export type GithubAccount = {
  id: number
  login: string
  emails: { email: string; primary: boolean; verified: boolean }[]
}

export type TestGithub = {
  /** Its base URL; for the `issuer` of SSO_PROVIDERS. */
  base: string
  clientId: string
  clientSecret: string
  /** The account that the next visitor is signed in with. */
  currentAccount: GithubAccount
  /** The issuer in its responses; by default that of GitHub. */
  issuer: string
  /** The scopes that a user grants at sign-in. */
  grantedScopes: string[]
  /** Error status that its API returns, to simulate failures; undefined for none. */
  failureStatus: number | undefined
}

/**
 * Starts a plain OAuth 2 server on this machine, with the URLs and behavior of a GitHub Enterprise Server: errors of its token endpoint
 * have status 200, there is no signed token, and its API identifies the user. It ends with the test file.
 */
export async function startTestGithub(redirectUri: string, account: GithubAccount): Promise<TestGithub> {
  const app = Fastify()
  const codes = new Map<string, { account: GithubAccount; challenge: string }>()
  const tokens = new Map<string, { account: GithubAccount; scopes: string[] }>()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
  type Values = { Querystring: Record<string, string>; Body: Record<string, string> }

  app.get<Values>('/login/oauth/authorize', (request, reply) => {
    const { client_id, redirect_uri, state = '', code_challenge = '', code_challenge_method } = request.query
    if (client_id !== github.clientId || redirect_uri !== redirectUri || code_challenge_method !== 'S256')
      return reply.code(400).send()
    const code = randomBytes(10).toString('hex')
    codes.set(code, { account: github.currentAccount, challenge: code_challenge })
    const parameters = new URLSearchParams({ code, state, iss: github.issuer })
    return reply.redirect(`${redirectUri}?${parameters}`)
  })

  app.post<Values>('/login/oauth/access_token', (request) => {
    const { client_id, client_secret, code = '', code_verifier = '', redirect_uri } = request.body
    if (client_id !== github.clientId || client_secret !== github.clientSecret) return { error: 'incorrect_client_credentials' }
    const grant = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256').update(code_verifier).digest('base64url')
    if (grant?.challenge !== challenge || redirect_uri !== redirectUri) return { error: 'bad_verification_code' }
    const token = `gho_${randomBytes(10).toString('hex')}`
    tokens.set(token, { account: grant.account, scopes: github.grantedScopes })
    return { access_token: token, scope: github.grantedScopes.join(','), token_type: 'bearer' }
  })

  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/') && github.failureStatus) await reply.code(github.failureStatus).send({ message: 'no' })
  })
  const findToken = (authorization = '') => tokens.get(authorization.replace(/^Bearer /, ''))
  app.get('/api/v3/user', (request, reply) => {
    const token = findToken(request.headers.authorization)
    if (!token) return reply.code(401).send({ message: 'Bad credentials' })
    const { id, login } = token.account
    return { id, login, email: 'shown@works.example' }
  })
  app.get('/api/v3/user/emails', (request, reply) => {
    const token = findToken(request.headers.authorization)
    if (!token?.scopes.includes('user:email')) return reply.code(404).send({ message: 'Not Found' })
    return token.account.emails
  })

  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  const github: TestGithub = {
    base,
    clientId: 'stockroom',
    clientSecret: 'a secret between stockroom and github',
    currentAccount: account,
    issuer: `${base}/login/oauth`,
    grantedScopes: ['read:user', 'user:email'],
    failureStatus: undefined,
  }
  return github
}
