// Over 400 lines: every environment variable stands here, each with its check, its default and what it does.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import {
  ConfigError,
  hidden,
  hostName,
  integer,
  list,
  networkAddress,
  oneOf,
  origin,
  postgresUrl,
  quoted,
  siteUrl,
  withoutPassword,
  yesOrNo,
} from './config-values.ts'
import { ownAddresses } from './kit/request/network.ts'
import { readProviders, readProvidersFile, type SsoProvider } from './single-sign-on.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const logFormats = ['text', 'json'] as const
const tlsForms = ['off', 'self-signed'] as const
const wireForms = ['specification', 'inventree'] as const

type Variable<Value> = {
  name: string
  /** The value the text stands for; `undefined` when the text is not allowed. */
  parse: (text: string) => Value | undefined
  /** The text that is parsed when the variable is absent or empty. Without one, the setting is then `undefined`. */
  fallback?: string
  /** What the table of the docs says instead of `fallback`. */
  fallbackText?: string
  meaning: string
  allowed: string
  /** How much of a bad value an error message may show; all of it by default. */
  shown?: (text: string) => string
}

/** A setting that is `undefined` when its variable is absent. */
const optional = <Value>(definition: Variable<Value>) => definition as Variable<Value | undefined>
/** A setting that always has a value. */
const required = <Value>(definition: Variable<Value> & { fallback: string }) => definition as Variable<Value>

const filePath = (text: string) => (text.includes('\0') ? undefined : resolve(text))

/** Every variable of the environment that Stockroom reads. docs/configuration.md is generated from this. */
const variables = {
  host: required({
    name: 'HOST',
    parse: hostName,
    fallback: '127.0.0.1',
    meaning: 'The address to listen on. `0.0.0.0` and `::` listen on every address of the machine.',
    allowed: 'an IP address or a host name',
  }),
  port: required({
    name: 'PORT',
    parse: integer(0, 65_535),
    fallback: '8000',
    meaning: 'The TCP port to listen on. `0` takes any free one.',
    allowed: 'a whole number from 0 to 65535',
  }),
  dataDir: required({
    name: 'DATA_DIR',
    parse: filePath,
    fallback: './data',
    meaning: 'The folder that holds the embedded database, uploaded files and the secret key. Made when it is absent.',
    allowed: 'the path of a folder',
  }),
  backupDir: optional({
    name: 'BACKUP_DIR',
    parse: filePath,
    fallbackText: '`DATA_DIR/backups`',
    meaning:
      'The folder that backups go into, each in a folder of its own. On another disk they outlive this one. Made when it is absent.',
    allowed: 'the path of a folder',
  }),
  backupsKept: required({
    name: 'BACKUPS_KEPT',
    parse: integer(1, 10_000),
    fallback: '10',
    meaning: 'How many backups stay in `BACKUP_DIR` when the clock made one; older ones are deleted.',
    allowed: 'a whole number from 1 to 10000',
  }),
  databaseUrl: optional({
    name: 'DATABASE_URL',
    parse: postgresUrl,
    fallbackText: 'the embedded PostgreSQL in `DATA_DIR`',
    meaning: 'An external PostgreSQL, version 14 or newer, to use instead of the embedded one.',
    allowed: 'a URL like postgres://user:password@host:5432/database',
    shown: withoutPassword,
  }),
  databasePoolSize: required({
    name: 'DATABASE_POOL_SIZE',
    parse: integer(1, 1_000),
    fallback: '10',
    meaning: 'How many connections to PostgreSQL are open at most.',
    allowed: 'a whole number from 1 to 1000',
  }),
  minFreeDisk: required({
    name: 'MIN_FREE_DISK',
    parse: integer(0, 1_000_000_000_000_000),
    fallback: '209715200',
    meaning:
      'How many bytes are to stay free on the disk of the embedded database: with less, changes are refused with 507 until there is room again. `0` watches over nothing.',
    allowed: 'a whole number from 0 to 1000000000000000',
  }),
  siteUrl: optional({
    name: 'SITE_URL',
    parse: siteUrl,
    fallbackText: '`http://HOST:PORT`, or `https://HOST:PORT`',
    meaning: 'The address under which people and clients reach Stockroom, as links in mails and barcodes show it.',
    allowed: 'an http or https URL without a query, like https://stock.example.com',
  }),
  tls: required({
    name: 'TLS',
    parse: oneOf(tlsForms),
    fallback: 'off',
    meaning:
      'With `self-signed` the service speaks https, under a certificate that it makes, keeps in `DATA_DIR/https.pem` and renews; browsers ask once whether to trust it.',
    allowed: tlsForms.join(', '),
  }),
  tlsCert: optional({
    name: 'TLS_CERT',
    parse: filePath,
    fallbackText: 'none',
    meaning:
      'The certificate, with those that it was signed with, under which the service speaks https. Needs `TLS_KEY`. A new one is taken within an hour.',
    allowed: 'the path of a PEM file',
  }),
  tlsKey: optional({
    name: 'TLS_KEY',
    parse: filePath,
    fallbackText: 'none',
    meaning: 'The private key of that certificate. Needs `TLS_CERT`.',
    allowed: 'the path of a PEM file',
  }),
  corsOrigins: required<'*' | readonly string[]>({
    name: 'CORS_ORIGINS',
    parse: (text) => (text === '*' ? '*' : list(origin)(text)),
    fallback: '',
    fallbackText: 'none',
    meaning: 'Origins whose browser clients may use the API; `*` allows every origin, without cookies.',
    allowed: 'origins like https://shop.example.com, separated by commas, or *',
  }),
  adminUsername: optional({
    name: 'ADMIN_USERNAME',
    parse: (text) => (/^[\w.@+-]{1,150}$/.test(text) ? text : undefined),
    fallbackText: 'none',
    meaning: 'The name of the superuser that is made at the start when there is no account. Needs `ADMIN_PASSWORD`.',
    allowed: '1 to 150 letters, digits or any of @ . + - _',
  }),
  adminPassword: optional({
    name: 'ADMIN_PASSWORD',
    parse: (text) => (text.length >= 8 && text.length <= 128 ? text : undefined),
    fallbackText: 'none',
    meaning:
      'The password of that superuser. Needs `ADMIN_USERNAME`, but where `stockroom admin create` is given a name by `--username`.',
    allowed: '8 to 128 characters',
    shown: hidden,
  }),
  adminEmail: optional({
    name: 'ADMIN_EMAIL',
    parse: (text) => (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254 ? text : undefined),
    fallbackText: 'none',
    meaning: 'The mail address of that superuser.',
    allowed: 'a mail address',
  }),
  secretKey: optional({
    name: 'SECRET_KEY',
    parse: (text) => (text.length >= 32 && !text.includes(',') ? text : undefined),
    fallbackText: 'made once, in `DATA_DIR/secret.key`',
    meaning: 'The key that signs what Stockroom hands out. Nodes that share a database need the same one.',
    allowed: 'at least 32 characters, no comma',
    shown: hidden,
  }),
  previousSecretKeys: required<readonly string[]>({
    name: 'PREVIOUS_SECRET_KEYS',
    parse: list((text) => (text.length >= 32 ? text : undefined)),
    fallback: '',
    fallbackText: 'none',
    meaning: 'Former secret keys, while what was made under them is to be read still: set these when `SECRET_KEY` changes.',
    allowed: 'keys of at least 32 characters, separated by commas',
    shown: hidden,
  }),
  trustProxy: required<boolean | readonly string[]>({
    name: 'TRUST_PROXY',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : list(networkAddress)(text)),
    fallback: 'false',
    meaning:
      'Which proxies in front of Stockroom may say who the client is (`X-Forwarded-For`, `-Proto`, `-Host`). `true` trusts whoever connects, and lets clients choose their own address, so that no limit for each address holds: name the proxies instead.',
    allowed: 'true, false, or addresses like 10.0.0.1 and 10.0.0.0/8, separated by commas',
  }),
  allowedHosts: required<'*' | readonly string[]>({
    name: 'ALLOWED_HOSTS',
    parse: (text) => (text === '*' ? '*' : list((item) => hostName(item.toLowerCase()))(text)),
    fallback: '',
    fallbackText: 'none',
    meaning:
      'Further host names under which clients reach Stockroom, beside that of `SITE_URL` and the names of this machine itself.',
    allowed: 'host names, separated by commas, or *',
  }),
  smtpUrl: optional({
    name: 'SMTP_URL',
    parse: (text) => (/^smtps?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined),
    fallbackText: 'none: mails are written to `DATA_DIR/outbox`',
    meaning: 'The mail server that takes mails, as smtp://user:password@host:587 or smtps://...',
    allowed: 'a smtp or smtps URL',
    shown: withoutPassword,
  }),
  mailFrom: required({
    name: 'MAIL_FROM',
    parse: (text) => (/^[^\r\n]{3,320}$/.test(text) && text.includes('@') ? text : undefined),
    fallback: 'Stockroom <stockroom@localhost>',
    meaning: 'Whom mails come from.',
    allowed: 'a mail address, or a name with one: Stockroom <stock@example.com>',
  }),
  consoleOffline: required({
    name: 'CONSOLE_OFFLINE',
    parse: yesOrNo,
    fallback: 'true',
    meaning:
      'Whether browsers keep the files of the web console, so that it loads while the network is away: over https, and on this machine. With `false` they delete what they kept.',
    allowed: 'true or false',
  }),
  requireOldPassword: required({
    name: 'REQUIRE_OLD_PASSWORD',
    parse: yesOrNo,
    fallback: 'false',
    meaning: 'Whether changing a password asks for the old one. When it is given it must be right in any case.',
    allowed: 'true or false',
  }),
  sessionDays: required({
    name: 'SESSION_DAYS',
    parse: integer(1, 365),
    fallback: '14',
    meaning: 'How many days a browser stays signed in.',
    allowed: 'a whole number from 1 to 365',
  }),
  pluginMemoryMegabytes: required({
    name: 'PLUGIN_MEMORY_MB',
    parse: integer(128, 65_536),
    fallback: '256',
    meaning:
      'How much memory each plugin that is not built in may use, in MB; with more its process is ended. One that does little uses 80.',
    allowed: 'a whole number from 128 to 65536',
  }),
  pluginsInstallEnabled: optional({
    name: 'PLUGINS_INSTALL_ENABLED',
    parse: yesOrNo,
    fallbackText: '`true` where `HOST` is this machine itself, else `false`',
    meaning: 'Whether superusers may install and uninstall plugins through the API.',
    allowed: 'true or false',
  }),
  pluginInstallSeconds: required({
    name: 'PLUGIN_INSTALL_SECONDS',
    parse: integer(1, 3_600),
    fallback: '120',
    meaning: 'How many seconds fetching a plugin may take. Other requests wait meanwhile.',
    allowed: 'a whole number from 1 to 3600',
  }),
  chromePath: optional({
    name: 'CHROME_PATH',
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
    fallbackText: 'the one that comes with Stockroom, for x86-64 Linux, unpacked into `DATA_DIR`',
    meaning: 'A Chrome or Chromium that prints labels and reports.',
    allowed: 'the path of a program',
  }),
  printMemoryMegabytes: required({
    name: 'PRINT_MEMORY_MB',
    parse: integer(512, 65_536),
    fallback: '1536',
    meaning:
      'How much memory the browser may use to print one document, in MB; what needs more is refused. At most three documents are printed at once, two of them for one account.',
    allowed: 'a whole number from 512 to 65536',
  }),
  printSeconds: required({
    name: 'PRINT_SECONDS',
    parse: integer(1, 3_600),
    fallback: '30',
    meaning: 'How many seconds it may take to print one document; what takes longer is refused.',
    allowed: 'a whole number from 1 to 3600',
  }),
  signInRate: required({
    name: 'SIGN_IN_RATE',
    parse: integer(1, 100_000),
    fallback: '60',
    meaning:
      'How many log-ins, right or wrong, and mails with links a network address may ask for in a minute; as many wrong passwords by Basic. An IPv6 address counts as its /64.',
    allowed: 'a whole number from 1 to 100000',
  }),
  registrationRate: required({
    name: 'REGISTRATION_RATE',
    parse: integer(1, 100_000),
    fallback: '60',
    meaning: 'How many registrations a network address may try in a minute.',
    allowed: 'a whole number from 1 to 100000',
  }),
  wrongCredentials: required({
    name: 'WRONG_CREDENTIALS',
    parse: integer(1, 100_000),
    fallback: '10',
    meaning: 'How many wrong passwords, codes or reset links of one account a network address may send in five minutes.',
    allowed: 'a whole number from 1 to 100000',
  }),
  mailAgainSeconds: required({
    name: 'MAIL_AGAIN_SECONDS',
    parse: integer(0, 86_400),
    fallback: '60',
    meaning: 'How many seconds must pass before the same mail is sent again; asked for sooner, nothing is sent and nothing said.',
    allowed: 'a whole number from 0 to 86400',
  }),
  ssoProviders: required<readonly SsoProvider[]>({
    name: 'SSO_PROVIDERS',
    parse: (text) => readProviders('SSO_PROVIDERS', text),
    fallback: '[]',
    fallbackText: 'none',
    meaning: 'The providers of single sign-on, whose accounts may sign in here: see [accounts.md](accounts.md#single-sign-on).',
    allowed: 'a JSON list of providers',
    shown: hidden,
  }),
  ssoProvidersFile: optional({
    name: 'SSO_PROVIDERS_FILE',
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
    fallbackText: 'none',
    meaning: 'A file that holds what `SSO_PROVIDERS` would, so that no secret stands in the environment.',
    allowed: 'the path of a JSON file',
  }),
  metricsToken: optional({
    name: 'METRICS_TOKEN',
    parse: (text) => (/^[\x21-\x7e]{16,}$/.test(text) ? text : undefined),
    fallbackText: 'none',
    meaning:
      'What shows `/metrics` to whoever sends it (`Authorization: Bearer ...`). Without it they are shown on this machine alone, and not through a proxy.',
    allowed: 'at least 16 printable characters, no space',
    shown: hidden,
  }),
  instanceName: required({
    name: 'INSTANCE_NAME',
    parse: (text) => (/^[^\p{Cc}<>]{1,100}$/u.test(text) ? text : undefined),
    fallback: 'Stockroom',
    meaning: 'The name under which this installation shows itself to its clients.',
    allowed: '1 to 100 characters, no control characters, < or >',
  }),
  wireForm: required({
    name: 'WIRE_FORM',
    parse: oneOf(wireForms),
    fallback: 'specification',
    meaning: 'Whether answers follow the specification, or take the forms that existing InvenTree clients expect.',
    allowed: wireForms.join(' or '),
  }),
  maxPageSize: required({
    name: 'MAX_PAGE_SIZE',
    parse: integer(1, 1_000_000),
    fallback: '10000',
    meaning: 'The most rows that one page of a list has.',
    allowed: 'a whole number from 1 to 1000000',
  }),
  bodyLimit: required({
    name: 'BODY_LIMIT',
    parse: integer(1_024, 1_073_741_824),
    fallback: '1048576',
    meaning:
      'The largest JSON body of a request, in bytes, beside a file that it holds. Operations that are open to strangers take at most 65536.',
    allowed: 'a whole number from 1024 to 1073741824',
  }),
  maxFileBytes: required({
    name: 'MAX_FILE_BYTES',
    parse: integer(1_024, 1_073_741_824),
    fallback: '10485760',
    meaning: 'The largest file that is taken, in bytes, whichever way it comes.',
    allowed: 'a whole number from 1024 to 1073741824',
  }),
  requestSeconds: required({
    name: 'REQUEST_SECONDS',
    parse: integer(1, 3_600),
    fallback: '60',
    meaning:
      'How many seconds a request may take to arrive, from its first byte to the end of its body; its address and headers 15 at most. What takes longer is refused with 408, and its connection ended.',
    allowed: 'a whole number from 1 to 3600',
  }),
  maxConnections: required({
    name: 'MAX_CONNECTIONS',
    parse: integer(1, 1_000_000),
    fallback: '2000',
    meaning: 'How many connections of clients are open at most. Further ones are closed as they come.',
    allowed: 'a whole number from 1 to 1000000',
  }),
  maxConnectionsPerAddress: required({
    name: 'MAX_CONNECTIONS_PER_ADDRESS',
    parse: integer(1, 1_000_000),
    fallback: '1000',
    meaning:
      "How many of them come from one network address at most; an IPv6 address counts as its /64. Those of proxies that `TRUST_PROXY` names are not counted, as they are those of all their clients: a limit for each client is the proxy's to keep.",
    allowed: 'a whole number from 1 to 1000000',
  }),
  s3Bucket: optional({
    name: 'S3_BUCKET',
    parse: (text) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : undefined),
    fallbackText: 'none: files lie in `DATA_DIR/media`',
    meaning:
      'The bucket of S3, or of a store that speaks its language, which holds the files in place of `DATA_DIR/media`: see [below](#files-in-a-bucket).',
    allowed: '3 to 63 small letters, digits, dots or dashes',
  }),
  s3Prefix: required({
    name: 'S3_PREFIX',
    parse: (text) => (/^(\w[\w-]*(\/\w[\w-]*)*)?$/.test(text) && text.length <= 200 ? text : undefined),
    fallback: '',
    fallbackText: 'none',
    meaning: 'What stands before the paths of files in the bucket. Nothing else may lie behind it.',
    allowed: 'names of letters, digits, dashes and underscores, with / between them',
  }),
  s3Endpoint: optional({
    name: 'S3_ENDPOINT',
    parse: origin,
    fallbackText: 'the address of AWS for `S3_REGION`',
    meaning: 'Where the store answers.',
    allowed: 'an origin like https://s3.example.com',
  }),
  s3Region: required({
    name: 'S3_REGION',
    parse: (text) => (/^[a-z0-9-]{1,50}$/.test(text) ? text : undefined),
    fallback: 'us-east-1',
    meaning: 'The region of the bucket.',
    allowed: 'small letters, digits and dashes',
  }),
  s3PathStyle: required({
    name: 'S3_PATH_STYLE',
    parse: yesOrNo,
    fallback: 'false',
    meaning:
      'Whether the bucket stands in the path of an address rather than in its host name, as many stores other than AWS want it.',
    allowed: 'true or false',
  }),
  s3AccessKeyId: optional({
    name: 'S3_ACCESS_KEY_ID',
    parse: (text) => (/^[\x21-\x7e]{1,200}$/.test(text) ? text : undefined),
    fallbackText: 'what the environment or the machine gives to programs of AWS',
    meaning: 'Who asks the store. Needs `S3_SECRET_ACCESS_KEY`.',
    allowed: '1 to 200 signs without spaces',
    shown: hidden,
  }),
  s3SecretAccessKey: optional({
    name: 'S3_SECRET_ACCESS_KEY',
    parse: (text) => (/^[\x21-\x7e]{1,200}$/.test(text) ? text : undefined),
    fallbackText: 'as above',
    meaning: 'The secret of that key. Needs `S3_ACCESS_KEY_ID`.',
    allowed: '1 to 200 signs without spaces',
    shown: hidden,
  }),
  s3SignedLinks: required({
    name: 'S3_SIGNED_LINKS',
    parse: yesOrNo,
    fallback: 'false',
    meaning:
      'Whether `/media/` leads whoever may read a file to the store itself, by a link that is good for five minutes for whoever has it, in place of handing the file through.',
    allowed: 'true or false',
  }),
  fileHosts: required<readonly string[]>({
    name: 'FILE_HOSTS',
    parse: list((item) => (/^[a-z0-9.-]+(:\d{1,5})?$/.test(item.toLowerCase()) ? item.toLowerCase() : undefined)),
    fallback: '',
    fallbackText: 'none',
    meaning:
      'Hosts from which the file of a template is fetched when it is printed, where a template names an address in place of a file. Whoever writes templates can have them asked for anything.',
    allowed: 'host names, with their port where it is not the usual one, separated by commas',
  }),
  fetchAllowedHosts: required<readonly string[]>({
    name: 'FETCH_ALLOWED_HOSTS',
    parse: list((item) => hostName(item.toLowerCase())?.toLowerCase() ?? networkAddress(item)),
    fallback: '',
    fallbackText: 'none',
    meaning:
      'Hosts and networks that are not of the public internet from which Stockroom fetches all the same, where a client names an address: a remote picture, a setting of a plugin such as the source of exchange rates, the feed of `NEWS_FEED_URL`, and where these and the packages of plugins lead to.',
    allowed: 'host names, IP addresses and networks like 10.0.0.0/8, separated by commas',
  }),
  printedFileDays: required({
    name: 'PRINTED_FILE_DAYS',
    parse: integer(1, 3_650),
    fallback: '5',
    meaning: 'How many days labels and reports that were printed are kept as files.',
    allowed: 'a whole number from 1 to 3650',
  }),
  eventDays: required({
    name: 'EVENT_DAYS',
    parse: integer(1, 365),
    fallback: '7',
    meaning:
      'How many days events are kept for a reader that has not had them, such as a plugin that fails. What every reader has had goes after a day.',
    allowed: 'a whole number from 1 to 365',
  }),
  newsFeedUrl: optional({
    name: 'NEWS_FEED_URL',
    parse: (text) => (/^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined),
    fallbackText: 'none: there is no news',
    meaning: 'A feed (RSS or Atom) of the public internet that is read once a day; staff find under `/api/news/` what it tells.',
    allowed: 'an http or https URL',
  }),
  flags: required<readonly string[]>({
    name: 'FLAGS',
    parse: list((item) => (/^[A-Z][A-Z0-9_]{0,49}$/.test(item) ? item : undefined)),
    fallback: '',
    fallbackText: 'none',
    meaning:
      'Flags that are raised: names by which interfaces know what they may offer before it is for everyone. `/api/flags/` tells them; the service itself does nothing else by them.',
    allowed: 'names of capital letters, digits and _, separated by commas, like EXPERIMENTAL',
  }),
  logLevel: required({
    name: 'LOG_LEVEL',
    parse: oneOf(logLevels),
    fallback: 'info',
    meaning: 'The least severe entries that are logged.',
    allowed: logLevels.join(', '),
  }),
  logFormat: optional({
    name: 'LOG_FORMAT',
    parse: oneOf(logFormats),
    fallbackText: '`text` on a terminal, else `json`',
    meaning:
      'Whether the log is lines for a person to read or JSON for a collector. Lines are coloured on a terminal; `NO_COLOR` and `FORCE_COLOR` are respected.',
    allowed: logFormats.join(' or '),
  }),
}

type Variables = typeof variables
type Settings = { -readonly [Key in keyof Variables]: Variables[Key] extends Variable<infer Value> ? Value : never }

/** Every setting of the process, checked. Only `loadConfig` makes one. */
export type Config = Readonly<
  Omit<Settings, 'siteUrl' | 'ssoProvidersFile' | 'pluginsInstallEnabled'> & {
    siteUrl: string
    /** The service itself speaks https. */
    isSecure: boolean
    pluginsInstallEnabled: boolean
    /** The names of the variables that are set in the environment. */
    given: readonly string[]
  }
>

/** The name of every variable. */
export const VARIABLES: readonly string[] = Object.values<Variable<unknown>>(variables).map(({ name }) => name)

/**
 * Reads the settings from the environment. A variable that is empty counts as absent.
 * @throws ConfigError at the first value that is not allowed
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const settings: Record<string, unknown> = {}
  for (const [key, variable] of Object.entries(variables)) settings[key] = read(variable, environment)
  const { siteUrl, ssoProvidersFile, ...rest } = settings as Settings

  if ((rest.adminUsername === undefined) !== (rest.adminPassword === undefined)) {
    const [given, missing] = rest.adminUsername ? ['USERNAME', 'PASSWORD'] : ['PASSWORD', 'USERNAME']
    throw new ConfigError(`ADMIN_${given} is set but ADMIN_${missing} is not: allowed are both or neither`)
  }
  if ((rest.s3AccessKeyId === undefined) !== (rest.s3SecretAccessKey === undefined))
    throw new ConfigError('of S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY only one is set: allowed are both or neither')
  if ((rest.tlsCert === undefined) !== (rest.tlsKey === undefined))
    throw new ConfigError('of TLS_CERT and TLS_KEY only one is set: allowed are both or neither')
  if (rest.tlsCert !== undefined && rest.tls !== 'off')
    throw new ConfigError('TLS_CERT and TLS=self-signed are both set: allowed is one')
  const isSecure = rest.tlsCert !== undefined || rest.tls !== 'off'
  if (ssoProvidersFile !== undefined) {
    if (environment.SSO_PROVIDERS) throw new ConfigError('SSO_PROVIDERS and SSO_PROVIDERS_FILE are both set: allowed is one')
    rest.ssoProviders = readProvidersFile(ssoProvidersFile)
  }
  return Object.freeze({
    ...rest,
    isSecure,
    siteUrl: siteUrl ?? listenUrl(rest.host, rest.port, isSecure),
    pluginsInstallEnabled: rest.pluginsInstallEnabled ?? isLoopback(rest.host),
    given: VARIABLES.filter((name) => environment[name]),
  })
}

/** Whether nobody but this machine reaches a host. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

function read(variable: Variable<unknown>, environment: NodeJS.ProcessEnv): unknown {
  const text = environment[variable.name] || variable.fallback
  if (text === undefined) return undefined
  const value = variable.parse(text)
  if (value !== undefined) return value
  const shown = (variable.shown ?? quoted)(text)
  throw new ConfigError(`${variable.name} is ${shown}; allowed: ${variable.allowed}`)
}

/** Whether a listener listens on every address of the machine. */
export const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** The address of a listener as a URL, without a slash at its end. Where it listens everywhere, the URL names this machine. */
export function listenUrl(host: string, port: number, isSecure = false): string {
  const name = isEverywhere(host) ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host
  return `${isSecure ? 'https' : 'http'}://${name}:${port}`
}

/**
 * Where other machines reach the service, without a slash at the end: SITE_URL where it names no address of this machine alone, else the
 * first address of a machine that listens on all of them. Undefined where nobody else reaches it.
 * @param url where it listens
 */
export function addressForOthers(url: string, { host, siteUrl }: Pick<Config, 'host' | 'siteUrl'>): string | undefined {
  if (isLoopback(host)) return undefined
  const name = new URL(siteUrl).hostname.replace(/^\[|\]$/g, '')
  if (!isLoopback(name)) return siteUrl
  const own = ownAddresses().find((one) => isIP(one) === 4)
  return own && url.replace(/^(\w+:\/\/)[^/]*(:\d+)$/, `$1${own}$2`)
}

/** The table of docs/configuration.md, in Markdown. */
export function configurationTable(): string {
  const rows = Object.values<Variable<unknown>>(variables).map(({ name, fallback, fallbackText, meaning, allowed }) => {
    const cells = [`\`${name}\``, fallbackText ?? `\`${fallback}\``, allowed, meaning]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return ['| Variable | Default | Allowed | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}
