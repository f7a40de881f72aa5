import type { Services } from '../../../kit/services/services.ts'
import { globalSettings } from '../../../resources/settings/registry.ts'
import type { Setting } from '../../../resources/settings/setting.ts'
import { textOf } from '../output.ts'
import type { FilterHandler } from './filter.ts'

/** `{{ "INVENTREE_COMPANY_NAME" | setting }}`: the value of a global setting. Confidential ones have none here. */
export const settingFilters = (settings: Pick<Services['settings'], 'get'>): Record<string, FilterHandler> => ({
  setting(value) {
    const key = textOf(value)
    const known: Setting | undefined = Object.hasOwn(globalSettings, key)
      ? (globalSettings as Record<string, Setting>)[key]
      : undefined
    if (!known) throw new Error(`There is no global setting "${key.slice(0, 100)}".`)
    return known.confidential ? undefined : settings.get(key)
  },
})
