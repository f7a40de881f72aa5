import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, CALLERS, testService } from '../../../testing/service.ts'

const server = await startTestMailServer()
const service = await testService({ SMTP_URL: server.url, SIGN_IN_RATE: '40' })
const PATH = '/api/email/generate/'

await service.rows("update user_account set email = username || '@example.com'")

describe('POST /api/email/generate/', () => {
  test('emails a link that signs in', async () => {
    const response = await service.anonymous.post(PATH, { email: 'Viewer@Example.com' })
    assert.deepEqual([response.status, response.body], [200, { status: 'ok' }])
    const mail = await server.next('viewer@example.com')
    assert.match(mail.links[0] ?? '', /\/api\/email\/login\/\?token=[\w-]{43}$/)
  })

  test('returns the same for an address without an account, does the same work, and sends nothing', async () => {
    const before = server.emails.length
    const existing = await service.anonymous.post(PATH, { email: 'member@example.com' })
    const unknown = await service.anonymous.post(PATH, { email: 'anonymous@example.com' })
    assert.deepEqual([unknown.status, unknown.text], [existing.status, existing.text])
    const rows = await service.rows(
      `select "user", address from outgoing_mail where address in ('member@example.com', 'anonymous@example.com') and "user" is null order by address`,
    )
    assert.deepEqual(
      rows.map(({ address }) => address),
      ['anonymous@example.com', 'member@example.com'],
    )
    await server.waitUntilIdle(service)
    assert.deepEqual(
      server.emails.slice(before).map(({ to }) => to),
      ['member@example.com'],
    )
  })

  test('returns the same when requested again too soon, and sends nothing', async () => {
    await service.anonymous.post(PATH, { email: 'staff@example.com' })
    assert.equal((await service.anonymous.post(PATH, { email: 'STAFF@example.com' })).status, 200)
    await server.waitUntilIdle(service)
    assert.equal(server.emails.filter(({ to }) => to === 'staff@example.com').length, 1)
  })

  test('rejects an invalid address, and sends nothing', async () => {
    const before = await service.rows('select pk from outgoing_mail order by pk')
    for (const [body, text] of [
      [{}, 'This field is required.'],
      [{ email: null }, 'This field may not be null.'],
      [{ email: '' }, 'This field may not be blank.'],
      [{ email: 'nobody' }, 'Enter a valid email address.'],
      [{ email: 'a@example.com\r\nBcc: evil@example.com' }, 'Enter a valid email address.'],
    ] as const) {
      const response = await service.anonymous.post(PATH, body)
      assert.deepEqual([response.status, response.body], [400, { email: [text] }])
    }
    assert.equal((await service.anonymous.post(PATH, [])).status, 400)
    assert.deepEqual(await service.rows('select pk from outgoing_mail order by pk'), before)
  })

  test('is open to everyone', async () => {
    await assertCallers(service, (client) => client.post(PATH, { email: 'nobody@example.com' }), CALLERS)
  })

  test('is throttled by client address', async () => {
    let response = await service.anonymous.post(PATH, { email: 'many@example.com' })
    for (let attempt = 0; attempt < 40 && response.status !== 429; attempt++)
      response = await service.anonymous.post(PATH, { email: `many${attempt}@example.com` })
    assert.equal(response.status, 429)
    assert.ok(Number(response.headers['retry-after']) > 0)
  })
})
