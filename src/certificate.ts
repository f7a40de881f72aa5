import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { buildTlsOptions, type Certificate } from './kit/http/connections.ts'
import { makeFolder } from './make-folder.ts'
import { listOwnAddresses } from './network.ts'
import { OperatorError } from './operator-error.ts'

/** Days before its expiry when a new certificate is made. */
const RENEWAL_DAYS = 30
const DAY_MS = 86_400_000
/** Maximum number of names and addresses in a certificate: those of former machines are dropped first. */
const MAX_NAMES = 100
/** Milliseconds between checks whether the certificate has to be replaced. */
const CHECK_INTERVAL_MS = 3_600_000

/**
 * Loads the certificate for HTTPS: that of TLS_CERT and TLS_KEY, or with TLS=self-signed a generated one, which is stored in DATA_DIR and
 * replaced before it expires, or when a name or address of this machine is missing in it. Machines that share DATA_DIR share it, with the
 * names of all of them. Undefined where the service uses plain HTTP.
 * @throws OperatorError when it cannot be read, or the key belongs to another certificate
 */
export async function loadCertificate(config: Config, now = Date.now()): Promise<Certificate | undefined> {
  const { tlsCert, tlsKey } = config
  if (tlsCert === undefined || tlsKey === undefined)
    return config.tls === 'self-signed' ? loadSelfSignedCertificate(config, now) : undefined
  const configured = { cert: readPemFile('TLS_CERT', tlsCert), key: readPemFile('TLS_KEY', tlsKey) }
  const problem = findCertificateProblem(configured)
  if (problem) throw new OperatorError(`TLS_CERT ${tlsCert} and TLS_KEY ${tlsKey} cannot be used: ${problem}`)
  return configured
}

/**
 * Checks every hour for a new certificate, which new connections then get.
 * @returns a function that stops the checks
 */
export function watchCertificate(server: Server, config: Config, first: Certificate, log: Logger): () => void {
  let current = first
  const check = async () => {
    try {
      const latest = await loadCertificate(config)
      if (!latest || (latest.cert === current.cert && latest.key === current.key)) return
      current = latest
      ;(server as unknown as SecureServer).setSecureContext(buildTlsOptions(latest))
      log.info('loaded a new HTTPS certificate')
    } catch (error) {
      log.error({ err: error }, 'could not read the HTTPS certificate; the previous one remains in use')
    }
  }
  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function readPemFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OperatorError(`${name} ${file} cannot be read: ${(error as Error).message}`)
  }
}

/** The reason why a certificate cannot be used; undefined for a usable one. */
function findCertificateProblem({ cert, key }: Certificate): string | undefined {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? undefined : 'the key belongs to another certificate'
  } catch (error) {
    return (error as Error).message
  }
}

async function loadSelfSignedCertificate(config: Config, now: number): Promise<Certificate> {
  const file = join(config.dataDir, 'https.pem')
  const names = listHostNames(config)
  try {
    const stored = readStoredCertificate(file)
    if (stored && isUsable(stored, names, now)) return stored
    // loaded only when it is needed, because it is large
    const { generateCertificate } = await import('./self-signed-certificate.ts')
    const generated = await generateCertificate(
      [...new Set([...names, ...listCertificateNames(stored)])].slice(0, MAX_NAMES),
      now,
    )
    makeFolder(config.dataDir)
    const draft = `${file}.${randomUUID()}`
    writeFileSync(draft, `${generated.cert}\n${generated.key}\n`, { mode: 0o600, flush: true })
    // replaces both at the same time, so that no process reads only one of them
    renameSync(draft, file)
    return readStoredCertificate(file) ?? generated
  } catch (error) {
    throw new OperatorError(`the certificate in ${file} cannot be read or written: ${(error as Error).message}`)
  }
}

/** Reads the certificate and key from one file, so that they always belong together. */
function readStoredCertificate(file: string): Certificate | undefined {
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

function isUsable(stored: Certificate, names: readonly string[], now: number): boolean {
  if (findCertificateProblem(stored)) return false
  const certificate = new X509Certificate(stored.cert)
  const isCurrent = Date.parse(certificate.validFrom) <= now && Date.parse(certificate.validTo) - now > RENEWAL_DAYS * DAY_MS
  return isCurrent && names.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined)
}

/**
 * The names and addresses in a certificate, including those of other machines with the same DATA_DIR; without them, the machines would replace
 * the certificate of each other again and again.
 */
function listCertificateNames(stored: Certificate | undefined): string[] {
  if (!stored || findCertificateProblem(stored)) return []
  const names = new X509Certificate(stored.cert).subjectAltName?.split(', ') ?? []
  const subjectNames = names.flatMap((name) => /^(?:DNS|IP Address):([\da-z.:-]+)$/i.exec(name)?.[1]?.toLowerCase() ?? [])
  // certificates contain the long form
  return subjectNames.map((name) => (isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name))
}

/** Every name and address under which people may open the service. */
function listHostNames({ host, siteUrl, allowedHosts }: Config): string[] {
  const machineNames = [
    'localhost',
    '127.0.0.1',
    '::1',
    hostname(),
    `${hostname()}.local`,
    ...listOwnAddresses().filter((address) => isIP(address) === 4),
  ]
  const configured = [host, new URL(siteUrl).hostname.replace(/^\[|\]$/g, ''), ...(allowedHosts === '*' ? [] : allowedHosts)]
  const all = [...machineNames, ...configured].map((name) => name.toLowerCase())
  return [...new Set(all)].filter((name) => isIP(name) || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/.test(name))
}
