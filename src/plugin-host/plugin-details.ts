import type { Mixin } from '../plugin-api/index.ts'
import type { Found } from './discover.ts'
import type { Manifest } from './running.ts'

/** The names of mixins as existing clients know them, by what a plugin has. */
const NAMES: Record<Mixin, readonly string[]> = {
  barcode: ['barcode'],
  supplierBarcode: ['barcode', 'supplier-barcode'],
  labels: ['labels'],
  report: ['report'],
  events: ['events'],
  schedule: ['schedule'],
  validation: ['validation'],
  endpoints: ['urls'],
  mail: ['mail'],
  currencyRates: ['currencyexchange'],
  actions: ['action'],
  machineDrivers: ['machine'],
  locate: ['locate'],
}

/** Names of mixins for people, as existing clients know them. */
const HUMAN: Record<string, string> = {
  base: 'base',
  settings: 'Settings',
  settingscontent: 'SettingsContent',
  action: 'Actions',
  api_call: 'API calls',
  barcode: 'Barcode',
  'supplier-barcode': 'Barcode',
  currencyexchange: 'CurrentExchange',
  events: 'Events',
  labels: 'Label printing',
  locate: 'Locate',
  machine: 'Machines',
  mail: 'Mail',
  report: 'ReportContext',
  schedule: 'Schedule',
  urls: 'URLs',
  validation: 'Validation',
}

/** What clients are told of a plugin that lies here, beside its row. */
export type PluginDetails = {
  meta: Record<string, string | null>
  mixins: Record<string, { key: string; human_name: string }>
  is_builtin: boolean
  is_package: boolean
}

/** The keys of `meta`. All are null of a plugin that does not run. */
const NOTHING = {
  slug: null,
  human_name: null,
  description: null,
  author: null,
  pub_date: null,
  version: null,
  website: null,
  license: null,
  package_path: null,
  settings_url: null,
}

/** `meta` of a plugin that is not there, as JSON. */
export const NO_META = JSON.stringify(NOTHING)

/**
 * What clients are told of a plugin.
 * @param manifest what it says of itself, if that is known
 */
export function shownOf(found: Found, manifest: Manifest | undefined, runs: boolean): PluginDetails {
  const isBuiltIn = found.origin === 'builtin'
  return {
    meta: manifest && runs ? metaOf(found, manifest) : NOTHING,
    // what is switched off is not asked what it has; what comes with the service is known
    mixins: manifest && (runs || isBuiltIn) ? mixinsOf(found, manifest) : {},
    is_builtin: isBuiltIn,
    is_package: found.origin === 'package',
  }
}

const metaOf = ({ key, packagePath }: Found, manifest: Manifest) => ({
  slug: key,
  human_name: manifest.title,
  description: manifest.description,
  author: manifest.author,
  pub_date: manifest.published,
  version: manifest.version,
  website: manifest.website,
  license: manifest.license,
  package_path: packagePath,
  settings_url: `/settings/#select-plugin-${key}`,
})

function mixinsOf(found: Found, manifest: Manifest): PluginDetails['mixins'] {
  const hasSettings = Object.keys(manifest.settings).length > 0
  const names = new Set([
    'base',
    ...(hasSettings ? ['settings'] : []),
    ...manifest.mixins.flatMap((mixin) => NAMES[mixin]),
    ...found.mixins,
  ])
  return Object.fromEntries([...names].map((key) => [key, { key, human_name: HUMAN[key] ?? key }]))
}
