import { readFileSync } from 'node:fs'
import { ConfigError } from './config-values.ts'

const presets = ['google', 'github', 'gitlab', 'microsoft'] as const
type Preset = (typeof presets)[number]

/** An identity provider whose accounts may sign in here, as configured in SSO_PROVIDERS. */
export type SsoProvider = {
  /** Used in URLs: `/api/auth/social/{id}/login/`. */
  id: string
  name: string
  /** Its protocol: OpenID Connect, or plain OAuth 2 as implemented by GitHub. */
  protocol: 'openid' | 'github'
  /** Its base URL, at which its endpoints are discovered. */
  issuer: string
  /** Undefined while the provider is only listed: sign-in is not possible yet. */
  clientId: string | undefined
  clientSecret: string | undefined
  scopes: readonly string[]
  /** Whether addresses that it reports as verified are trusted. Microsoft lets every organization set any address. */
  vouchesForAddresses: boolean
}

/** Defaults of `issuer`, `name` and so on for each preset. */
const presetDefaults: Record<Preset, { name: string; issuer: string; ownIssuer: boolean; needsSecret: boolean }> = {
  google: { name: 'Google', issuer: 'https://accounts.google.com', ownIssuer: false, needsSecret: true },
  github: { name: 'GitHub', issuer: 'https://github.com', ownIssuer: true, needsSecret: true },
  gitlab: { name: 'GitLab', issuer: 'https://gitlab.com', ownIssuer: true, needsSecret: false },
  microsoft: { name: 'Microsoft', issuer: 'https://login.microsoftonline.com', ownIssuer: false, needsSecret: false },
}

type Entry = Record<string, unknown>
type Rule = { allowed: string; matches: (value: unknown) => boolean }

const createTextCheck = (maxLength: number, pattern = /^[^\p{Cc}]+$/u) => {
  return (value: unknown) => typeof value === 'string' && value.length <= maxLength && pattern.test(value)
}

/** Rules for the fields of an entry. */
const rules: Record<string, Rule> = {
  id: { allowed: '1 to 50 lower-case letters, digits, - and _', matches: createTextCheck(50, /^[a-z0-9_-]+$/) },
  name: { allowed: '1 to 100 characters', matches: createTextCheck(100) },
  preset: { allowed: presets.join(', '), matches: (value) => presets.includes(value as Preset) },
  issuer: { allowed: 'an https URL without a query; http only on this machine', matches: isIssuer },
  client_id: { allowed: 'the text from the provider', matches: (value) => value === '' || createTextCheck(500)(value) },
  client_secret: { allowed: 'the text from the provider', matches: (value) => value === '' || createTextCheck(1000)(value) },
  scopes: {
    allowed: 'a list of words',
    matches: (value) => Array.isArray(value) && value.every(createTextCheck(200, /^[\x21\x23-\x5b\x5d-\x7e]+$/)),
  },
  tenant: {
    allowed: 'common, organizations, consumers, or the id or domain of a tenant',
    matches: createTextCheck(100, /^[a-z0-9][a-z0-9.-]*$/i),
  },
}

/**
 * Reads SSO_PROVIDERS.
 * @param variable name of the variable, for messages
 * @throws ConfigError in one line, which reveals nothing of the JSON but the names of fields
 */
export function readProviders(variable: string, json: string): readonly SsoProvider[] {
  let entries: unknown
  try {
    entries = JSON.parse(json)
  } catch {
    // the parser's error would reveal a part of the JSON
  }
  if (!Array.isArray(entries)) throw new ConfigError(`${variable} is not a JSON list; allowed: a JSON list of providers`)
  const providers = entries.map((entry, index) => readProvider(`${variable}, entry ${index + 1}`, entry))
  for (const [index, { id }] of providers.entries())
    if (providers.findIndex((other) => other.id === id) < index)
      throw new ConfigError(`${variable}, entry ${index + 1}: id is used by an earlier entry; allowed: a unique id`)
  return Object.freeze(providers)
}

/** Reads the file at the path in SSO_PROVIDERS_FILE. */
export function readProvidersFile(file: string): readonly SsoProvider[] {
  let json: string
  try {
    json = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`SSO_PROVIDERS_FILE cannot be read (${code}); allowed: the path of a JSON file`)
  }
  return readProviders('SSO_PROVIDERS_FILE', json)
}

function readProvider(source: string, entry: unknown): SsoProvider {
  const reject = (problem: string, allowed: string): never => {
    throw new ConfigError(`${source}: ${problem}; allowed: ${allowed}`)
  }
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return reject('it is not an object', 'a JSON object')
  const fields = entry as Entry
  for (const [name, value] of Object.entries(fields)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    // a name that does not look like a field may be a misplaced secret
    if (!rule) return reject(`unknown field ${/^[a-z_]{1,20}$/.test(name) ? name : '(not shown)'}`, Object.keys(rules).join(', '))
    if (!rule.matches(value)) return reject(`${name} is not valid`, rule.allowed)
  }
  const { id, name, issuer, client_id, client_secret, tenant = 'common' } = fields as Record<string, string | undefined>
  const preset = fields.preset as Preset | undefined
  const defaults = preset && presetDefaults[preset]
  if (!id) return reject('id is missing', rules.id?.allowed as string)
  if (!defaults && !issuer) return reject('issuer and preset are both missing', 'one of them')
  if (issuer && defaults && !defaults.ownIssuer)
    return reject(`issuer is set together with preset ${preset}`, 'an issuer with no preset, gitlab or github')
  if (fields.tenant !== undefined && preset !== 'microsoft') return reject('tenant is set', 'a tenant with preset microsoft')
  if (client_id && !client_secret && defaults?.needsSecret) return reject('client_secret is missing', 'the secret of client_id')
  const issuerUrl = issuer ?? (defaults?.issuer as string)
  return Object.freeze({
    id,
    name: name ?? defaults?.name ?? id,
    protocol: preset === 'github' ? 'github' : 'openid',
    issuer: preset === 'microsoft' ? `${issuerUrl}/${tenant}/v2.0` : issuerUrl.replace(/^(https?:\/\/[^/]+)\/$/, '$1'),
    clientId: client_id || undefined,
    clientSecret: client_secret || undefined,
    scopes: resolveScopes(preset, fields.scopes as string[] | undefined),
    vouchesForAddresses: preset !== 'microsoft',
  })
}

/** Returns the scopes to request from a provider: at least the one that identifies the user. */
function resolveScopes(preset: Preset | undefined, fields: string[] | undefined): readonly string[] {
  if (preset === 'github') return fields ?? ['read:user', 'user:email']
  return [...new Set(['openid', ...(fields ?? ['profile', 'email'])])]
}

function isIssuer(value: unknown): boolean {
  const url = typeof value === 'string' && value.length <= 500 ? URL.parse(value) : null
  if (!url || url.username || url.password || url.search || url.hash) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname)
