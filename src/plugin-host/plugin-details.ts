import type { Mixin } from '../plugin-api/index.ts'
import type { DiscoveredPlugin } from './discover.ts'
import type { Manifest } from './running.ts'

/** The names of mixins for existing clients, by the features of a plugin. */
const MIXIN_NAMES: Record<Mixin, readonly string[]> = {
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

/** Display names of mixins, as in existing clients. */
const DISPLAY_NAMES: Record<string, string> = {
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

/** The details of a plugin on this node for clients, in addition to its row. */
export type PluginDetails = {
  meta: Record<string, string | null>
  mixins: Record<string, { key: string; human_name: string }>
  is_builtin: boolean
  is_package: boolean
}

/** The keys of `meta`. All are null for a plugin that does not run. */
const EMPTY_META = {
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

/** `meta` of a missing plugin, as JSON. */
export const NO_META = JSON.stringify(EMPTY_META)

/**
 * The details of a plugin for clients.
 * @param manifest its description of itself, if known
 */
export function buildPluginDetails(
  discovered: DiscoveredPlugin,
  manifest: Manifest | undefined,
  isRunning: boolean,
): PluginDetails {
  const isBuiltIn = discovered.origin === 'builtin'
  return {
    meta: manifest && isRunning ? buildMeta(discovered, manifest) : EMPTY_META,
    // features of disabled plugins are hidden; those of built-in plugins are always known
    mixins: manifest && (isRunning || isBuiltIn) ? buildMixins(discovered, manifest) : {},
    is_builtin: isBuiltIn,
    is_package: discovered.origin === 'package',
  }
}

const buildMeta = ({ key, packagePath }: DiscoveredPlugin, manifest: Manifest) => ({
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

function buildMixins(discovered: DiscoveredPlugin, manifest: Manifest): PluginDetails['mixins'] {
  const hasSettings = Object.keys(manifest.settings).length > 0
  const names = new Set([
    'base',
    ...(hasSettings ? ['settings'] : []),
    ...manifest.mixins.flatMap((mixin) => MIXIN_NAMES[mixin]),
    ...discovered.mixins,
  ])
  return Object.fromEntries([...names].map((key) => [key, { key, human_name: DISPLAY_NAMES[key] ?? key }]))
}
