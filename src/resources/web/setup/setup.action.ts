import { Type } from 'typebox'
import { action, view } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { signedIn, staff } from '../../../kit/request/caller.ts'
import type { Services } from '../../../kit/services/services.ts'
import { queryThrough, queryWithin, type RunQuery } from '../../../kit/sql/run-query.ts'
import { setting } from '../../../settings/live.ts'
import { globalSetting } from '../../../settings/registry.ts'
import { globalStore } from '../../../settings/store.ts'
import { toStoredText } from '../../../settings/value.ts'

const DISMISSED_KEY = '_SETUP_DISMISSED'

const isDone = (description: string) => Type.Boolean({ description })

const contract = {
  path: '/api/web/setup/',
  response: Type.Object({
    is_dismissed: Type.Boolean({ description: 'Whether staff has dismissed the checklist.' }),
    identity: isDone('Whether the installation has a name of its own (`INVENTREE_INSTANCE`), or a logo.'),
    registration: isDone(
      'Whether registration is off (`LOGIN_ENABLE_REG`), or only for some mail domains (`LOGIN_SIGNUP_MAIL_RESTRICTION`).',
    ),
    currency: isDone('Whether the default currency was changed, or a company exists, whose currency was entered.'),
    locations: isDone('Whether a stock location exists.'),
    categories: isDone('Whether a part category exists.'),
    parts: isDone('Whether a part exists.'),
    people: isDone('Whether a second active account exists.'),
    printer: isDone('Whether an active label printer exists.'),
    backup: isDone('Whether automatic backups are on (`INVENTREE_BACKUP_ENABLE`).'),
  }),
}

type Existing = Record<'logo' | 'companies' | 'locations' | 'categories' | 'parts' | 'people' | 'printer', boolean>

/** Derives the state of each step from the data. */
async function readSteps(services: Pick<Services, 'settings'>, query: RunQuery) {
  const [row] = await query<Existing>(
    `select exists (select from instance_logo) as logo,
      exists (select from company) as companies,
      exists (select from stock_location) as locations,
      exists (select from part_category) as categories,
      exists (select from part) as parts,
      exists (select from user_account where is_active offset 1) as people,
      exists (select from machine where active and machine_type = 'label-printer') as printer`,
    [],
  )
  const { logo, companies, ...existing } = row as Existing
  const isChanged = (key: 'INVENTREE_INSTANCE' | 'INVENTREE_DEFAULT_CURRENCY') =>
    setting(services, key) !== globalSetting(key).default
  return {
    identity: isChanged('INVENTREE_INSTANCE') || logo,
    registration: !setting(services, 'LOGIN_ENABLE_REG') || setting(services, 'LOGIN_SIGNUP_MAIL_RESTRICTION') !== '',
    currency: isChanged('INVENTREE_DEFAULT_CURRENCY') || companies,
    ...existing,
    backup: setting(services, 'INVENTREE_BACKUP_ENABLE'),
  }
}

/** The steps to set up an installation, of which only the dismissal is stored. */
export const setup = [
  view({
    ...contract,
    access: signedIn,
    summary: 'Get the steps of the set-up',
    description:
      'Returns which steps of setting up this installation are done. Each is derived from the data; only whether staff has dismissed the checklist is stored.',
    read: async (services) => ({
      is_dismissed: setting(services, DISMISSED_KEY),
      ...(await readSteps(services, queryThrough(services))),
    }),
  }),
  action({
    ...contract,
    method: 'PATCH',
    access: staff,
    summary: 'Dismiss the set-up checklist',
    description: 'Dismisses the checklist for all accounts of this installation, or shows it again.',
    example: { body: { is_dismissed: true } },
    body: { is_dismissed: input.boolean({ required: true, help: 'Whether the checklist is dismissed.' }) },
    async run(request) {
      const query = queryWithin(request.tx)
      const isDismissed = request.body.is_dismissed === true
      await globalStore(query).save(DISMISSED_KEY, toStoredText(isDismissed))
      request.tx.after(() => request.settings.reload())
      return { is_dismissed: isDismissed, ...(await readSteps(request, query)) }
    },
  }),
]
