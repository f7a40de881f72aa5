import { getSource } from '../../kit/form/reference.ts'
import type { PlainKey } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { findSettingsPage } from '../settings/settings-pages.ts'
import type { SearchHit } from './search-kinds.ts'

/** A kind of objects with a page in the settings, which lists of its own search: `POST /api/search/` does not know them. */
export type SettingsKind = {
  name: string
  title: PlainKey
  icon: IconName
  /** The lists that are searched. */
  urls: readonly string[]
  getTitle: (object: SearchHit) => string
  getDetail: (object: SearchHit) => string
  /** URL of its page. @param url the list that has it */
  getPage: (object: SearchHit, url: string) => string
  /** URL of the page of the settings that lists them. Those who can use it find them. */
  list: string
}

const LABEL_LISTS = ['part', 'stock', 'location', 'buildline'].map((kind) => `/api/label/${kind}/`)
const REPORT_LISTS = ['bom', 'build', 'po', 'so', 'ro', 'slr', 'test'].map((kind) => `/api/report/${kind}/`)

const USERS = '/settings/users/'
const TEMPLATES = '/settings/templates/'

const user = getSource('user')

const SETTINGS_KINDS: readonly SettingsKind[] = [
  {
    name: 'user',
    title: 'found.users',
    icon: 'user',
    urls: ['/api/user/'],
    getTitle: user.getTitle,
    getDetail: (object) => user.getDetail?.(object) ?? '',
    getPage: ({ pk }) => `${USERS}${pk}/`,
    list: USERS,
  },
  {
    name: 'template',
    title: 'found.templates',
    icon: 'print',
    urls: [...LABEL_LISTS, ...REPORT_LISTS],
    getTitle: ({ name }) => String(name),
    getDetail: ({ description }) => String(description ?? ''),
    // the kind is one part of the URL: `label-part`
    getPage: ({ pk }, url) => `${TEMPLATES}${url.replace('/api/', '').slice(0, -1).replace('/', '-')}/${pk}/`,
    list: TEMPLATES,
  },
]

/** The kinds whose page of the settings exists and is for the account. */
export const listSettingsKinds = (): readonly SettingsKind[] =>
  SETTINGS_KINDS.filter(({ list }) => findSettingsPage(list)?.to === list && findSettingsPage(list)?.isFor())
