import { API_VERSION, VERSION } from '../../../../version.ts'
import { getTemplateSchema } from '../../../context/render-context.ts'
import { isSetting } from '../../filters/settings.ts'
import { escapeHtml, SafeHtml } from '../../output.ts'
import { type Call, getEngine } from '../engine.ts'
import { getVariable } from '../resolve-variable.ts'
import { toDecimal, toText } from '../values.ts'
import { formatDateValue } from './report.ts'
import type { ValueTag } from './value-tag.ts'

const TRUE_TEXT = /^(?:1|y|yes|t|true|ok|on)$/i

const readSetting = (key: unknown, { context }: Call): unknown => getEngine(context).own.setting?.(toText(key))

/** Settings of accounts are not available to a print. */
const findMissingSetting: ValueTag['findMissing'] = (args) => {
  const key = args.get('key')?.literal
  if (args.has('user')) return 'Settings of an account cannot be shown.'
  return typeof key === 'string' && !isSetting(key) ? `The global setting "${key.slice(0, 60)}" does not exist.` : undefined
}

const settingsValue: ValueTag = {
  parameters: ['key', 'user'],
  requiredCount: 1,
  findMissing: findMissingSetting,
  value: ({ key }, call) => readSetting(key, call),
}

const settingObject: ValueTag = {
  parameters: ['key', 'user'],
  requiredCount: 1,
  findMissing: findMissingSetting,
  value: ({ key }, call) => ({ key: toText(key), value: readSetting(key, call) }),
}

const allSettings: ValueTag = {
  parameters: [],
  value: (_args, { context }) => {
    const { settings } = getEngine(context).environment
    return Object.fromEntries(getTemplateSchema().settings.open.map((key) => [key, settings.get(key)]))
  },
}

/** A progress bar. */
const progressBar: ValueTag = {
  parameters: ['value', 'max_val', 'id', 'max_width'],
  requiredCount: 2,
  value({ value, max_val }) {
    const [part, whole] = [Number(toDecimal(value) ?? 0), Number(toDecimal(max_val) ?? 0)]
    const percent = whole > 0 ? Math.min(Math.max((100 * part) / whole, 0), 100) : 0
    return new SafeHtml(
      `<div class="progress" style="position: relative; border: 1px solid #ccc; text-align: center"><div class="progress-bar" style="position: absolute; inset: 0 auto 0 0; width: ${percent.toFixed(1)}%; background: #cde"></div><span style="position: relative">${part} / ${whole}</span></div>`,
    )
  },
}

const constantTag = (value: (call: Call) => unknown): ValueTag => ({
  parameters: ['shortstring'],
  value: (_args, call) => value(call),
})

/** The tags of the library `inventree_extras`. */
export const extraTags: Record<string, ValueTag> = {
  define: { parameters: ['value'], value: ({ value }) => value },
  decimal: {
    parameters: ['x'],
    requiredCount: 1,
    value: ({ x }, { context }) => getEngine(context).own.number?.(x instanceof SafeHtml ? toText(x) : x),
  },
  render_date: {
    parameters: ['date_object'],
    requiredCount: 1,
    value: ({ date_object }, call) => formatDateValue('date', date_object, {}, call),
  },
  to_list: { parameters: [], acceptsMore: true, value: ({ others }) => others },
  str2bool: { parameters: ['x'], requiredCount: 1, value: ({ x }) => TRUE_TEXT.test(toText(x).trim()) },
  settings_value: settingsValue,
  setting_object: settingObject,
  global_settings: allSettings,
  visible_global_settings: allSettings,
  default_currency: constantTag((call) => readSetting('INVENTREE_DEFAULT_CURRENCY', call)),
  inventree_version: constantTag(() => VERSION),
  inventree_api_version: constantTag(() => API_VERSION),
  inventree_title: constantTag(({ context }) => getEngine(context).environment.instance),
  inventree_instance_name: constantTag(({ context }) => getEngine(context).environment.instance),
  inventree_base_url: constantTag(({ context }) => getVariable(context, 'base_url')),
  progress_bar: progressBar,
  // a printed link shows only its text
  object_link: {
    parameters: ['url_name', 'pk', 'ref'],
    requiredCount: 3,
    value: ({ ref }) => new SafeHtml(`<b>${escapeHtml(toText(ref))}</b>`),
  },
}
