import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { after } from 'node:test'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { TestService } from '../service.ts'
import { waitUntil } from '../until.ts'

/** An email as displayed by a mail client. */
export type ReceivedEmail = {
  /** Addresses of the envelope: the actual recipients. */
  recipients: string[]
  to: string
  from: string
  subject: string
  text: string
  html: string
  /** URLs of the links in the HTML part, except for that of the service itself. */
  links: string[]
  /** The secret in the first link. */
  token: string
  /** Headers by their names in lower case. */
  headers: Record<string, string>
  raw: string
}

export type TestMailServer = {
  /** Value for SMTP_URL. */
  url: string
  /** All received emails. */
  emails: ReceivedEmail[]
  /** Returns the next email to an address, each one once. Waits for it, eight seconds at most. */
  next(address: string): Promise<ReceivedEmail>
  /** Rejects the next emails, temporarily or permanently. */
  rejectNext(times: number, code?: number): void
  /** Accepts the next email and breaks the connection before confirming it. */
  dropConnections(): void
  /** Waits until the service has no email in its queue. */
  waitUntilIdle(service: Pick<TestService, 'rows'>): Promise<void>
  /** Retries emails that wait for their next attempt immediately. */
  retryNow(service: TestService): Promise<void>
}

/** Shorter than a node's polling interval, so that only a mail job that was announced by a notification arrives in time. */
const MAIL_TIMEOUT_MS = 8_000

/** Starts a real mail server on this machine, for `testService({ SMTP_URL: mail.url })`. It ends with the test file. */
export async function startTestMailServer(): Promise<TestMailServer> {
  const emails: ReceivedEmail[] = []
  const returnedEmails = new Set<ReceivedEmail>()
  let remainingRejections = 0
  let rejectionCode = 451
  let dropsConnection = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo(_address, _session, done) {
      if (remainingRejections === 0) return done()
      remainingRejections--
      done(Object.assign(new Error('not now'), { responseCode: rejectionCode }))
    },
    async onData(stream, session, done) {
      const raw = await readText(stream)
      emails.push(
        await parseEmail(
          raw,
          session.envelope.rcptTo.map(({ address }) => address),
        ),
      )
      if (!dropsConnection) return done()
      dropsConnection = false
      for (const connection of server.connections) connection._socket.destroy()
    },
  })
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  after(() => new Promise<void>((resolve) => server.close(resolve)))

  const next = async (address: string): Promise<ReceivedEmail> => {
    const find = () => emails.find((email) => !returnedEmails.has(email) && email.recipients.includes(address))
    await waitUntil(find, `no email arrived for ${address}`, MAIL_TIMEOUT_MS)
    const received = find() as ReceivedEmail
    returnedEmails.add(received)
    return received
  }
  const waitUntilIdle = async (service: Pick<TestService, 'rows'>): Promise<void> => {
    const isIdle = async () => {
      const [row] = await service.rows(
        `select exists (select 1 from pgboss.job where name = 'mail'
           and (state in ('created', 'active') or state = 'retry' and start_after <= now())) as busy`,
      )
      return !row.busy
    }
    await waitUntil(isIdle, 'emails are still queued', MAIL_TIMEOUT_MS)
  }
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    emails,
    next,
    rejectNext(times, code = 451) {
      remainingRejections = times
      rejectionCode = code
    },
    dropConnections() {
      dropsConnection = true
    },
    waitUntilIdle,
    async retryNow(service) {
      await waitUntilIdle(service)
      await service.rows("update pgboss.job set start_after = now() where name = 'mail' and state = 'retry'")
      service.app.routes.services.jobs.wake('mail')
      await waitUntilIdle(service)
    },
  }
}

/** Parses an email, like a mail client. */
export async function parseEmail(raw: string, recipients: string[] = []): Promise<ReceivedEmail> {
  const { to, from, subject, text, html, headers } = await PostalMime.parse(raw)
  const links = [...(html ?? '').matchAll(/href="([^"]+)"/g)].map(([, link]) => (link as string).replaceAll('&amp;', '&'))
  const token = /token=([\w-]+)|confirm-email\/([\w-]+)\//.exec(links[0] ?? '')
  return {
    recipients,
    to: to?.map(({ address }) => address).join(', ') ?? '',
    from: from?.address ?? '',
    subject: subject ?? '',
    text: text ?? '',
    html: html ?? '',
    links: links.slice(0, -1),
    token: token?.[1] ?? token?.[2] ?? '',
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    raw,
  }
}
