import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { testService } from './testing/service.ts'

const { app, anonymous } = await testService()

describe('GET /api-doc/', () => {
  it('lets the page run only its own scripts, and send requests only to this service', async () => {
    const { statusCode, headers, payload } = await app.inject('/api-doc/')
    assert.equal(statusCode, 200)
    const policy = String(headers['content-security-policy'])
    const script = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(payload)?.[1] as string
    assert.ok(policy.includes(`'sha256-${createHash('sha256').update(script).digest('base64')}'`), policy)
    const directives = Object.fromEntries(policy.split('; ').map((entry) => entry.split(/ (.*)/)))
    assert.equal(directives['default-src'], "'none'")
    assert.equal(directives['connect-src'], "'self'")
    assert.doesNotMatch(directives['script-src'], /unsafe/)
  })

  it('hides the commercial features of Scalar', async () => {
    const { payload } = await app.inject('/api-doc/')
    const configuration = JSON.parse(/createApiReference\('#app', (\{[\s\S]*\})\)/.exec(payload)?.[1] as string)
    assert.deepEqual(
      [
        configuration.agent,
        configuration.mcp,
        configuration.hideClientButton,
        configuration.showDeveloperTools,
        configuration.telemetry,
      ],
      [{ disabled: true }, { disabled: true }, true, 'never', false],
    )
  })
})

describe('GET /api/schema/', () => {
  it('returns the OpenAPI document to every caller', async () => {
    const { status, body } = await anonymous.get('/api/schema/')
    assert.equal(status, 200)
    assert.equal(body.openapi, '3.1.0')
  })
})
