import type { Hooks, Mixin } from '../plugin-api/index.ts'

/** A function of a plugin, with its own object as `this`. */
export type Hook = (...args: unknown[]) => unknown

/** A mixin whose functions have fixed names. */
type FixedMixin = Exclude<Mixin, 'schedule' | 'actions' | 'machineDrivers'>

/** The functions of each mixin. */
export const mixinFunctions = {
  barcode: ['scan', 'generate'],
  supplierBarcode: ['read'],
  labels: ['print'],
  report: ['variables'],
  events: ['handle'],
  validation: ['part', 'serialNumber', 'batchCode', 'reference', 'newBatchCode', 'nextSerialNumber'],
  endpoints: ['answer'],
  mail: ['send'],
  currencyRates: ['rates'],
  locate: ['item', 'location'],
} as const satisfies { [One in FixedMixin]: readonly (keyof NonNullable<Hooks[One]>)[] }

/** The functions of a machine driver; the first one is required. */
export const driverFunctions = ['print', 'status', 'init'] as const

/** A plugin's description of itself, as unchecked plain data (`manifest.ts` checks it), and its functions by path. */
export type PluginDescription = { manifestData: Record<string, unknown>; hooks: ReadonlyMap<string, Hook> }

const textFields = [
  'slug',
  'name',
  'title',
  'version',
  'description',
  'author',
  'website',
  'license',
  'published',
  'minVersion',
  'maxVersion',
] as const

/**
 * Describes the default export of a module. It runs where the plugin runs.
 * @throws Error with a human-readable message if it is not a plugin
 */
export function describePlugin(exported: unknown): PluginDescription {
  const plugin = getDefaultExport(exported)
  if (!isObject(plugin)) throw new Error('its default export is not a plugin: use the result of definePlugin')
  const hooks = new Map<string, Hook>()
  if (plugin.start !== undefined) hooks.set('start', readFunction(plugin, 'start', 'start'))
  for (const [mixin, names] of Object.entries(mixinFunctions)) {
    if (plugin[mixin] !== undefined) addFunctions(hooks, mixin, readObject(plugin, mixin), names)
  }
  const schedule: Record<string, unknown> = {}
  for (const name of readNames(plugin, 'schedule')) {
    const entry = readObject(plugin.schedule as object, name, `schedule.${name}`)
    hooks.set(`schedule.${name}.run`, readFunction(entry, 'run', `schedule.${name}.run`))
    schedule[name] = entry.everyMinutes
  }
  const actions = readNames(plugin, 'actions')
  for (const name of actions) hooks.set(`actions.${name}`, readFunction(plugin.actions as object, name, `actions.${name}`))
  const machineDrivers: Record<string, unknown> = {}
  for (const slug of readNames(plugin, 'machineDrivers')) {
    const path = `machineDrivers.${slug}`
    const driver = readObject(plugin.machineDrivers as object, slug, path)
    for (const name of driverFunctions)
      if (name === 'print' || driver[name] !== undefined)
        hooks.set(`${path}.${name}`, readFunction(driver, name, `${path}.${name}`))
    const { name, description, type, labels, settings } = driver
    machineDrivers[slug] = { name, description, type, labels, settings }
  }

  const manifestData: Record<string, unknown> = {
    ...{
      schedule,
      actions,
      machineDrivers,
      hooks: [...hooks.keys()],
      settings: plugin.settings,
      userSettings: plugin.userSettings,
    },
  }
  if (isObject(plugin.events)) manifestData.events = plugin.events.names
  for (const name of textFields) manifestData[name] = plugin[name]
  return { manifestData, hooks }
}

/** Code compiled to CommonJS has its default export one level deeper. */
const getDefaultExport = (exported: unknown): unknown =>
  isObject(exported) && exported.__esModule === true ? exported.default : exported

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readObject(owner: object, name: string, path = name): Record<string, unknown> {
  const value = (owner as Record<string, unknown>)[name]
  if (!isObject(value)) throw new Error(`its ${path} is not an object`)
  return value
}

function readFunction(owner: object, name: string, path: string): Hook {
  const value = (owner as Record<string, unknown>)[name]
  if (typeof value !== 'function') throw new Error(`its ${path} is not a function`)
  return value.bind(owner)
}

/** The names that a plugin defines itself. */
const readNames = (plugin: Record<string, unknown>, mixin: string): string[] =>
  plugin[mixin] === undefined ? [] : Object.keys(readObject(plugin, mixin))

/** Adds the functions of a mixin. A mixin with one function requires it; one with several requires at least one. */
function addFunctions(hooks: Map<string, Hook>, mixin: string, owner: Record<string, unknown>, names: readonly string[]): void {
  const functionNames = names.length === 1 ? names : names.filter((name) => owner[name] !== undefined)
  if (functionNames.length === 0) throw new Error(`its ${mixin} has no function; it can have ${names.join(', ')}`)
  for (const name of functionNames) hooks.set(`${mixin}.${name}`, readFunction(owner, name, `${mixin}.${name}`))
}
