import { tryMailServer } from '../resources/email/transport.ts'
import { type Check, error, ok, skipped } from './check.ts'

/** Advice for errors of the connection, by the codes of the mail client. */
const ADVICE: Readonly<Record<string, string>> = {
  EAUTH: 'Correct the user and the password in SMTP_URL.',
  EDNS: 'Correct the host in SMTP_URL.',
  ETLS: 'Use smtps:// for a server with TLS from the beginning, or correct its certificate.',
  ESOCKET: 'Correct the host and the port in SMTP_URL, and smtp:// or smtps://.',
  ECONNECTION: 'Correct the host and the port in SMTP_URL.',
  ETIMEDOUT: 'Correct the host and the port in SMTP_URL, or open the firewall: many networks block port 25.',
}

export const mailCheck: Check = {
  name: 'mail',
  title: 'Mail',
  async run({ config }) {
    const { smtpUrl, dataDir, mailFrom } = config
    if (smtpUrl === undefined) return [skipped(`SMTP_URL is not set: emails are written to ${dataDir}/outbox, and not sent`)]
    const { host } = new URL(smtpUrl)
    try {
      await tryMailServer(smtpUrl)
    } catch (problem) {
      const { message, code = '' } = problem as Error & { code?: string }
      return [
        error(
          `The mail server ${host} rejects the connection: ${message}`,
          ADVICE[code] ?? 'Check SMTP_URL and the mail server.',
        ),
      ]
    }
    return [ok(`The mail server ${host} accepts emails of this service; their sender is ${mailFrom}`)]
  },
}
