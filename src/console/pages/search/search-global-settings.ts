import { get, withQuery } from '../../kit/service/api.ts'
import { isStaff } from '../settings/settings-pages.ts'
import type { GlobalSetting } from '../settings/system/global-setting.ts'
import { listSettingWords } from '../settings/system/setting-words.ts'
import type { Result } from './search-objects.ts'
import { matchWords } from './search-words.ts'

/** A global setting with its texts in the reader's language. */
export type SearchableSetting = { key: string; name: string; description: string }

/** The page with all global settings. */
const SETTINGS_PAGE = '/settings/system/'

/**
 * Reads the global settings that have an effect in the service or the console; none for those who may not. Their texts are loaded with them,
 * which are large. @throws ApiError
 */
export async function readSearchableSettings(): Promise<readonly SearchableSetting[]> {
  if (!isStaff()) return []
  const { GLOBAL_SETTINGS_PATH, describeSetting } = await import('../settings/system/global-setting.ts')
  const { body } = await get<GlobalSetting[]>(GLOBAL_SETTINGS_PATH)
  return body.filter(({ used_by }) => used_by !== 'clients').map((setting) => ({ key: setting.key, ...describeSetting(setting) }))
}

/** URL of the page of global settings that shows those of a search. */
export const getSettingsUrl = (text: string): string => withQuery(SETTINGS_PAGE, { search: text })

/** The settings that match the words of a search: those that match by their name first. Each opens the page with this setting alone. */
export function findSettings(settings: readonly SearchableSetting[], words: readonly string[]): Result[] {
  const matches = settings.flatMap(({ key, name, description }) => {
    const match = matchWords(words, name, `${key.replaceAll('_', ' ')} ${key} ${description} ${listSettingWords(key)}`)
    return match
      ? [{ id: `setting-${key}`, title: name, detail: description.replaceAll('`', ''), to: getSettingsUrl(key), match }]
      : []
  })
  return matches
    .toSorted((a, b) => Number(b.match === 'title') - Number(a.match === 'title'))
    .map(({ match, ...result }) => ({ ...result, icon: 'settings' }))
}
