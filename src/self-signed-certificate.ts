import { isIP } from 'node:net'
import { generate } from 'selfsigned'
import type { Certificate } from './kit/http/connections.ts'

/** Days that a self-signed certificate is valid: phones reject longer periods. */
const VALIDITY_DAYS = 397
const DAY_MS = 86_400_000

/** Generates a certificate of these names and addresses, valid from the day before, which signs itself. @param now in milliseconds since 1970 */
export async function generateCertificate(names: readonly string[], now: number): Promise<Certificate> {
  const generated = await generate([{ name: 'commonName', value: 'Stockroom' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // the clocks of phones differ
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + (VALIDITY_DAYS - 1) * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })) },
    ],
  })
  return { cert: generated.cert, key: generated.private }
}
