import type { Mixin, SettingDefinition, SettingDefinitions } from '../plugin-api/index.ts'
import { functionsOf, functionsOfDriver } from './hooks.ts'
import { type DriverManifest, type Manifest, PluginFailure } from './running.ts'

type UntrustedManifest = Record<string, unknown>

/** Reserved words in the position of slugs in the URLs of `/api/plugins/`. */
const taken = ['activate', 'install', 'metadata', 'reload', 'settings', 'status', 'ui']

const slugPattern = /^[a-z0-9][a-z0-9-]{0,99}$/
const versionPattern = /^\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,50})?(\+[0-9A-Za-z.-]{1,50})?$/
const settingPattern = /^[A-Z][A-Z0-9_]{0,49}$/
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/
const eventPattern = /^[A-Za-z0-9_.-]{1,100}$/
const linePattern = /^\P{Cc}*$/u
/** The beginning of an HTML tag or comment; any other `<` is text. */
const markupPattern = /<[a-z/!?]/i
/** An email address after a name, as in package.json. */
const mailPattern = /<([^<>\s]+@[^<>\s]+)>/g

const aName = 'letters, digits, dashes and underscores, 100 at most, the first a letter or digit'
const minutesOfYear = 525_600

/**
 * Checks a plugin's description of itself, and adds defaults. It is not trusted: it may come from a separate process.
 * @throws PluginFailure with the first error
 */
export function readManifest(described: unknown): Manifest {
  const said = objectOf(described, 'description of itself')
  const name = lineOf(said.name, 'name', 1, 100)
  const schedule = readSchedule(said.schedule)
  const actions = listOf(said.actions ?? [], 'actions', 100).map((item) => matching(item, 'action', namePattern, aName))
  const machineDrivers = readDrivers(said.machineDrivers)
  const hooks = readHooks(said.hooks, { schedule, actions, machineDrivers })
  const mixins = [...new Set(hooks.map((hook) => hook.split('.', 1)[0] as string))].filter((mixin) => mixin !== 'start')
  return {
    slug: readSlug(said.slug),
    name,
    title: said.title === undefined ? name : lineOf(said.title, 'title', 1, 100),
    version: versionOf(said.version, 'version'),
    description: lineOf(said.description ?? '', 'description', 0, 1_000),
    author: authorOf(said.author ?? ''),
    website: readWebsite(said.website ?? null),
    license: said.license === undefined || said.license === null ? null : lineOf(said.license, 'license', 0, 100),
    published: readDay(said.published ?? ''),
    ...(said.minVersion === undefined ? {} : { minVersion: versionOf(said.minVersion, 'minVersion') }),
    ...(said.maxVersion === undefined ? {} : { maxVersion: versionOf(said.maxVersion, 'maxVersion') }),
    settings: readSettings(said.settings ?? {}),
    mixins: mixins as Mixin[],
    schedule,
    actions,
    machineDrivers,
    events: readEvents(said.events),
    hooks,
  }
}

const refuse = (message: string): never => {
  throw new PluginFailure('load', message)
}

function objectOf(value: unknown, what: string): UntrustedManifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as UntrustedManifest)
    : refuse(`its ${what} is not an object`)
}

/** The entries of an object, up to a maximum number. */
function entriesOf(value: unknown, what: string, most: number): [string, unknown][] {
  const entries = Object.entries(objectOf(value, what))
  return entries.length > most ? refuse(`it has ${entries.length} ${what}; at most ${most} are allowed`) : entries
}

function listOf(value: unknown, what: string, most: number): unknown[] {
  if (!Array.isArray(value)) return refuse(`its ${what} are not a list`)
  return value.length > most ? refuse(`it has ${value.length} ${what}; at most ${most} are allowed`) : value
}

function matching(value: unknown, what: string, pattern: RegExp, rule: string): string {
  return typeof value === 'string' && pattern.test(value) ? value : refuse(`its ${what} ${shown(value)} is not ${rule}`)
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}...` : value)
    : `(${typeof value})`
}

/** Checks a text, as one line without HTML: it is also shown to anonymous callers, by programs that may not escape it. */
function lineOf(value: unknown, what: string, least: number, most: number): string {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : undefined
  const fits = text !== undefined && text.length >= least && text.length <= most && linePattern.test(text)
  if (!fits) return refuse(`its ${what} is not one line of ${least ? `${least} to ${most}` : `at most ${most}`} characters`)
  return markupPattern.test(text) ? refuse(`its ${what} contains HTML: < must not be followed by a letter or one of / ! ?`) : text
}

/** An author, with the address in parentheses. */
const authorOf = (value: unknown): string =>
  lineOf(typeof value === 'string' ? value.replace(mailPattern, '($1)') : value, 'author', 0, 200)

const versionOf = (value: unknown, what: string) => matching(value, what, versionPattern, 'a semantic version such as 1.0.0')

function readSlug(value: unknown): string {
  const slug = matching(value, 'slug', slugPattern, 'lower-case letters, digits and dashes, 100 at most, the first no dash')
  return taken.includes(slug) ? refuse(`its slug must not be ${slug}, which is a path of the service`) : slug
}

function readWebsite(value: unknown): string | null {
  if (value === null) return null
  const text = lineOf(value, 'website', 0, 500)
  const isAddress = /^https?:$/.test(URL.parse(text)?.protocol ?? '') && !/[<>"'\s]/.test(text)
  return isAddress ? text : refuse('its website is not an http or https URL')
}

function readDay(value: unknown): string {
  if (value === '') return ''
  const text = matching(value, 'published', /^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-01-31')
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(text) ? text : refuse(`its published ${text} is not a date`)
}

function readSchedule(value: unknown): Readonly<Record<string, number>> {
  const entries = entriesOf(value ?? {}, 'schedule', 50).map(([name, minutes]) => {
    matching(name, 'schedule', namePattern, aName)
    if (!isInteger(minutes, 1, minutesOfYear))
      refuse(`its schedule.${name}.everyMinutes is not a whole number from 1 to ${minutesOfYear}`)
    return [name, minutes]
  })
  return Object.fromEntries(entries)
}

function readEvents(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  return listOf(value, 'events', 200).map((name) =>
    matching(name, 'event', eventPattern, 'letters, digits, dots, dashes and underscores'),
  )
}

function readDrivers(value: unknown): Readonly<Record<string, DriverManifest>> {
  const entries = entriesOf(value ?? {}, 'machineDrivers', 50).map(([slug, given]) => {
    matching(slug, 'driver', slugPattern, 'lower-case letters, digits and dashes, 100 at most, the first no dash')
    const what = `machineDrivers.${slug}`
    const said = objectOf(given, what)
    if (said.type !== 'label-printer') refuse(`its ${what}.type ${shown(said.type)} is not label-printer`)
    if (said.labels !== 'pdf' && said.labels !== 'pictures')
      refuse(`its ${what}.labels ${shown(said.labels)} is not pdf or pictures`)
    const settings = readSettings(said.settings ?? {})
    if (said.labels === 'pictures' && settings.DPI?.type !== 'integer') refuse(`its ${what} has no integer setting DPI`)
    return [
      slug,
      {
        name: lineOf(said.name, `${what}.name`, 1, 100),
        description: lineOf(said.description ?? '', `${what}.description`, 0, 500),
        ...{ type: said.type, labels: said.labels, settings },
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
    for (const name of functionsOfDriver) possible.add(`machineDrivers.${slug}.${name}`)
  for (const [mixin, names] of Object.entries(functionsOf)) for (const name of names) possible.add(`${mixin}.${name}`)
  const hooks = listOf(value, 'functions', 300)
  for (const hook of hooks)
    if (typeof hook !== 'string' || !possible.has(hook)) refuse(`it cannot have a function ${shown(hook)}`)
  return [...new Set(hooks as string[])]
}

const isInteger = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most

function readSettings(value: unknown): SettingDefinitions {
  const entries = entriesOf(value, 'settings', 200).map(([key, definition]) => {
    matching(key, 'setting', settingPattern, 'upper-case letters, digits and underscores, 50 at most, the first a letter')
    return [key, readSetting(objectOf(definition, `setting ${key}`), `setting ${key}`)]
  })
  return Object.fromEntries(entries)
}

/** Reads one setting, limited to the known properties of settings. */
function readSetting(said: UntrustedManifest, what: string): SettingDefinition {
  const described = {
    name: lineOf(said.name, `${what}: name`, 1, 100),
    description: lineOf(said.description ?? '', `${what}: description`, 0, 500),
    ...flagsOf(said, what),
  }
  const wrong = (rule: string) => refuse(`its ${what}: default is ${rule}`)
  switch (said.type) {
    case 'boolean':
      return {
        ...described,
        type: 'boolean',
        default: typeof said.default === 'boolean' ? said.default : wrong('not true or false'),
      }
    case 'integer':
      return { ...described, type: 'integer', ...readInteger(said, what) }
    case 'string':
      return {
        ...described,
        type: 'string',
        default:
          typeof said.default === 'string' && said.default.length <= 2_000
            ? said.default
            : wrong('not a text of at most 2000 characters'),
      }
    case 'choice': {
      const choices = readChoices(said.choices, what)
      const found = choices.find((choice) => choice.value === said.default)
      return { ...described, type: 'choice', choices, default: found ? found.value : wrong('not one of its choices') }
    }
    case 'model':
      return {
        ...described,
        type: 'model',
        model: matching(
          said.model,
          `${what}: model`,
          /^[a-z_]{1,50}(\.[a-z_]{1,50})?$/,
          'the name of a model such as company.company',
        ),
        apiUrl: matching(
          said.apiUrl,
          `${what}: apiUrl`,
          /^\/api\/([a-z-]{1,50}\/){1,5}$/,
          'the address of a list such as /api/company/',
        ),
      }
    default:
      return refuse(`its ${what}: type is not boolean, integer, string, choice or model`)
  }
}

function flagsOf(said: UntrustedManifest, what: string): { required?: boolean; protected?: boolean } {
  const flags: { required?: boolean; protected?: boolean } = {}
  for (const name of ['required', 'protected'] as const) {
    const value = said[name]
    if (value === undefined) continue
    flags[name] = typeof value === 'boolean' ? value : refuse(`its ${what}: ${name} is not true or false`)
  }
  return flags
}

function readInteger(said: UntrustedManifest, what: string): { default: number; min?: number; max?: number; units?: string } {
  const { min, max } = said
  for (const [name, value] of Object.entries({ min, max }))
    if (value !== undefined && !Number.isSafeInteger(value)) refuse(`its ${what}: ${name} is not a whole number`)
  const least = (min ?? Number.MIN_SAFE_INTEGER) as number
  const most = (max ?? Number.MAX_SAFE_INTEGER) as number
  const initial = said.default
  if (!isInteger(initial, least, most)) return refuse(`its ${what}: default is not a whole number from its min to its max`)
  return {
    default: initial,
    ...(min === undefined ? {} : { min: least }),
    ...(max === undefined ? {} : { max: most }),
    ...(said.units === undefined ? {} : { units: lineOf(said.units, `${what}: units`, 0, 50) }),
  }
}

function readChoices(value: unknown, what: string): { value: string; display_name: string }[] {
  return listOf(value, `choices of ${what}`, 200).map((item) => {
    const choice = objectOf(item, `choice of ${what}`)
    return {
      value: lineOf(choice.value, `${what}: value of a choice`, 0, 200),
      display_name: lineOf(choice.display_name, `${what}: display_name of a choice`, 1, 200),
    }
  })
}
