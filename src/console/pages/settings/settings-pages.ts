import type { PlainKey } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { account, hasPermission } from '../../kit/service/session.ts'

/** A page of the settings. Its code is in the folder of its group, and its URL in `../../pages.ts`. */
export type SettingsPageEntry = {
  /** `/settings/profile/`. */
  to: string
  title: PlainKey
  /** The purpose of the page in one sentence, for the overview. */
  about: PlainKey
  /** Other words that people search for. */
  synonyms: PlainKey
  /** Whether the account can use it. Others do not see it. */
  isFor: () => boolean
}

/** Related pages of the settings, under one heading. */
export type SettingsGroup = { title: PlainKey; icon: IconName; pages: readonly SettingsPageEntry[] }

/** Access for every account. */
const isSignedIn = (): boolean => account.value !== undefined
/** Access for staff. */
export const isStaff = (): boolean => account.value?.is_staff === true || isSuperuser()
/** Access for superusers. */
export const isSuperuser = (): boolean => account.value?.is_superuser === true
/** Access for those who can see machines. */
export const canViewMachines = (): boolean => hasPermission('view', 'admin')
/** Access for those who can see what any kind of template prints. */
export const canViewTemplates = (): boolean =>
  hasPermission('view', 'part', 'stock', 'stock_location', 'build', 'purchase_order', 'sales_order', 'return_order', 'admin')

/** All pages of the settings, in the order of their navigation. To add one: its line here, in `pages.ts`, and its texts. */
export const settingsGroups: readonly SettingsGroup[] = [
  {
    title: 'settings.account',
    icon: 'user',
    pages: [
      {
        to: '/settings/profile/',
        title: 'account.profile',
        about: 'account.profile.about',
        synonyms: 'account.profile.words',
        isFor: isSignedIn,
      },
      {
        to: '/settings/security/',
        title: 'account.security',
        about: 'account.security.about',
        synonyms: 'account.security.words',
        isFor: isSignedIn,
      },
      {
        to: '/settings/tokens/',
        title: 'account.tokens',
        about: 'account.tokens.about',
        synonyms: 'account.tokens.words',
        isFor: isSignedIn,
      },
      {
        to: '/settings/notifications/',
        title: 'account.notifications',
        about: 'account.notifications.about',
        synonyms: 'account.notifications.words',
        isFor: isSignedIn,
      },
      {
        to: '/settings/display/',
        title: 'account.display',
        about: 'account.display.about',
        synonyms: 'account.display.words',
        isFor: isSignedIn,
      },
      {
        to: '/settings/activity/',
        title: 'account.activity',
        about: 'account.activity.about',
        synonyms: 'account.activity.words',
        isFor: isSignedIn,
      },
    ],
  },
  {
    title: 'settings.people',
    icon: 'building',
    pages: [
      {
        to: '/settings/users/',
        title: 'people.users',
        about: 'people.users.about',
        synonyms: 'people.users.words',
        isFor: isStaff,
      },
      {
        to: '/settings/invitations/',
        title: 'people.invitations',
        about: 'people.invitations.about',
        synonyms: 'people.invitations.words',
        isFor: isSuperuser,
      },
      {
        to: '/settings/groups/',
        title: 'people.groups',
        about: 'people.groups.about',
        synonyms: 'people.groups.words',
        isFor: isStaff,
      },
      {
        to: '/settings/security-events/',
        title: 'people.events',
        about: 'people.events.about',
        synonyms: 'people.events.words',
        isFor: isStaff,
      },
    ],
  },
  {
    title: 'settings.system',
    icon: 'settings',
    pages: [
      {
        to: '/settings/general/',
        title: 'settings.general',
        about: 'settings.general.about',
        synonyms: 'settings.general.words',
        isFor: isStaff,
      },
      {
        to: '/settings/currencies/',
        title: 'settings.currencies',
        about: 'settings.currencies.about',
        synonyms: 'settings.currencies.words',
        isFor: isStaff,
      },
      {
        to: '/settings/units/',
        title: 'settings.units',
        about: 'settings.units.about',
        synonyms: 'settings.units.words',
        isFor: isStaff,
      },
      {
        to: '/settings/references/',
        title: 'settings.references',
        about: 'settings.references.about',
        synonyms: 'settings.references.words',
        isFor: isStaff,
      },
      {
        to: '/settings/project-codes/',
        title: 'settings.project-codes',
        about: 'settings.project-codes.about',
        synonyms: 'settings.project-codes.words',
        isFor: isStaff,
      },
      {
        to: '/settings/location-types/',
        title: 'settings.location-types',
        about: 'settings.location-types.about',
        synonyms: 'settings.location-types.words',
        isFor: () => hasPermission('view', 'stock_location'),
      },
      {
        to: '/settings/parameters/',
        title: 'settings.parameters',
        about: 'settings.parameters.about',
        synonyms: 'settings.parameters.words',
        isFor: () => hasPermission('view', 'part'),
      },
      {
        to: '/settings/system/',
        title: 'settings.global',
        about: 'settings.global.about',
        synonyms: 'settings.global.words',
        isFor: isStaff,
      },
    ],
  },
  {
    title: 'settings.printing',
    icon: 'print',
    pages: [
      {
        to: '/settings/templates/',
        title: 'templates.title',
        about: 'templates.about',
        synonyms: 'templates.words',
        isFor: canViewTemplates,
      },
      {
        to: '/settings/templates/assets/',
        title: 'library.asset.title',
        about: 'library.asset.about',
        synonyms: 'library.asset.words',
        isFor: isSignedIn,
      },
      {
        to: '/settings/templates/snippets/',
        title: 'library.snippet.title',
        about: 'library.snippet.about',
        synonyms: 'library.snippet.words',
        isFor: isSignedIn,
      },
      {
        to: '/settings/printers/',
        title: 'printers.title',
        about: 'printers.about',
        synonyms: 'printers.words',
        isFor: canViewMachines,
      },
      {
        to: '/settings/print-jobs/',
        title: 'print-jobs.title',
        about: 'print-jobs.about',
        synonyms: 'print-jobs.words',
        isFor: isSignedIn,
      },
    ],
  },
  {
    title: 'settings.plugins',
    icon: 'link',
    pages: [
      { to: '/settings/plugins/', title: 'plugins.title', about: 'plugins.about', synonyms: 'plugins.words', isFor: isStaff },
    ],
  },
  {
    title: 'settings.operation',
    icon: 'wrench',
    pages: [
      {
        to: '/settings/about/',
        title: 'operation.about',
        about: 'operation.about.about',
        synonyms: 'operation.about.words',
        isFor: isStaff,
      },
      {
        to: '/settings/health/',
        title: 'operation.health',
        about: 'operation.health.about',
        synonyms: 'operation.health.words',
        isFor: isSuperuser,
      },
      {
        to: '/settings/tasks/',
        title: 'operation.tasks',
        about: 'operation.tasks.about',
        synonyms: 'operation.tasks.words',
        isFor: isStaff,
      },
      {
        to: '/settings/errors/',
        title: 'operation.errors',
        about: 'operation.errors.about',
        synonyms: 'operation.errors.words',
        isFor: isStaff,
      },
      {
        to: '/settings/mail/',
        title: 'operation.mail',
        about: 'operation.mail.about',
        synonyms: 'operation.mail.words',
        isFor: isSuperuser,
      },
      {
        to: '/settings/backups/',
        title: 'operation.backups',
        about: 'operation.backups.about',
        synonyms: 'operation.backups.words',
        isFor: isSuperuser,
      },
      {
        to: '/settings/verify/',
        title: 'operation.verify',
        about: 'operation.verify.about',
        synonyms: 'operation.verify.words',
        isFor: isStaff,
      },
    ],
  },
]

/** The groups, and in each the pages, that the account can use. */
export const listSettings = (): SettingsGroup[] =>
  settingsGroups
    .map((group) => ({ ...group, pages: group.pages.filter(({ isFor }) => isFor()) }))
    .filter(({ pages }) => pages.length > 0)

/** The entry of a URL; undefined outside of the settings, or when its page has no entry of its own, such as that of one user. */
export const findSettingsPage = (path: string): SettingsPageEntry | undefined =>
  settingsGroups
    .flatMap(({ pages }) => pages)
    .filter(({ to }) => path.startsWith(to))
    .sort((a, b) => b.to.length - a.to.length)[0]
