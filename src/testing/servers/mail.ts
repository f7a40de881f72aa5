import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { after } from 'node:test'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { TestService } from '../service.ts'
import { until } from '../until.ts'

/** A mail as its reader's program shows it. */
export type ReceivedMail = {
  /** The addresses of the envelope: who really gets it. */
  recipients: string[]
  to: string
  from: string
  subject: string
  text: string
  html: string
  /** The addresses that the reader can follow in the HTML part, without that of the service itself. */
  links: string[]
  /** The secret in the first link. */
  token: string
  /** The headers by their names in lower case. */
  headers: Record<string, string>
  raw: string
}

export type TestMailServer = {
  /** For SMTP_URL. */
  url: string
  /** All mails so far. */
  mails: ReceivedMail[]
  /** The next mail to an address, each once. It is waited for, eight seconds at most. */
  next(address: string): Promise<ReceivedMail>
  /** Lets the next so many mails be refused for the time being, or for good. */
  refuse(times: number, code?: number): void
  /** Takes the next mail and breaks the connection off before saying so. */
  breakOff(): void
  /** Waits until the service has no mail on its way. */
  quiet(service: Pick<TestService, 'rows'>): Promise<void>
  /** Lets mails that wait for a further attempt have it now. */
  hurry(service: TestService): Promise<void>
}

/** Less than it takes until a node looks for work by itself: a mail has to have been announced. */
const MAIL_TIMEOUT_MS = 8_000

/** A real mail server on this machine, for `testService({ SMTP_URL: mail.url })`. It ends with the test file. */
export async function testMailServer(): Promise<TestMailServer> {
  const mails: ReceivedMail[] = []
  const given = new Set<ReceivedMail>()
  let refusals = 0
  let refusal = 451
  let breaks = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo(_address, _session, done) {
      if (refusals === 0) return done()
      refusals--
      done(Object.assign(new Error('not now'), { responseCode: refusal }))
    },
    async onData(stream, session, done) {
      const raw = await readText(stream)
      mails.push(
        await read(
          raw,
          session.envelope.rcptTo.map(({ address }) => address),
        ),
      )
      if (!breaks) return done()
      breaks = false
      for (const connection of server.connections) connection._socket.destroy()
    },
  })
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  after(() => new Promise<void>((resolve) => server.close(resolve)))

  const next = async (address: string): Promise<ReceivedMail> => {
    const find = () => mails.find((mail) => !given.has(mail) && mail.recipients.includes(address))
    await until(find, `no mail came for ${address}`, MAIL_TIMEOUT_MS)
    const found = find() as ReceivedMail
    given.add(found)
    return found
  }
  const quiet = async (service: Pick<TestService, 'rows'>): Promise<void> => {
    const isQuiet = async () => {
      const [row] = await service.rows(
        `select exists (select 1 from pgboss.job where name = 'mail'
           and (state in ('created', 'active') or state = 'retry' and start_after <= now())) as busy`,
      )
      return !row.busy
    }
    await until(isQuiet, 'mails are still on their way', MAIL_TIMEOUT_MS)
  }
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mails,
    next,
    refuse(times, code = 451) {
      refusals = times
      refusal = code
    },
    breakOff() {
      breaks = true
    },
    quiet,
    async hurry(service) {
      await quiet(service)
      await service.rows("update pgboss.job set start_after = now() where name = 'mail' and state = 'retry'")
      service.app.routes.services.jobs.wake('mail')
      await quiet(service)
    },
  }
}

/** Reads a mail as a program of its reader does. */
export async function read(raw: string, recipients: string[] = []): Promise<ReceivedMail> {
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
