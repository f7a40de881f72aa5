import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Certificate, secureContext } from './kit/http/connections.ts'
import { ownAddresses } from './kit/request/network.ts'
import { makeFolder } from './make-folder.ts'
import { OperatorError } from './operator-error.ts'

/** Days that a certificate of our own is valid: phones reject longer ones. */
const DAYS = 397
/** Days before its end when a new certificate is made. */
const DAYS_LEFT = 30
const DAY = 86_400_000
/** Maximum number of names and addresses in a certificate: those of former machines are dropped first. */
const MOST_NAMES = 100
/** Milliseconds between checks whether the certificate has to be replaced. */
const LOOK_INTERVAL = 3_600_000

/**
 * The certificate of the service for https: that of TLS_CERT and TLS_KEY, or with TLS=self-signed one of its own, which is stored in
 * DATA_DIR, and remade before its end, or when it lacks a name or address of this machine. Machines that share DATA_DIR share it, with the
 * names of all. Undefined where the service speaks http.
 * @throws OperatorError when it cannot be read, or its parts do not belong together
 */
export async function certificateOf(config: Config, now = Date.now()): Promise<Certificate | undefined> {
  const { tlsCert, tlsKey } = config
  if (tlsCert === undefined || tlsKey === undefined) return config.tls === 'self-signed' ? ownCertificate(config, now) : undefined
  const given = { cert: readGiven('TLS_CERT', tlsCert), key: readGiven('TLS_KEY', tlsKey) }
  const wrong = whatIsWrong(given)
  if (wrong) throw new OperatorError(`TLS_CERT ${tlsCert} and TLS_KEY ${tlsKey} cannot be used: ${wrong}`)
  return given
}

/**
 * Checks every hour for another certificate, which new connections then get.
 * @returns a function that ends it
 */
export function keepCertificate(server: Server, config: Config, first: Certificate, log: Logger): () => void {
  let known = first
  const look = async () => {
    try {
      const now = await certificateOf(config)
      if (!now || (now.cert === known.cert && now.key === known.key)) return
      known = now
      ;(server as unknown as SecureServer).setSecureContext(secureContext(now))
      log.info('loaded a new HTTPS certificate')
    } catch (error) {
      log.error({ err: error }, 'could not read the HTTPS certificate; the previous one remains in use')
    }
  }
  const timer = setInterval(() => void look(), LOOK_INTERVAL)
  timer.unref()
  return () => clearInterval(timer)
}

function readGiven(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OperatorError(`${name} ${file} cannot be read: ${(error as Error).message}`)
  }
}

/** The reason why a certificate cannot be used; undefined for a usable one. */
function whatIsWrong({ cert, key }: Certificate): string | undefined {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? undefined : 'the key belongs to another certificate'
  } catch (error) {
    return (error as Error).message
  }
}

async function ownCertificate(config: Config, now: number): Promise<Certificate> {
  const file = join(config.dataDir, 'https.pem')
  const names = namesOf(config)
  try {
    const kept = readKept(file)
    if (kept && isGood(kept, names, now)) return kept
    const made = await make([...new Set([...names, ...namesIn(kept)])].slice(0, MOST_NAMES), now)
    makeFolder(config.dataDir)
    const draft = `${file}.${randomUUID()}`
    writeFileSync(draft, `${made.cert}\n${made.key}\n`, { mode: 0o600, flush: true })
    // replaces both at the same time, so that no process reads only one of them
    renameSync(draft, file)
    return readKept(file) ?? made
  } catch (error) {
    throw new OperatorError(`the certificate in ${file} cannot be read or written: ${(error as Error).message}`)
  }
}

/** Reads the certificate and key from one file, so that they always belong together. */
function readKept(file: string): Certificate | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    // it may have been copied here with other permissions
    chmodSync(file, 0o600)
    const [cert = '', key = ''] = text.split(/(?=-----BEGIN [A-Z ]*PRIVATE KEY-----)/)
    return { cert, key }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function isGood(kept: Certificate, names: readonly string[], now: number): boolean {
  if (whatIsWrong(kept)) return false
  const certificate = new X509Certificate(kept.cert)
  const isCurrent = Date.parse(certificate.validFrom) <= now && Date.parse(certificate.validTo) - now > DAYS_LEFT * DAY
  return isCurrent && names.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined)
}

/**
 * The names and addresses in a certificate, including those of other machines with the same DATA_DIR; without them the machines would keep
 * remaking it in turn.
 */
function namesIn(kept: Certificate | undefined): string[] {
  if (!kept || whatIsWrong(kept)) return []
  const names = new X509Certificate(kept.cert).subjectAltName?.split(', ') ?? []
  const found = names.flatMap((name) => /^(?:DNS|IP Address):([\da-z.:-]+)$/i.exec(name)?.[1]?.toLowerCase() ?? [])
  // certificates contain the long form
  return found.map((name) => (isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name))
}

/** Every name and address under which people may open the service. */
function namesOf({ host, siteUrl, allowedHosts }: Config): string[] {
  const own = [
    'localhost',
    '127.0.0.1',
    '::1',
    hostname(),
    `${hostname()}.local`,
    ...ownAddresses().filter((one) => isIP(one) === 4),
  ]
  const given = [host, new URL(siteUrl).hostname.replace(/^\[|\]$/g, ''), ...(allowedHosts === '*' ? [] : allowedHosts)]
  const all = [...own, ...given].map((name) => name.toLowerCase())
  return [...new Set(all)].filter((name) => isIP(name) || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/.test(name))
}

async function make(names: readonly string[], now: number): Promise<Certificate> {
  const { generate } = await import('selfsigned')
  const made = await generate([{ name: 'commonName', value: 'Stockroom' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // the clocks of phones differ
    notBeforeDate: new Date(now - DAY),
    notAfterDate: new Date(now + (DAYS - 1) * DAY),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })) },
    ],
  })
  return { cert: made.cert, key: made.private }
}
