import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { makeFolder } from '../make-folder.ts'

/** A mail that is ready to leave. */
export type Message = {
  /** The Message-ID, without its brackets. The same at every attempt. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** What its reader may follow. */
  link: string | undefined
}

/** Brings a mail on its way. When it does not throw, the mail has been taken over. */
export type Deliver = (message: Message, signal: AbortSignal) => Promise<void>

/** Why a mail was not delivered. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** What is known: it was not taken and may be tried again, it will never be taken, or nobody knows whether it was. */
  readonly outcome: 'refused' | 'impossible' | 'unknown'

  constructor(outcome: DeliveryError['outcome'], message: string) {
    super(message)
    this.outcome = outcome
  }
}

/** The way mails leave: by SMTP_URL, or as files into DATA_DIR/outbox when there is none. It is made when the first one leaves. */
export function mailTransport(config: Config, log: Logger): Deliver {
  const { smtpUrl, mailFrom } = config
  let way: Promise<Deliver> | undefined
  return async (message, signal) => {
    way ??= smtpUrl === undefined ? outbox(config, log) : smtp(smtpUrl, mailFrom)
    await (await way)(message, signal)
  }
}

/** What nodemailer is told of a message. It takes the address as it is, without looking for further ones in it. */
const compose = ({ id, to, subject, text, html }: Message, from: string) => ({
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

async function smtp(url: string, from: string): Promise<Deliver> {
  const { createTransport } = await import('nodemailer')
  const { default: SMTPTransport } = await import('nodemailer/lib/smtp-transport')
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  const transport = createTransport(new SMTPTransport({ ...limits, url }))
  const handedOver = new WeakSet<object>()
  // The text is read when the server has agreed to take it. What breaks off from then on may have been taken.
  transport.use('stream', (mail, done) => {
    const text = mail.message.createReadStream()
    async function* read() {
      handedOver.add(mail.data.headers as object)
      yield* text
    }
    mail.message.createReadStream = () =>
      Readable.from(read(), { objectMode: false }) as ReturnType<typeof mail.message.createReadStream>
    done()
  })
  return async (message, signal) => {
    const content = compose(message, from)
    try {
      await transport.sendMail({ ...content, signal })
    } catch (error) {
      const { message: reason, responseCode, command = '' } = error as SmtpError
      const isFinal = responseCode !== undefined && responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command)
      const isUnclear = responseCode === undefined && handedOver.has(content.headers)
      throw new DeliveryError(isFinal ? 'impossible' : isUnclear ? 'unknown' : 'refused', reason)
    }
  }
}

type SmtpError = Error & { responseCode?: number; command?: string }

/** Without a mail server, mails are files that any mail program opens, and their links stand in the log. */
async function outbox({ dataDir, mailFrom }: Config, log: Logger): Promise<Deliver> {
  const { createTransport } = await import('nodemailer')
  const folder = join(dataDir, 'outbox')
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return async (message) => {
    const { message: content } = await writer.sendMail(compose(message, mailFrom))
    const moment = new Date().toISOString().replaceAll(/[:.]/g, '-')
    const file = join(folder, `${moment}-${randomBytes(8).toString('hex')}.eml`)
    const draft = `${file}.part`
    try {
      makeFolder(folder, 0o700)
      await writeFile(draft, content as Buffer, { mode: 0o600, flag: 'wx', flush: true })
      // a reader finds the whole file or none
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined)
      throw new DeliveryError('refused', (error as Error).message)
    }
    const link = message.link ? `; its link: ${message.link}` : ''
    log.info(`no SMTP_URL is set: the mail "${message.subject}" to ${message.to} was written to ${file}${link}`)
  }
}
