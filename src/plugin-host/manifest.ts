import type { Mixin, SettingDefinition, SettingDefinitions } from '../plugin-api/index.ts'
import { driverFunctions, mixinFunctions } from './hooks.ts'
import { type DriverManifest, type Manifest, PluginFailure } from './running.ts'

type UntrustedManifest = Record<string, unknown>

/** Reserved words in the position of slugs in the URLs of `/api/plugins/`. */
const reservedSlugs = ['activate', 'install', 'metadata', 'reload', 'settings', 'status', 'ui']

const slugPattern = /^[a-z0-9][a-z0-9-]{0,99}$/
const versionPattern = /^\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,50})?(\+[0-9A-Za-z.-]{1,50})?$/
const settingPattern = /^[A-Z][A-Z0-9_]{0,49}$/
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/
const eventPattern = /^[A-Za-z0-9_.-]{1,100}$/
const linePattern = /^\P{Cc}*$/u
/** The beginning of an HTML tag or comment; any other `<` is text. */
const markupPattern = /<[a-z/!?]/i
/** An email address after a name, as in package.json. */
const emailPattern = /<([^<>\s]+@[^<>\s]+)>/g

const nameRule = 'letters, digits, dashes and underscores, 100 at most, the first a letter or digit'
const minutesPerYear = 525_600

/**
 * Checks a plugin's description of itself, and adds defaults. It is not trusted: it may come from a separate process.
 * @throws PluginFailure with the first error
 */
export function readManifest(described: unknown): Manifest {
  const raw = readObject(described, 'description of itself')
  const name = readLine(raw.name, 'name', 1, 100)
  const schedule = readSchedule(raw.schedule)
  const actions = readList(raw.actions ?? [], 'actions', 100).map((item) => readMatching(item, 'action', namePattern, nameRule))
  const machineDrivers = readDrivers(raw.machineDrivers)
  const hooks = readHooks(raw.hooks, { schedule, actions, machineDrivers })
  const mixins = [...new Set(hooks.map((hook) => hook.split('.', 1)[0] as string))].filter((mixin) => mixin !== 'start')
  return {
    slug: readSlug(raw.slug),
    name,
    title: raw.title === undefined ? name : readLine(raw.title, 'title', 1, 100),
    version: readVersion(raw.version, 'version'),
    description: readLine(raw.description ?? '', 'description', 0, 1_000),
    author: readAuthor(raw.author ?? ''),
    website: readWebsite(raw.website ?? null),
    license: raw.license === undefined || raw.license === null ? null : readLine(raw.license, 'license', 0, 100),
    published: readDay(raw.published ?? ''),
    ...(raw.minVersion === undefined ? {} : { minVersion: readVersion(raw.minVersion, 'minVersion') }),
    ...(raw.maxVersion === undefined ? {} : { maxVersion: readVersion(raw.maxVersion, 'maxVersion') }),
    settings: readSettings(raw.settings ?? {}),
    userSettings: readSettings(raw.userSettings ?? {}),
    mixins: mixins as Mixin[],
    schedule,
    actions,
    machineDrivers,
    events: readEvents(raw.events),
    hooks,
  }
}

const reject = (message: string): never => {
  throw new PluginFailure('load', message)
}

function readObject(value: unknown, subject: string): UntrustedManifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as UntrustedManifest)
    : reject(`its ${subject} is not an object`)
}

/** The entries of an object, up to a maximum number. */
function readEntries(value: unknown, subject: string, maximum: number): [string, unknown][] {
  const entries = Object.entries(readObject(value, subject))
  return entries.length > maximum ? reject(`it has ${entries.length} ${subject}; at most ${maximum} are allowed`) : entries
}

function readList(value: unknown, subject: string, maximum: number): unknown[] {
  if (!Array.isArray(value)) return reject(`its ${subject} are not a list`)
  return value.length > maximum ? reject(`it has ${value.length} ${subject}; at most ${maximum} are allowed`) : value
}

function readMatching(value: unknown, subject: string, pattern: RegExp, rule: string): string {
  return typeof value === 'string' && pattern.test(value) ? value : reject(`its ${subject} ${quoteValue(value)} is not ${rule}`)
}

function quoteValue(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}...` : value)
    : `(${typeof value})`
}

/** Checks that a value is one line of text without HTML: it is also shown to anonymous callers, by programs that may not escape it. */
function readLine(value: unknown, subject: string, minimum: number, maximum: number): string {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : undefined
  const isValid = text !== undefined && text.length >= minimum && text.length <= maximum && linePattern.test(text)
  if (!isValid)
    return reject(`its ${subject} is not one line of ${minimum ? `${minimum} to ${maximum}` : `at most ${maximum}`} characters`)
  return markupPattern.test(text)
    ? reject(`its ${subject} contains HTML: < must not be followed by a letter or one of / ! ?`)
    : text
}

/** An author, with the URL in parentheses. */
const readAuthor = (value: unknown): string =>
  readLine(typeof value === 'string' ? value.replace(emailPattern, '($1)') : value, 'author', 0, 200)

const readVersion = (value: unknown, subject: string) =>
  readMatching(value, subject, versionPattern, 'a semantic version such as 1.0.0')

function readSlug(value: unknown): string {
  const slug = readMatching(value, 'slug', slugPattern, 'lower-case letters, digits and dashes, 100 at most, the first no dash')
  // a URL with digits alone names a plugin by its primary key
  if (/^\d+$/.test(slug)) return reject('its slug must not consist of digits alone')
  return reservedSlugs.includes(slug) ? reject(`its slug must not be ${slug}, which is a path of the service`) : slug
}

function readWebsite(value: unknown): string | null {
  if (value === null) return null
  const text = readLine(value, 'website', 0, 500)
  const isUrl = /^https?:$/.test(URL.parse(text)?.protocol ?? '') && !/[<>"'\s]/.test(text)
  return isUrl ? text : reject('its website is not an http or https URL')
}

function readDay(value: unknown): string {
  if (value === '') return ''
  const text = readMatching(value, 'published', /^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-01-31')
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(text) ? text : reject(`its published ${text} is not a date`)
}

function readSchedule(value: unknown): Readonly<Record<string, number>> {
  const entries = readEntries(value ?? {}, 'schedule', 50).map(([name, minutes]) => {
    readMatching(name, 'schedule', namePattern, nameRule)
    if (!isInteger(minutes, 1, minutesPerYear))
      reject(`its schedule.${name}.everyMinutes is not a whole number from 1 to ${minutesPerYear}`)
    return [name, minutes]
  })
  return Object.fromEntries(entries)
}

function readEvents(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  return readList(value, 'events', 200).map((name) =>
    readMatching(name, 'event', eventPattern, 'letters, digits, dots, dashes and underscores'),
  )
}

function readDrivers(value: unknown): Readonly<Record<string, DriverManifest>> {
  const entries = readEntries(value ?? {}, 'machineDrivers', 50).map(([slug, rawDriver]) => {
    readMatching(slug, 'driver', slugPattern, 'lower-case letters, digits and dashes, 100 at most, the first no dash')
    const subject = `machineDrivers.${slug}`
    const raw = readObject(rawDriver, subject)
    if (raw.type !== 'label-printer') reject(`its ${subject}.type ${quoteValue(raw.type)} is not label-printer`)
    if (raw.labels !== 'pdf' && raw.labels !== 'pictures')
      reject(`its ${subject}.labels ${quoteValue(raw.labels)} is not pdf or pictures`)
    const settings = readSettings(raw.settings ?? {})
    if (raw.labels === 'pictures' && settings.DPI?.type !== 'integer') reject(`its ${subject} has no integer setting DPI`)
    return [
      slug,
      {
        name: readLine(raw.name, `${subject}.name`, 1, 100),
        description: readLine(raw.description ?? '', `${subject}.description`, 0, 500),
        ...{ type: raw.type, labels: raw.labels, settings },
      },
    ]
  })
  return Object.fromEntries(entries)
}

/** The paths of functions, limited to those that its mixins can have. */
function readHooks(
  value: unknown,
  { schedule, actions, machineDrivers }: Pick<Manifest, 'schedule' | 'actions' | 'machineDrivers'>,
): string[] {
  const possible = new Set(['start', ...actions.map((name) => `actions.${name}`)])
  for (const name of Object.keys(schedule)) possible.add(`schedule.${name}.run`)
  for (const slug of Object.keys(machineDrivers))
    for (const name of driverFunctions) possible.add(`machineDrivers.${slug}.${name}`)
  for (const [mixin, names] of Object.entries(mixinFunctions)) for (const name of names) possible.add(`${mixin}.${name}`)
  const hooks = readList(value, 'functions', 300)
  for (const hook of hooks)
    if (typeof hook !== 'string' || !possible.has(hook)) reject(`it cannot have a function ${quoteValue(hook)}`)
  return [...new Set(hooks as string[])]
}

const isInteger = (value: unknown, minimum: number, maximum: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum

function readSettings(value: unknown): SettingDefinitions {
  const entries = readEntries(value, 'settings', 200).map(([key, definition]) => {
    readMatching(key, 'setting', settingPattern, 'upper-case letters, digits and underscores, 50 at most, the first a letter')
    return [key, readSetting(readObject(definition, `setting ${key}`), `setting ${key}`)]
  })
  return Object.fromEntries(entries)
}

/** Reads one setting, limited to the known properties of settings. */
function readSetting(raw: UntrustedManifest, subject: string): SettingDefinition {
  const described = {
    name: readLine(raw.name, `${subject}: name`, 1, 100),
    description: readLine(raw.description ?? '', `${subject}: description`, 0, 500),
    ...readFlags(raw, subject),
  }
  const rejectDefault = (rule: string) => reject(`its ${subject}: default is ${rule}`)
  switch (raw.type) {
    case 'boolean':
      return {
        ...described,
        type: 'boolean',
        default: typeof raw.default === 'boolean' ? raw.default : rejectDefault('not true or false'),
      }
    case 'integer':
      return { ...described, type: 'integer', ...readInteger(raw, subject) }
    case 'string':
      return {
        ...described,
        type: 'string',
        default:
          typeof raw.default === 'string' && raw.default.length <= 2_000
            ? raw.default
            : rejectDefault('not a text of at most 2000 characters'),
      }
    case 'choice': {
      const choices = readChoices(raw.choices, subject)
      const match = choices.find((choice) => choice.value === raw.default)
      return { ...described, type: 'choice', choices, default: match ? match.value : rejectDefault('not one of its choices') }
    }
    case 'model':
      return {
        ...described,
        type: 'model',
        model: readMatching(
          raw.model,
          `${subject}: model`,
          /^[a-z_]{1,50}(\.[a-z_]{1,50})?$/,
          'the name of a model such as company.company',
        ),
        apiUrl: readMatching(
          raw.apiUrl,
          `${subject}: apiUrl`,
          /^\/api\/([a-z-]{1,50}\/){1,5}$/,
          'the address of a list such as /api/company/',
        ),
      }
    default:
      return reject(`its ${subject}: type is not boolean, integer, string, choice or model`)
  }
}

function readFlags(raw: UntrustedManifest, subject: string): { required?: boolean; protected?: boolean } {
  const flags: { required?: boolean; protected?: boolean } = {}
  for (const name of ['required', 'protected'] as const) {
    const value = raw[name]
    if (value === undefined) continue
    flags[name] = typeof value === 'boolean' ? value : reject(`its ${subject}: ${name} is not true or false`)
  }
  return flags
}

function readInteger(raw: UntrustedManifest, subject: string): { default: number; min?: number; max?: number; units?: string } {
  const { min, max } = raw
  for (const [name, value] of Object.entries({ min, max }))
    if (value !== undefined && !Number.isSafeInteger(value)) reject(`its ${subject}: ${name} is not a whole number`)
  const minimum = (min ?? Number.MIN_SAFE_INTEGER) as number
  const maximum = (max ?? Number.MAX_SAFE_INTEGER) as number
  const initial = raw.default
  if (!isInteger(initial, minimum, maximum))
    return reject(`its ${subject}: default is not a whole number from its min to its max`)
  return {
    default: initial,
    ...(min === undefined ? {} : { min: minimum }),
    ...(max === undefined ? {} : { max: maximum }),
    ...(raw.units === undefined ? {} : { units: readLine(raw.units, `${subject}: units`, 0, 50) }),
  }
}

function readChoices(value: unknown, subject: string): { value: string; display_name: string }[] {
  return readList(value, `choices of ${subject}`, 200).map((item) => {
    const choice = readObject(item, `choice of ${subject}`)
    return {
      value: readLine(choice.value, `${subject}: value of a choice`, 0, 200),
      display_name: readLine(choice.display_name, `${subject}: display_name of a choice`, 1, 200),
    }
  })
}
