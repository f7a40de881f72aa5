import { getTemplateSchema } from '../../context/render-context.ts'
import { toText } from '../output.ts'
import type { FilterHandler, OpenSettings } from './filter.ts'

/** Whether there is a global setting with this key. */
export const isSetting = (key: string): boolean => {
  const { open, confidential } = getTemplateSchema().settings
  return open.includes(key) || confidential.includes(key)
}

/** `{{ "INVENTREE_COMPANY_NAME" | setting }}`: the value of a global setting. Confidential ones have no value here. */
export const settingFilters = (settings: OpenSettings): Record<string, FilterHandler> => ({
  setting(value) {
    const key = toText(value)
    if (!isSetting(key)) throw new Error(`The global setting "${key.slice(0, 100)}" does not exist.`)
    return settings.get(key)
  },
})
