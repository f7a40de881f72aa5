// Over 400 lines: it lists every environment variable, each with its check, its default and its effect.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import {
  ConfigError,
  integer,
  list,
  maskSecret,
  maskUrl,
  oneOf,
  parseBoolean,
  parseHostName,
  parseNetworkAddress,
  parseOrigin,
  parsePostgresUrl,
  parseSiteUrl,
  quoteValue,
} from './config-values.ts'
import { listOwnAddresses } from './network.ts'
import { readProviders, readProvidersFile, type SsoProvider } from './single-sign-on.ts'
import { API_VERSIONS, readWire, WIRE_FORMS, type Wire } from './wire.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const logFormats = ['text', 'json'] as const
const tlsForms = ['off', 'self-signed'] as const

type Variable<Value> = {
  name: string
  /** Parses the text; `undefined` when it is not allowed. */
  parse: (text: string) => Value | undefined
  /** The default, which is parsed when the variable is absent or empty. Without one, the setting is then `undefined`. */
  fallback?: string
  /** Text for the table in the docs instead of `fallback`. */
  fallbackText?: string
  description: string
  allowed: string
  /** Returns the part of an invalid value that an error message may show; all of it by default. */
  redact?: (text: string) => string
}

/** A setting that is `undefined` when its variable is absent. */
const optional = <Value>(definition: Variable<Value>) => definition as Variable<Value | undefined>
/** A setting that always has a value. */
const required = <Value>(definition: Variable<Value> & { fallback: string }) => definition as Variable<Value>

const parsePath = (text: string) => (text.includes('\0') ? undefined : resolve(text))

/** Every environment variable that Stockroom reads. docs/configuration.md is generated from this. */
const variables = {
  host: required({
    name: 'HOST',
    parse: parseHostName,
    fallback: '127.0.0.1',
    description: 'The address to listen on. `0.0.0.0` and `::` listen on all addresses of the machine.',
    allowed: 'an IP address or a host name',
  }),
  port: required({
    name: 'PORT',
    parse: integer(0, 65_535),
    fallback: '8000',
    description: 'The TCP port to listen on. `0` selects an unused one.',
    allowed: 'a whole number from 0 to 65535',
  }),
  dataDir: required({
    name: 'DATA_DIR',
    parse: parsePath,
    fallback: './data',
    description: 'The folder of the embedded database, uploaded files and the secret key. Created if it is missing.',
    allowed: 'the path of a folder',
  }),
  backupDir: optional({
    name: 'BACKUP_DIR',
    parse: parsePath,
    fallbackText: '`DATA_DIR/backups`',
    description:
      'The folder for backups, each in a subfolder. On another disk they survive a failure of this one. Created if it is missing.',
    allowed: 'the path of a folder',
  }),
  backupsKept: required({
    name: 'BACKUPS_KEPT',
    parse: integer(1, 10_000),
    fallback: '10',
    description:
      'The number of scheduled backups to retain in `BACKUP_DIR`; older ones are deleted. Those before updates are not counted.',
    allowed: 'a whole number from 1 to 10000',
  }),
  backupBeforeUpdate: required({
    name: 'BACKUP_BEFORE_UPDATE',
    parse: parseBoolean,
    fallback: 'true',
    description:
      'Whether a database that holds data is backed up to `BACKUP_DIR` before a newer version of Stockroom updates it, to a folder whose name ends with `-before-update`. If that backup fails, the database is not updated, and the service does not start. The newest one of each of the latest three previous versions is retained.',
    allowed: 'true or false',
  }),
  databaseUrl: optional({
    name: 'DATABASE_URL',
    parse: parsePostgresUrl,
    fallbackText: 'the embedded PostgreSQL in `DATA_DIR`',
    description: 'An external PostgreSQL, version 15 or newer, instead of the embedded one.',
    allowed: 'a URL like postgres://user:password@host:5432/database',
    redact: maskUrl,
  }),
  databasePoolSize: required({
    name: 'DATABASE_POOL_SIZE',
    parse: integer(1, 1_000),
    fallback: '10',
    description: 'The maximum number of connections to PostgreSQL.',
    allowed: 'a whole number from 1 to 1000',
  }),
  minFreeDisk: required({
    name: 'MIN_FREE_DISK',
    parse: integer(0, 1_000_000_000_000_000),
    fallback: '209715200',
    description:
      'The minimum free space, in bytes, on the disk of the embedded database: below it, changes are rejected with 507 until there is free space. `0` disables the check.',
    allowed: 'a whole number from 0 to 1000000000000000',
  }),
  siteUrl: optional({
    name: 'SITE_URL',
    parse: parseSiteUrl,
    fallbackText: '`http://HOST:PORT`, or `https://HOST:PORT`',
    description: 'The public URL of Stockroom, as in links in emails and barcodes.',
    allowed: 'an http or https URL without a query, like https://stock.example.com',
  }),
  tls: required({
    name: 'TLS',
    parse: oneOf(tlsForms),
    fallback: 'off',
    description:
      'With `self-signed`, the service uses HTTPS with a certificate that it creates, stores in `DATA_DIR/https.pem` and renews; browsers ask once whether to trust it.',
    allowed: tlsForms.join(', '),
  }),
  tlsCert: optional({
    name: 'TLS_CERT',
    parse: parsePath,
    fallbackText: 'none',
    description: 'The certificate for HTTPS, with its chain. Needs `TLS_KEY`. A new certificate is loaded within an hour.',
    allowed: 'the path of a PEM file',
  }),
  tlsKey: optional({
    name: 'TLS_KEY',
    parse: parsePath,
    fallbackText: 'none',
    description: 'The private key of that certificate. Needs `TLS_CERT`.',
    allowed: 'the path of a PEM file',
  }),
  corsOrigins: required<'*' | readonly string[]>({
    name: 'CORS_ORIGINS',
    parse: (text) => (text === '*' ? '*' : list(parseOrigin)(text)),
    fallback: '',
    fallbackText: 'none',
    description: 'Origins whose browser clients can use the API; `*` allows every origin, without cookies.',
    allowed: 'origins like https://shop.example.com, separated by commas, or *',
  }),
  adminUsername: optional({
    name: 'ADMIN_USERNAME',
    parse: (text) => (/^[\w.@+-]{1,150}$/.test(text) ? text : undefined),
    fallbackText: 'none',
    description: 'The name of the superuser to create at startup if there is no account. Needs `ADMIN_PASSWORD`.',
    allowed: '1 to 150 letters, digits or any of @ . + - _',
  }),
  adminPassword: optional({
    name: 'ADMIN_PASSWORD',
    parse: (text) => (text.length >= 8 && text.length <= 128 ? text : undefined),
    fallbackText: 'none',
    description: 'The password of that superuser. Needs `ADMIN_USERNAME`, except for `stockroom admin create` with `--username`.',
    allowed: '8 to 128 characters',
    redact: maskSecret,
  }),
  adminEmail: optional({
    name: 'ADMIN_EMAIL',
    parse: (text) => (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254 ? text : undefined),
    fallbackText: 'none',
    description: 'The email address of that superuser.',
    allowed: 'an email address',
  }),
  secretKey: optional({
    name: 'SECRET_KEY',
    parse: (text) => (text.length >= 32 && !text.includes(',') ? text : undefined),
    fallbackText: 'created once, in `DATA_DIR/secret.key`',
    description: 'The key for signing and encryption. Nodes that share a database need the same one.',
    allowed: 'at least 32 characters, no comma',
    redact: maskSecret,
  }),
  previousSecretKeys: required<readonly string[]>({
    name: 'PREVIOUS_SECRET_KEYS',
    parse: list((text) => (text.length >= 32 ? text : undefined)),
    fallback: '',
    fallbackText: 'none',
    description: 'Previous secret keys, to read what was created with them: set these when `SECRET_KEY` changes.',
    allowed: 'keys of at least 32 characters, separated by commas',
    redact: maskSecret,
  }),
  trustProxy: required<boolean | readonly string[]>({
    name: 'TRUST_PROXY',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : list(parseNetworkAddress)(text)),
    fallback: 'false',
    description:
      'The proxies in front of Stockroom that may set the address of the client (`X-Forwarded-For`, `-Proto`, `-Host`). `true` trusts all senders, so that clients can choose their own address and no limit per address holds: name the proxies instead.',
    allowed: 'true, false, or addresses like 10.0.0.1 and 10.0.0.0/8, separated by commas',
  }),
  allowedHosts: required<'*' | readonly string[]>({
    name: 'ALLOWED_HOSTS',
    parse: (text) => (text === '*' ? '*' : list((item) => parseHostName(item.toLowerCase()))(text)),
    fallback: '',
    fallbackText: 'none',
    description: 'Further host names for clients, in addition to that of `SITE_URL` and the names of this machine.',
    allowed: 'host names, separated by commas, or *',
  }),
  smtpUrl: optional({
    name: 'SMTP_URL',
    parse: (text) => (/^smtps?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined),
    fallbackText: 'none: emails are written to `DATA_DIR/outbox`',
    description: 'The mail server for outgoing mail, as smtp://user:password@host:587 or smtps://...',
    allowed: 'a smtp or smtps URL',
    redact: maskUrl,
  }),
  mailFrom: required({
    name: 'MAIL_FROM',
    parse: (text) => (/^[^\r\n]{3,320}$/.test(text) && text.includes('@') ? text : undefined),
    fallback: 'Stockroom <stockroom@localhost>',
    description: 'The sender of emails.',
    allowed: 'an email address, or a name with one: Stockroom <stock@example.com>',
  }),
  consoleOffline: required({
    name: 'CONSOLE_OFFLINE',
    parse: parseBoolean,
    fallback: 'true',
    description:
      'Whether browsers store the files of the web console, so that it loads while the network is unavailable: over HTTPS, and on this machine. With `false` they delete the stored files.',
    allowed: 'true or false',
  }),
  requireOldPassword: required({
    name: 'REQUIRE_OLD_PASSWORD',
    parse: parseBoolean,
    fallback: 'false',
    description: 'Whether changing a password requires the old one. If it is given, it must be correct in any case.',
    allowed: 'true or false',
  }),
  sessionDays: required({
    name: 'SESSION_DAYS',
    parse: integer(1, 365),
    fallback: '14',
    description: 'The number of days a browser stays signed in.',
    allowed: 'a whole number from 1 to 365',
  }),
  pluginMemoryMegabytes: required({
    name: 'PLUGIN_MEMORY_MB',
    parse: integer(128, 65_536),
    fallback: '256',
    description:
      'The memory limit of each plugin that is not built in, in MB; above it, its process is ended. A small plugin uses 80.',
    allowed: 'a whole number from 128 to 65536',
  }),
  pluginsInstallEnabled: optional({
    name: 'PLUGINS_INSTALL_ENABLED',
    parse: parseBoolean,
    fallbackText: '`true` if `HOST` is this machine, otherwise `false`',
    description: 'Whether superusers can install and uninstall plugins through the API.',
    allowed: 'true or false',
  }),
  pluginInstallSeconds: required({
    name: 'PLUGIN_INSTALL_SECONDS',
    parse: integer(1, 3_600),
    fallback: '120',
    description: 'The maximum number of seconds for fetching a plugin. Other requests wait during that time.',
    allowed: 'a whole number from 1 to 3600',
  }),
  chromePath: optional({
    name: 'CHROME_PATH',
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
    fallbackText: 'the included one, for x86-64 Linux, unpacked into `DATA_DIR`',
    description: 'The Chrome or Chromium for printing labels and reports.',
    allowed: 'the path of a program',
  }),
  printMemoryMegabytes: required({
    name: 'PRINT_MEMORY_MB',
    parse: integer(512, 65_536),
    fallback: '1536',
    description:
      'The memory limit of the browser for printing one document, in MB; larger documents are rejected. At most three documents are printed at once, two of them for one account.',
    allowed: 'a whole number from 512 to 65536',
  }),
  printSeconds: required({
    name: 'PRINT_SECONDS',
    parse: integer(1, 3_600),
    fallback: '30',
    description: 'The maximum number of seconds for printing one document; slower documents are rejected.',
    allowed: 'a whole number from 1 to 3600',
  }),
  signInRate: required({
    name: 'SIGN_IN_RATE',
    parse: integer(1, 100_000),
    fallback: '60',
    description:
      'The number of sign-ins, right or wrong, and of emails with links that a network address may request in a minute; as many wrong passwords by Basic authentication. An IPv6 address counts as its /64.',
    allowed: 'a whole number from 1 to 100000',
  }),
  registrationRate: required({
    name: 'REGISTRATION_RATE',
    parse: integer(1, 100_000),
    fallback: '60',
    description: 'The number of registrations that a network address may try in a minute.',
    allowed: 'a whole number from 1 to 100000',
  }),
  wrongCredentials: required({
    name: 'WRONG_CREDENTIALS',
    parse: integer(1, 100_000),
    fallback: '10',
    description:
      'The number of wrong passwords, codes or reset links of one account that a network address may send in five minutes.',
    allowed: 'a whole number from 1 to 100000',
  }),
  mailAgainSeconds: required({
    name: 'MAIL_AGAIN_SECONDS',
    parse: integer(0, 86_400),
    fallback: '60',
    description:
      'The number of seconds before the same email can be sent again; an earlier request is accepted, but sends nothing.',
    allowed: 'a whole number from 0 to 86400',
  }),
  ssoProviders: required<readonly SsoProvider[]>({
    name: 'SSO_PROVIDERS',
    parse: (text) => readProviders('SSO_PROVIDERS', text),
    fallback: '[]',
    fallbackText: 'none',
    description: 'The single sign-on providers: see [accounts and permissions](guides/accounts.md#single-sign-on).',
    allowed: 'a JSON list of providers',
    redact: maskSecret,
  }),
  ssoProvidersFile: optional({
    name: 'SSO_PROVIDERS_FILE',
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
    fallbackText: 'none',
    description: 'A file with the content of `SSO_PROVIDERS`, so that no secret is in the environment.',
    allowed: 'the path of a JSON file',
  }),
  metricsToken: optional({
    name: 'METRICS_TOKEN',
    parse: (text) => (/^[\x21-\x7e]{16,}$/.test(text) ? text : undefined),
    fallbackText: 'none',
    description:
      'The token that gives access to `/metrics` (`Authorization: Bearer ...`). Without it, the metrics are available only on this machine, and not through a proxy.',
    allowed: 'at least 16 printable characters, no space',
    redact: maskSecret,
  }),
  instanceName: required({
    name: 'INSTANCE_NAME',
    parse: (text) => (/^[^\p{Cc}<>]{1,100}$/u.test(text) ? text : undefined),
    fallback: 'Stockroom',
    description: 'The name of this installation for its clients.',
    allowed: '1 to 100 characters, no control characters, < or >',
  }),
  wireForm: required({
    name: 'WIRE_FORM',
    parse: oneOf(WIRE_FORMS),
    fallback: 'specification',
    description: 'Whether responses follow the specification, or have the form that existing InvenTree clients expect.',
    allowed: WIRE_FORMS.join(' or '),
  }),
  inventreeApi: required({
    name: 'INVENTREE_API',
    parse: oneOf(API_VERSIONS),
    fallback: '196',
    description:
      'With `WIRE_FORM=inventree`: the API version of InvenTree that clients know, where 196 (release 0.15) and 530 (release 1.5) contradict each other. The paths of both are always there. Otherwise it has no effect, and the version is 196.',
    allowed: API_VERSIONS.join(' or '),
  }),
  maxPageSize: required({
    name: 'MAX_PAGE_SIZE',
    parse: integer(1, 1_000_000),
    fallback: '10000',
    description: 'The maximum number of rows on one page of a list.',
    allowed: 'a whole number from 1 to 1000000',
  }),
  bodyLimit: required({
    name: 'BODY_LIMIT',
    parse: integer(1_024, 1_073_741_824),
    fallback: '1048576',
    description:
      'The maximum size of a JSON body of a request, in bytes, not counting a file in it. Public operations accept at most 65536.',
    allowed: 'a whole number from 1024 to 1073741824',
  }),
  maxFileBytes: required({
    name: 'MAX_FILE_BYTES',
    parse: integer(1_024, 1_073_741_824),
    fallback: '10485760',
    description: 'The maximum size of a file, in bytes, in any form.',
    allowed: 'a whole number from 1024 to 1073741824',
  }),
  requestSeconds: required({
    name: 'REQUEST_SECONDS',
    parse: integer(1, 3_600),
    fallback: '60',
    description:
      'The maximum number of seconds for a request to arrive, from its first byte to the end of its body; 15 at most for its URL and headers. Slower requests are rejected with 408, and their connection is closed.',
    allowed: 'a whole number from 1 to 3600',
  }),
  maxConnections: required({
    name: 'MAX_CONNECTIONS',
    parse: integer(1, 1_000_000),
    fallback: '2000',
    description: 'The maximum number of open connections of clients. Further ones are closed immediately.',
    allowed: 'a whole number from 1 to 1000000',
  }),
  maxConnectionsPerAddress: required({
    name: 'MAX_CONNECTIONS_PER_ADDRESS',
    parse: integer(1, 1_000_000),
    fallback: '1000',
    description:
      'The maximum number of these connections from one network address; an IPv6 address counts as its /64. Connections of proxies in `TRUST_PROXY` are not counted, because they belong to all their clients: limit clients in the proxy.',
    allowed: 'a whole number from 1 to 1000000',
  }),
  s3Bucket: optional({
    name: 'S3_BUCKET',
    parse: (text) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : undefined),
    fallbackText: 'none: files are stored in `DATA_DIR/media`',
    description:
      'The bucket of S3, or of a compatible store, for files instead of `DATA_DIR/media`: see [files in a bucket](guides/operation.md#files-in-a-bucket).',
    allowed: '3 to 63 lower-case letters, digits, dots or dashes',
  }),
  s3Prefix: required({
    name: 'S3_PREFIX',
    parse: (text) => (/^(\w[\w-]*(\/\w[\w-]*)*)?$/.test(text) && text.length <= 200 ? text : undefined),
    fallback: '',
    fallbackText: 'none',
    description: 'The prefix of file paths in the bucket. Nothing else may use it.',
    allowed: 'names of letters, digits, dashes and underscores, with / between them',
  }),
  s3Endpoint: optional({
    name: 'S3_ENDPOINT',
    parse: parseOrigin,
    fallbackText: 'the AWS endpoint for `S3_REGION`',
    description: 'The endpoint of the store.',
    allowed: 'an origin like https://s3.example.com',
  }),
  s3Region: required({
    name: 'S3_REGION',
    parse: (text) => (/^[a-z0-9-]{1,50}$/.test(text) ? text : undefined),
    fallback: 'us-east-1',
    description: 'The region of the bucket.',
    allowed: 'lower-case letters, digits and dashes',
  }),
  s3PathStyle: required({
    name: 'S3_PATH_STYLE',
    parse: parseBoolean,
    fallback: 'false',
    description:
      'Whether the bucket is in the path of the URL instead of in its host name, as many stores other than AWS require.',
    allowed: 'true or false',
  }),
  s3AccessKeyId: optional({
    name: 'S3_ACCESS_KEY_ID',
    parse: (text) => (/^[\x21-\x7e]{1,200}$/.test(text) ? text : undefined),
    fallbackText: 'the default credentials of the AWS SDK, from the environment or the machine',
    description: 'The access key for the store. Needs `S3_SECRET_ACCESS_KEY`.',
    allowed: '1 to 200 characters without spaces',
    redact: maskSecret,
  }),
  s3SecretAccessKey: optional({
    name: 'S3_SECRET_ACCESS_KEY',
    parse: (text) => (/^[\x21-\x7e]{1,200}$/.test(text) ? text : undefined),
    fallbackText: 'as above',
    description: 'The secret of the access key. Needs `S3_ACCESS_KEY_ID`.',
    allowed: '1 to 200 characters without spaces',
    redact: maskSecret,
  }),
  s3SignedLinks: required({
    name: 'S3_SIGNED_LINKS',
    parse: parseBoolean,
    fallback: 'false',
    description:
      'Whether `/media/` redirects users with permission to read a file to the store itself, by a link that works for anyone for five minutes, instead of passing the file through.',
    allowed: 'true or false',
  }),
  fileHosts: required<readonly string[]>({
    name: 'FILE_HOSTS',
    parse: list((item) => (/^[a-z0-9.-]+(:\d{1,5})?$/.test(item.toLowerCase()) ? item.toLowerCase() : undefined)),
    fallback: '',
    fallbackText: 'none',
    description:
      'Hosts that template files are fetched from when they are printed, if a template has a URL instead of a file. Authors of templates can send requests of their choice to these hosts.',
    allowed: 'host names, with their port where it is not the usual one, separated by commas',
  }),
  fetchAllowedHosts: required<readonly string[]>({
    name: 'FETCH_ALLOWED_HOSTS',
    parse: list((item) => parseHostName(item.toLowerCase())?.toLowerCase() ?? parseNetworkAddress(item)),
    fallback: '',
    fallbackText: 'none',
    description:
      'Hosts and networks outside the public internet that Stockroom may fetch from when a client names a URL: a remote image, a setting of a plugin such as the source of exchange rates, the feed of `NEWS_FEED_URL`, and the redirects of these and of plugin packages.',
    allowed: 'host names, IP addresses and networks like 10.0.0.0/8, separated by commas',
  }),
  printedFileDays: required({
    name: 'PRINTED_FILE_DAYS',
    parse: integer(1, 3_650),
    fallback: '5',
    description: 'The number of days that printed labels and reports are stored.',
    allowed: 'a whole number from 1 to 3650',
  }),
  eventDays: required({
    name: 'EVENT_DAYS',
    parse: integer(1, 365),
    fallback: '7',
    description:
      'The number of days that events are stored for a listener that has not received them, such as a failing plugin. Received events are deleted after a day.',
    allowed: 'a whole number from 1 to 365',
  }),
  newsFeedUrl: optional({
    name: 'NEWS_FEED_URL',
    parse: (text) => (/^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined),
    fallbackText: 'none: there is no news',
    description: 'A public feed (RSS or Atom) that is read once a day; staff find its entries under `/api/news/`.',
    allowed: 'an http or https URL',
  }),
  flags: required<readonly string[]>({
    name: 'FLAGS',
    parse: list((item) => (/^[A-Z][A-Z0-9_]{0,49}$/.test(item) ? item : undefined)),
    fallback: '',
    fallbackText: 'none',
    description:
      'The enabled feature flags: names of features that clients may offer before they are generally available. `/api/flags/` lists them; they have no effect on the service itself.',
    allowed: 'names of upper-case letters, digits and _, separated by commas, like EXPERIMENTAL',
  }),
  logLevel: required({
    name: 'LOG_LEVEL',
    parse: oneOf(logLevels),
    fallback: 'info',
    description: 'The minimum severity of log entries.',
    allowed: logLevels.join(', '),
  }),
  logFormat: optional({
    name: 'LOG_FORMAT',
    parse: oneOf(logFormats),
    fallbackText: '`text` on a terminal, otherwise `json`',
    description:
      'Whether the log has lines for people or JSON for a log collector. Lines are colored on a terminal; `NO_COLOR` and `FORCE_COLOR` are respected.',
    allowed: logFormats.join(' or '),
  }),
}

type Variables = typeof variables
type Settings = { -readonly [Key in keyof Variables]: Variables[Key] extends Variable<infer Value> ? Value : never }

/** Every setting of the process, validated. Only `loadConfig` makes one. */
export type Config = Readonly<
  Omit<Settings, 'siteUrl' | 'wireForm' | 'inventreeApi' | 'ssoProvidersFile' | 'pluginsInstallEnabled'> & {
    siteUrl: string
    /** Whether the service itself serves HTTPS. */
    isSecure: boolean
    pluginsInstallEnabled: boolean
    /** What `WIRE_FORM` and `INVENTREE_API` decide. */
    wire: Wire
    /** The names of the variables that are set in the environment. */
    setVariables: readonly string[]
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
  for (const [key, variable] of Object.entries(variables)) settings[key] = readVariable(variable, environment)
  const { siteUrl, ssoProvidersFile, wireForm, inventreeApi, ...rest } = settings as Settings

  if ((rest.adminUsername === undefined) !== (rest.adminPassword === undefined)) {
    const [present, missing] = rest.adminUsername ? ['USERNAME', 'PASSWORD'] : ['PASSWORD', 'USERNAME']
    throw new ConfigError(`ADMIN_${present} is set but ADMIN_${missing} is not: allowed are both or neither`)
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
    siteUrl: siteUrl ?? buildListenUrl(rest.host, rest.port, isSecure),
    pluginsInstallEnabled: rest.pluginsInstallEnabled ?? isLoopback(rest.host),
    wire: readWire(wireForm, inventreeApi),
    setVariables: VARIABLES.filter((name) => environment[name]),
  })
}

/** Whether a host is reachable only from this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

function readVariable(variable: Variable<unknown>, environment: NodeJS.ProcessEnv): unknown {
  const text = environment[variable.name] || variable.fallback
  if (text === undefined) return undefined
  const value = variable.parse(text)
  if (value !== undefined) return value
  const displayText = (variable.redact ?? quoteValue)(text)
  throw new ConfigError(`${variable.name} is ${displayText}; allowed: ${variable.allowed}`)
}

/** Whether a host stands for every address of the machine. */
export const isWildcardHost = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** The address of a listener as a URL, without a trailing slash. When it listens on all addresses, the URL uses this machine's. */
export function buildListenUrl(host: string, port: number, isSecure = false): string {
  const name = isWildcardHost(host) ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host
  return `${isSecure ? 'https' : 'http'}://${name}:${port}`
}

/**
 * Address of the service for other machines, without a trailing slash: SITE_URL unless that is a loopback address, otherwise the first address
 * of a machine that listens on all of them. Undefined when no other machine can reach it.
 * @param url the address that it listens on
 */
export function findNetworkUrl(url: string, { host, siteUrl }: Pick<Config, 'host' | 'siteUrl'>): string | undefined {
  if (isLoopback(host)) return undefined
  const name = new URL(siteUrl).hostname.replace(/^\[|\]$/g, '')
  if (!isLoopback(name)) return siteUrl
  const ownAddress = listOwnAddresses().find((address) => isIP(address) === 4)
  return ownAddress && url.replace(/^(\w+:\/\/)[^/]*(:\d+)$/, `$1${ownAddress}$2`)
}

/** The table of docs/configuration.md, in Markdown. */
export function formatConfigurationTable(): string {
  const rows = Object.values<Variable<unknown>>(variables).map(({ name, fallback, fallbackText, description, allowed }) => {
    const cells = [`\`${name}\``, fallbackText ?? `\`${fallback}\``, allowed, description]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return ['| Variable | Default | Allowed | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}
