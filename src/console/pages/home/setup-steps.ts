import { type PlainKey, t } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { hasPermission } from '../../kit/service/session.ts'
import { getRoleName } from '../settings/people/people.ts'
import { closeRegistration, REGISTRATION_SETTINGS_URL } from '../settings/people/registration.ts'
import { isStaff, isSuperuser } from '../settings/settings-pages.ts'

/** The steps that are done, each derived from the data by the service, and whether staff dismissed the checklist. */
export type SetupState = { is_dismissed: boolean } & Record<StepName, boolean>

export const SETUP_PATH = '/api/web/setup/'

type StepName = 'identity' | 'registration' | 'currency' | 'locations' | 'categories' | 'parts' | 'people' | 'printer' | 'backup'

/** A step of the set-up, with the page where it is done. */
export type SetupStep = {
  name: StepName
  icon: IconName
  title: PlainKey
  about: PlainKey
  to: string
  /** A second page for the same step. */
  other?: { title: PlainKey; to: string }
  /** Does it immediately. */
  action?: { title: PlainKey; run: () => Promise<unknown> }
  /** Whether the account can do it, and for others what they would need. */
  isAllowed: () => boolean
  requirement: () => string
}

/** A step that needs the permission to add objects of a role. */
const needsRole = (
  role: 'admin' | 'part' | 'part_category' | 'stock_location',
): Pick<SetupStep, 'isAllowed' | 'requirement'> => ({
  isAllowed: () => hasPermission('add', role),
  requirement: () => t('setup.by-permission', { role: getRoleName(role) }),
})

/** The steps, in the order in which one sets up an installation. */
export const SETUP_STEPS: readonly SetupStep[] = [
  {
    name: 'identity',
    icon: 'building',
    title: 'setup.identity',
    about: 'setup.identity.about',
    to: '/settings/general/',
    isAllowed: isStaff,
    requirement: () => t('setup.by-staff'),
  },
  {
    name: 'registration',
    icon: 'warning',
    title: 'setup.registration',
    about: 'people.registration-open',
    to: REGISTRATION_SETTINGS_URL,
    action: { title: 'people.registration-close', run: closeRegistration },
    isAllowed: isSuperuser,
    requirement: () => t('setup.by-superusers'),
  },
  {
    name: 'currency',
    icon: 'settings',
    title: 'setup.currency',
    about: 'setup.currency.about',
    to: '/settings/currencies/',
    other: { title: 'setup.language', to: '/settings/display/' },
    isAllowed: isStaff,
    requirement: () => t('setup.by-staff'),
  },
  {
    name: 'locations',
    icon: 'place',
    title: 'setup.locations',
    about: 'setup.locations.about',
    to: '/stock/location/',
    ...needsRole('stock_location'),
  },
  {
    name: 'categories',
    icon: 'columns',
    title: 'setup.categories',
    about: 'setup.categories.about',
    to: '/part/',
    ...needsRole('part_category'),
  },
  {
    name: 'parts',
    icon: 'chip',
    title: 'setup.parts',
    about: 'setup.parts.about',
    to: '/part/',
    ...needsRole('part'),
  },
  {
    name: 'people',
    icon: 'user',
    title: 'setup.people',
    about: 'setup.people.about',
    to: '/settings/users/',
    other: { title: 'setup.groups', to: '/settings/groups/' },
    isAllowed: isSuperuser,
    requirement: () => t('setup.by-superusers'),
  },
  {
    name: 'printer',
    icon: 'print',
    title: 'setup.printer',
    about: 'setup.printer.about',
    to: '/settings/printers/',
    other: { title: 'setup.templates', to: '/settings/templates/' },
    ...needsRole('admin'),
  },
  {
    name: 'backup',
    icon: 'file',
    title: 'setup.backup',
    about: 'setup.backup.about',
    to: '/settings/backups/',
    isAllowed: isSuperuser,
    requirement: () => t('setup.by-superusers'),
  },
]

/** The number of steps that are done. */
export const countDone = (state: SetupState): number => SETUP_STEPS.filter(({ name }) => state[name]).length

/** Whether the account can do a step that is not done. */
export const hasOpenStep = (state: SetupState): boolean => SETUP_STEPS.some(({ name, isAllowed }) => !state[name] && isAllowed())

/** Whether the checklist is shown: until it is dismissed, or everything is done that the account can do. */
export const isSetupShown = (state: SetupState): boolean => !state.is_dismissed && hasOpenStep(state)
