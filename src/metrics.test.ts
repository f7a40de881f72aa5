import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from './testing/service.ts'

const open = await testService({}, { runsBackgroundWork: false })
const TOKEN = 'what-prometheus-shows'
const guarded = await testService({ METRICS_TOKEN: TOKEN }, { runsBackgroundWork: false })

const requestMetrics = async ({ app }: typeof open, probe: { remoteAddress?: string; headers?: Record<string, string> } = {}) => {
  const { statusCode, headers, payload } = await app.inject({ url: '/metrics', ...probe })
  return { status: statusCode, headers, shows: payload.includes('http_request_duration_seconds') }
}

describe('GET /metrics', () => {
  it('is available only on this machine', async () => {
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      assert.deepEqual((await requestMetrics(open, { remoteAddress })).shows, true, remoteAddress)
    for (const remoteAddress of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1'])
      assert.deepEqual(
        await requestMetrics(open, { remoteAddress }).then(({ status, shows }) => [status, shows]),
        [403, false],
        remoteAddress,
      )
  })

  it('is unavailable through a proxy on this machine, and to pages of other sites', async () => {
    const elsewhere: Record<string, string>[] = [
      { 'x-forwarded-for': '192.0.2.1' },
      { forwarded: 'for=192.0.2.1' },
      { host: 'evil.example' },
    ]
    for (const headers of elsewhere) assert.equal((await requestMetrics(open, { headers })).status, 403, JSON.stringify(headers))
  })

  it('accepts METRICS_TOKEN, and then nothing else', async () => {
    const probe = (authorization: string, remoteAddress = '192.0.2.1') =>
      requestMetrics(guarded, { headers: { authorization }, remoteAddress })
    assert.equal((await probe(`Bearer ${TOKEN}`)).shows, true)
    for (const [authorization, remoteAddress] of [
      [`Bearer ${TOKEN}x`],
      [`Token ${TOKEN}`],
      ['Bearer ', '127.0.0.1'],
      ['', '127.0.0.1'],
    ] as const) {
      const { status, headers, shows } = await probe(authorization, remoteAddress)
      assert.deepEqual([status, headers['www-authenticate'], shows], [401, 'Bearer', false], authorization)
    }
  })

  it('does not affect the health checks', async () => {
    for (const url of ['/livez', '/readyz'])
      assert.equal((await guarded.app.inject({ url, remoteAddress: '192.0.2.1' })).statusCode, 200)
  })
})
