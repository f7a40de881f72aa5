import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { pino } from 'pino'
import { loadConfig } from '../../config.ts'
import { parseEmail, startTestMailServer } from '../../testing/servers/mail.ts'
import { testService } from '../../testing/service.ts'
import { createMailTransport, type Deliver, DeliveryError, type Message } from './transport.ts'

const server = await startTestMailServer()
const folder = mkdtempSync(join(tmpdir(), 'stockroom-mail-'))
after(() => rmSync(folder, { recursive: true }))

let logLines: { msg: string }[] = []
beforeEach(() => {
  logLines = []
})
const log = pino({ level: 'trace' }, { write: (line) => void logLines.push(JSON.parse(line)) })
const createDelivery = (environment: Record<string, string>): Deliver =>
  createMailTransport(loadConfig({ DATA_DIR: folder, ...environment }), log)
const neverAborted = new AbortController().signal

const message: Message = {
  id: 'mail.1.1@example.com',
  to: 'zoë@example.com',
  subject: '[Lager Süd] Ein Brief',
  text: 'Grüße\n.\nzeile',
  html: '<p>Grüße</p>',
  link: 'https://example.com/secret-token',
}

const listFiles = () => readdirSync(join(folder, 'outbox'))

describe('without a mail server', () => {
  test('an email is a file that only its owner may read, and its link is in one line of the log', async () => {
    const writtenFile = await createDelivery({})(message, neverAborted)
    const [name, ...others] = listFiles()
    assert.deepEqual(others, [])
    assert.match(name ?? '', /^\d{4}-\d\d-\d\dT[\d-]+Z-[0-9a-f]{16}\.eml$/)
    const file = join(folder, 'outbox', name as string)
    assert.equal(writtenFile, file)
    assert.equal(statSync(join(folder, 'outbox')).mode & 0o777, 0o700)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const mail = await parseEmail(readFileSync(file, 'utf8'))
    assert.deepEqual([mail.to, mail.subject, mail.from], [message.to, message.subject, 'stockroom@localhost'])
    assert.equal(mail.text.trim(), message.text)
    assert.equal(mail.headers['message-id'], '<mail.1.1@example.com>')
    assert.deepEqual(
      logLines.map(({ msg }) => msg),
      [
        `no SMTP_URL is set: the email "${message.subject}" to ${message.to} was written to ${file}; its link: https://example.com/secret-token`,
      ],
    )
  })

  test('an unwritable folder is reported, and leaves nothing behind', async () => {
    writeFileSync(join(folder, 'file'), '')
    await assert.rejects(
      createDelivery({ DATA_DIR: join(folder, 'file') })(message, neverAborted),
      (error: DeliveryError) => error.outcome === 'refused',
    )
  })

  test('a new user follows the link from the file', async () => {
    const service = await testService({ DATA_DIR: folder })
    await service.rows("update user_account set email = 'viewer@example.com' where username = 'viewer'")
    const before = listFiles().length
    await service.anonymous.post('/api/email/generate/', { email: 'viewer@example.com' })
    await server.waitUntilIdle(service)
    assert.equal(listFiles().length, before + 1)
    const mail = await parseEmail(readFileSync(join(folder, 'outbox', listFiles().toSorted().at(-1) as string), 'utf8'))
    assert.match(mail.token, /^[\w-]{43}$/)
    await service.rows(`update user_account set email = 'super@example.com' where username = 'superuser'`)
    const { body } = await service.superuser.post('/api/web/mail/test/')
    await server.waitUntilIdle(service)
    const { state, error } = (await service.superuser.get(`/api/web/mail/${body.pk}/`)).body
    assert.deepEqual([state, error], ['sent', `written to ${join(folder, 'outbox', listFiles().toSorted().at(-1) as string)}`])
    assert.equal((await service.superuser.get('/api/web/mail/?failed=true')).body.count, 0)
  })
})

describe('with a mail server', () => {
  test('an email arrives as written, and is not logged', async () => {
    await createDelivery({ SMTP_URL: server.url })(message, neverAborted)
    const mail = await server.next(message.to)
    assert.equal(mail.subject, message.subject)
    assert.equal(mail.text.trim(), message.text)
    assert.equal(mail.headers['message-id'], '<mail.1.1@example.com>')
    assert.deepEqual(logLines, [])
  })

  test('line breaks in a value do not start a new header', async () => {
    await createDelivery({ SMTP_URL: server.url })(
      {
        ...message,
        to: 'odd@example.com',
        subject: 'One\r\nBcc: evil@example.com\r\n\r\nTwo',
        id: 'x@example.com>\r\nX-Evil: yes',
      },
      neverAborted,
    )
    const mail = await server.next('odd@example.com')
    assert.deepEqual(mail.recipients, ['odd@example.com'])
    assert.deepEqual([mail.headers.bcc, mail.headers['x-evil']], [undefined, undefined])
    assert.ok(!mail.text.includes('Two'))
  })

  test('an address that contains several has one recipient or none', async () => {
    for (const to of [
      'a@example.com, evil@example.com',
      'a@example.com\r\nRCPT TO:<evil@example.com>',
      'Name <evil@example.com>',
    ])
      await createDelivery({ SMTP_URL: server.url })({ ...message, to }, neverAborted).catch(() => undefined)
    assert.deepEqual(
      server.emails.flatMap(({ recipients }) => recipients).filter((recipient) => /^evil@/.test(recipient)),
      [],
    )
  })

  test('the outcome distinguishes temporary from permanent failures and unknown results', async () => {
    const getOutcome = async (deliver: Deliver, signal = neverAborted) => {
      const error = await deliver(message, signal).then(
        () => undefined,
        (reason: DeliveryError) => reason,
      )
      assert.ok(error instanceof DeliveryError)
      return error.outcome
    }
    const deliver = createDelivery({ SMTP_URL: server.url })
    server.rejectNext(1, 451)
    assert.equal(await getOutcome(deliver), 'refused')
    server.rejectNext(1, 550)
    assert.equal(await getOutcome(deliver), 'impossible')
    server.dropConnections()
    assert.equal(await getOutcome(deliver), 'unknown')
    assert.equal(await getOutcome(deliver, AbortSignal.abort()), 'refused', 'aborted before anything was sent')
    assert.equal(await getOutcome(createDelivery({ SMTP_URL: 'smtp://127.0.0.1:1' })), 'refused', 'no server')
    assert.equal(await getOutcome(createDelivery({ SMTP_URL: server.url.replace('smtp:', 'smtps:') })), 'refused', 'no TLS')
  })
})
