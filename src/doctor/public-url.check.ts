import { isLoopback } from '../config.ts'
import { type Check, error, type Finding, ok, skipped, warning } from './check.ts'
import { isRunning } from './port.check.ts'
import { isStockroom, probeService } from './probe.ts'

/** Errors of a certificate that this machine does not trust. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/

export const publicUrlCheck: Check = {
  name: 'public_url',
  title: 'Public URL',
  async run({ config }) {
    const { siteUrl, host } = config
    const { hostname, protocol } = new URL(siteUrl)
    const isLocal = isLoopback(hostname.replace(/^\[|\]$/g, ''))
    if (isLocal && isLoopback(host))
      return [ok(`The service is for this machine only: ${siteUrl}. For other people, set HOST and SITE_URL`)]
    const findings: Finding[] = []
    if (isLocal)
      findings.push(
        warning(
          `Other machines reach the service, but links in emails and barcodes lead to ${siteUrl}`,
          'Set SITE_URL to the address that others use.',
        ),
      )
    else if (protocol === 'http:')
      findings.push(
        warning(
          `${siteUrl} is not encrypted: passwords can be read on the way, and cameras of phones do not scan`,
          'Use HTTPS: a proxy with a certificate, TLS_CERT and TLS_KEY, or TLS=self-signed.',
        ),
      )
    if (await isRunning(config)) findings.push(await checkResponse(siteUrl))
    else findings.push(skipped(`The service is not running, so ${siteUrl} was not opened`))
    return findings
  },
}

async function checkResponse(siteUrl: string): Promise<Finding> {
  try {
    const response = await probeService(siteUrl)
    if (isStockroom(response)) return ok(`${siteUrl} leads to Stockroom`)
    return error(
      `${siteUrl} responds with status ${response.status}, and not as Stockroom`,
      'Correct SITE_URL or the proxy; the proxy has to pass on the path and the header Host.',
    )
  } catch (problem) {
    const { code = '', message } = problem as NodeJS.ErrnoException
    if (UNTRUSTED.test(code))
      return warning(
        `This machine does not trust the certificate of ${siteUrl}: ${message}`,
        'Use a certificate of a known authority.',
      )
    return error(
      `${siteUrl} cannot be opened from this machine: ${message}`,
      'Correct SITE_URL, the name resolution, or the proxy; behind some routers a public address opens from outside only.',
    )
  }
}
