import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from './testing/service.ts'

const openService = await testService({}, { runsBackgroundWork: false })
const TOKEN = 'what-prometheus-shows'
const guardedService = await testService({ METRICS_TOKEN: TOKEN }, { runsBackgroundWork: false })

const requestMetrics = async (
  { app }: typeof openService,
  probe: { remoteAddress?: string; headers?: Record<string, string> } = {},
) => {
  const { statusCode, headers, payload } = await app.inject({ url: '/metrics', ...probe })
  return { status: statusCode, headers, hasMetrics: payload.includes('http_request_duration_seconds') }
}

describe('GET /metrics', () => {
  it('is available only on this machine', async () => {
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      assert.deepEqual((await requestMetrics(openService, { remoteAddress })).hasMetrics, true, remoteAddress)
    for (const remoteAddress of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1'])
      assert.deepEqual(
        await requestMetrics(openService, { remoteAddress }).then(({ status, hasMetrics }) => [status, hasMetrics]),
        [403, false],
        remoteAddress,
      )
  })

  it('is unavailable through a proxy on this machine, and to pages of other sites', async () => {
    const remoteHeaders: Record<string, string>[] = [
      { 'x-forwarded-for': '192.0.2.1' },
      { forwarded: 'for=192.0.2.1' },
      { host: 'evil.example' },
    ]
    for (const headers of remoteHeaders)
      assert.equal((await requestMetrics(openService, { headers })).status, 403, JSON.stringify(headers))
  })

  it('accepts METRICS_TOKEN, and then nothing else', async () => {
    const probe = (authorization: string, remoteAddress = '192.0.2.1') =>
      requestMetrics(guardedService, { headers: { authorization }, remoteAddress })
    assert.equal((await probe(`Bearer ${TOKEN}`)).hasMetrics, true)
    for (const [authorization, remoteAddress] of [
      [`Bearer ${TOKEN}x`],
      [`Token ${TOKEN}`],
      ['Bearer ', '127.0.0.1'],
      ['', '127.0.0.1'],
    ] as const) {
      const { status, headers, hasMetrics } = await probe(authorization, remoteAddress)
      assert.deepEqual([status, headers['www-authenticate'], hasMetrics], [401, 'Bearer', false], authorization)
    }
  })

  it('does not affect the health checks', async () => {
    for (const url of ['/livez', '/readyz'])
      assert.equal((await guardedService.app.inject({ url, remoteAddress: '192.0.2.1' })).statusCode, 200)
  })
})
