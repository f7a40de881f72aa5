import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { makeFolder } from '../../make-folder.ts'

/** An email that is ready to send. */
export type Message = {
  /** The Message-ID, without its brackets. The same at every attempt. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** The URL of the email's link. */
  link: string | undefined
}

/** Sends an email. If it does not throw, the email has been accepted. Returns the file if it was only written to one. */
export type Deliver = (message: Message, signal: AbortSignal) => Promise<string | undefined>

/** The reason why an email was not delivered. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** The result of the attempt: the email was rejected and may be retried, can never be accepted, or may or may not have been accepted. */
  readonly outcome: 'refused' | 'impossible' | 'unknown'

  constructor(outcome: DeliveryError['outcome'], message: string) {
    super(message)
    this.outcome = outcome
  }
}

/** Creates the mail transport: SMTP_URL, or files in DATA_DIR/outbox if it is not set. It is set up with the first email. */
export function createMailTransport(config: Config, log: Logger): Deliver {
  const { smtpUrl, mailFrom } = config
  let delivery: Promise<Deliver> | undefined
  return async (message, signal) => {
    delivery ??= smtpUrl === undefined ? createFileDelivery(config, log) : createSmtpDelivery(smtpUrl, mailFrom)
    return (await delivery)(message, signal)
  }
}

/** Builds a message for nodemailer, which uses the address as it is, without looking for several addresses in it. */
const composeMessage = ({ id, to, subject, text, html }: Message, from: string) => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  messageId: `<${id}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

async function createSmtpTransport(url: string) {
  const { createTransport } = await import('nodemailer')
  const { default: SMTPTransport } = await import('nodemailer/lib/smtp-transport')
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  return createTransport(new SMTPTransport({ ...limits, url }))
}

/**
 * Connects to a mail server and signs in, without sending anything.
 * @throws the error of the connection or of the server
 */
export async function tryMailServer(url: string): Promise<void> {
  await (await createSmtpTransport(url)).verify()
}

async function createSmtpDelivery(url: string, from: string): Promise<Deliver> {
  const transport = await createSmtpTransport(url)
  const bodiesRead = new WeakSet<object>()
  // The text is read once the server has agreed to accept it. An attempt that breaks off after that may have been accepted.
  transport.use('stream', (mail, done) => {
    const text = mail.message.createReadStream()
    async function* read() {
      bodiesRead.add(mail.data.headers as object)
      yield* text
    }
    mail.message.createReadStream = () =>
      Readable.from(read(), { objectMode: false }) as ReturnType<typeof mail.message.createReadStream>
    done()
  })
  return async (message, signal) => {
    const content = composeMessage(message, from)
    try {
      await transport.sendMail({ ...content, signal })
    } catch (error) {
      const { message: reason, responseCode, command = '' } = error as SmtpError
      const isFinal = responseCode !== undefined && responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command)
      const isUnknown = responseCode === undefined && bodiesRead.has(content.headers)
      throw new DeliveryError(isFinal ? 'impossible' : isUnknown ? 'unknown' : 'refused', reason)
    }
    return undefined
  }
}

type SmtpError = Error & { responseCode?: number; command?: string }

/** Without a mail server, emails are files that any mail program opens, and their links are logged. */
async function createFileDelivery({ dataDir, mailFrom }: Config, log: Logger): Promise<Deliver> {
  const { createTransport } = await import('nodemailer')
  const folder = join(dataDir, 'outbox')
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return async (message) => {
    const { message: content } = await writer.sendMail(composeMessage(message, mailFrom))
    const timestamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
    const file = join(folder, `${timestamp}-${randomBytes(8).toString('hex')}.eml`)
    const draft = `${file}.part`
    try {
      makeFolder(folder, 0o700)
      await writeFile(draft, content as Buffer, { mode: 0o600, flag: 'wx', flush: true })
      // a reader finds the complete file or none
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined)
      throw new DeliveryError('refused', (error as Error).message)
    }
    const link = message.link ? `; its link: ${message.link}` : ''
    log.info(`no SMTP_URL is set: the email "${message.subject}" to ${message.to} was written to ${file}${link}`)
    return file
  }
}
