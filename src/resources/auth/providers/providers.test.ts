import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, CALLERS, testService } from '../../../testing/service.ts'

const environment = {
  SITE_URL: 'https://stock.example/stock',
  ALLOWED_HOSTS: 'localhost',
  SSO_PROVIDERS: JSON.stringify([
    { id: 'works', name: 'Works', issuer: 'https://id.works.example', client_id: 'stock', client_secret: 'hunter2' },
    { id: 'google', preset: 'google' },
  ]),
}
const service = await testService(environment)
const inventreeService = await testService({ ...environment, WIRE_FORM: 'inventree' })
const PATH = '/api/auth/providers/'

const createProvider = (id: string, name: string, configured: boolean, missingUrl: string | null = '') => ({
  id,
  name,
  configured,
  login: configured ? `https://stock.example/stock/api/auth/social/${id}/login/` : missingUrl,
  connect: configured ? `https://stock.example/stock/api/auth/social/${id}/connect/` : missingUrl,
  display_name: name,
})
const defaults = {
  sso_enabled: false,
  sso_registration: false,
  mfa_required: false,
  registration_enabled: true,
  password_forgotten_enabled: true,
}

describe('GET /api/auth/providers/', () => {
  it('returns a list of one object, without secrets', async () => {
    const { status, body, text } = await service.anonymous.get(PATH)
    assert.equal(status, 200)
    const providers = [createProvider('works', 'Works', true), createProvider('google', 'Google', false)]
    assert.deepEqual(body, { count: 1, next: null, previous: null, results: [{ ...defaults, providers }] })
    assert.doesNotMatch(text, /hunter2|id\.works/)
  })

  it('returns the object itself with WIRE_FORM=inventree, and null for a missing address', async () => {
    const response = await inventreeService.app.inject({ url: PATH })
    const providers = [createProvider('works', 'Works', true), createProvider('google', 'Google', false, null)]
    assert.deepEqual(response.json(), { ...defaults, providers })
  })

  it('lists no provider by default', async () => {
    const { body } = await (await testService()).anonymous.get(PATH)
    assert.deepEqual(body.results, [{ ...defaults, providers: [] }])
  })

  it('returns an empty page after the first', async () => {
    const { body } = await service.anonymous.get(`${PATH}?limit=1&offset=1`)
    assert.deepEqual([body.count, body.results], [1, []])
    assert.match(body.previous, /limit=1$/)
  })

  it('reflects the settings', async () => {
    // the last one locks out every account without a second factor
    const keys = {
      LOGIN_ENABLE_SSO: 'sso_enabled',
      LOGIN_ENABLE_SSO_REG: 'sso_registration',
      LOGIN_ENABLE_REG: 'registration_enabled',
      LOGIN_ENABLE_PWD_FORGOT: 'password_forgotten_enabled',
      LOGIN_ENFORCE_MFA: 'mfa_required',
    } as const
    for (const [key, name] of Object.entries(keys) as [string, keyof typeof defaults][]) {
      const value = !defaults[name]
      assert.equal((await service.superuser.patch(`/api/settings/global/${key}/`, { value })).status, 200)
      const { body } = await service.anonymous.get(PATH)
      const { providers, ...flags } = body.results[0]
      assert.equal(flags[name], value, key)
    }
  })

  it('is available to everyone', () => assertCallers(service, (client) => client.get(PATH), CALLERS))
})
