import { language, type PlainKey, t } from '../../../kit/language/language.ts'
import type { OwnedSetting, SettingTexts } from '../owned-setting.ts'
import { builtInTexts } from './built-in-texts.ts'

/** A plugin, as in `/api/web/plugins/`. */
export type Plugin = {
  pk: number
  /** Its slug. */
  key: string
  title: string
  description: string
  author: string
  version: string
  published: string
  website: string | null
  license: string | null
  origin: 'builtin' | 'folder' | 'package' | 'missing'
  /** The package that was requested at its installation. */
  requirement: string | null
  installed_at: string | null
  active: boolean
  is_running: boolean
  is_always_on: boolean
  /** Names of its features in its code. */
  features: readonly string[]
  setting_count: number
}

export type PluginList = { can_install: boolean; install_off: 'setting' | 'host' | null; plugins: readonly Plugin[] }

/** Errors of plugins, and reasons why features are not used, as in `/api/plugins/status/`. */
export type PluginStatus = {
  registry_errors: readonly { stage: string; name: string; message: string }[]
  waiting: readonly { name: string; message: string }[]
}

export const PLUGINS_PATH = '/api/web/plugins/'
export const STATUS_PATH = '/api/plugins/status/'

/** Features of plugins, by the names of the features in their code. */
export const featureKeys: Readonly<Record<string, PlainKey>> = {
  actions: 'plugins.feature.actions',
  barcode: 'plugins.feature.barcode',
  currencyRates: 'plugins.feature.currency-rates',
  endpoints: 'plugins.feature.endpoints',
  events: 'plugins.feature.events',
  labels: 'plugins.feature.labels',
  locate: 'plugins.feature.locate',
  machineDrivers: 'plugins.feature.machine-drivers',
  mail: 'plugins.feature.mail',
  report: 'plugins.feature.report',
  schedule: 'plugins.feature.schedule',
  supplierBarcode: 'plugins.feature.supplier-barcode',
  validation: 'plugins.feature.validation',
}

/** The features of a plugin in words. */
export const getFeatureNames = ({ features }: Pick<Plugin, 'features'>): string =>
  features.map((feature) => (featureKeys[feature] ? t(featureKeys[feature]) : feature)).join(', ')

const stageKeys: Readonly<Record<string, PlainKey>> = {
  discovery: 'plugins.stage.discovery',
  load: 'plugins.stage.load',
  init: 'plugins.stage.init',
  call: 'plugins.stage.call',
}

/** When an error of a plugin happened, in words. */
export const getStageName = (stage: string): string => (stageKeys[stage] ? t(stageKeys[stage]) : stage)

/** Title and description of a plugin in the reader's language; only built-in plugins are translated. */
export function describePlugin({ key, title, description, origin }: Plugin): { title: string; description: string } {
  if (origin !== 'builtin') return { title, description }
  const texts = language.value === 'de' ? builtInTexts[key] : undefined
  return texts ?? { title: nameBuiltIn(key, title), description }
}

/** The title of a built-in plugin in the reader's language, without the program whose clients know it by its title. */
export const nameBuiltIn = (key: string, title: string): string =>
  (language.value === 'de' && builtInTexts[key]?.title) ||
  title.replace(/^InvenTree (.)/, (_match, first: string) => first.toUpperCase())

/** The settings of a plugin in the reader's language, as far as they are translated. */
export const getPluginSettingTexts = ({ key, origin }: Plugin): SettingTexts =>
  (language.value === 'de' && origin === 'builtin' && builtInTexts[key]?.settings) || {}

export const getSettingsPath = (key: string): string => `/api/web/plugins/${encodeURIComponent(key)}/settings/`

export type PluginSetting = OwnedSetting

/** The state of a plugin in a word and a color. @param hasErrors whether the service has reported errors of it */
export function describeState(
  { active, is_running, origin }: Plugin,
  hasErrors: boolean,
): { text: string; tone?: 'good' | 'bad' | 'warn' } {
  if (origin === 'missing') return { text: t('plugins.state.missing'), tone: active ? 'bad' : undefined }
  if (!active) return { text: t('plugins.state.off') }
  if (!is_running) return { text: t('plugins.state.failed'), tone: 'bad' }
  return hasErrors ? { text: t('plugins.state.errors'), tone: 'warn' } : { text: t('plugins.state.on'), tone: 'good' }
}
