import metadata from 'metadata:/api/user/'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatDateTime, t } from '../../../kit/language/language.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { Badge } from '../../../kit/page/page.tsx'
import { formatAccountName } from '../../../kit/service/session.ts'
import type { Column } from '../../../kit/table/column.ts'
import { Table } from '../../../kit/table/table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isSuperuser } from '../settings-pages.ts'
import { ENFORCE_MFA } from '../system/ask-enforce-mfa.tsx'
import { Invite } from './invite.tsx'
import type { User } from './people.ts'
import { ReadOnlyNotice } from './read-only-notice.tsx'
import { RegistrationNotice } from './registration-notice.tsx'
import { UserBadges } from './user-badges.tsx'

/** @param isEnforced whether all people need a second factor */
const createColumns = (isEnforced: boolean): readonly Column<User>[] => [
  {
    name: 'username',
    title: () => t('people.user'),
    width: '18rem',
    cell: (user) => (
      <>
        <a href={`/settings/users/${user.pk}/`}>{formatAccountName(user)}</a> <UserBadges user={user} />
      </>
    ),
  },
  { name: 'login', title: () => t('people.sign-in-name'), order: 'username', isExtra: true, cell: ({ username }) => username },
  { name: 'email', isWide: true, cell: ({ email }) => email },
  {
    name: 'groups',
    title: () => t('people.groups'),
    order: null,
    isWide: true,
    cell: ({ groups }) => groups.map(({ name }) => name).join(', '),
  },
  {
    name: 'last_sign_in',
    title: () => t('people.last-sign-in'),
    order: null,
    width: '13rem',
    isWide: true,
    cell: ({ last_sign_in }) => (last_sign_in === null ? t('account.never') : formatDateTime(last_sign_in)),
  },
  {
    name: 'second_factor',
    title: () => t('account.second-factor'),
    order: null,
    width: '11rem',
    cell: ({ second_factor, is_active }) =>
      second_factor ? (
        <Badge tone="good">{t('settings.on')}</Badge>
      ) : isEnforced && is_active ? (
        <Badge tone="warn">{t('people.factor-missing')}</Badge>
      ) : (
        <Badge>{t('settings.off')}</Badge>
      ),
  },
]

/** `/settings/users/`: all accounts, with what they may do and how they sign in. */
export function UsersPage() {
  const isInviting = useSignal(false)
  const { data } = useRead<{ enforced: { value: string } }>({ enforced: `/api/settings/global/${ENFORCE_MFA}/` })
  const isEnforced = data?.enforced.body.value === 'True'
  const columns = useMemo(() => createColumns(isEnforced), [isEnforced])
  const setInviting = (isOpen: boolean) => () => {
    isInviting.value = isOpen
  }
  const actions = useActions(
    isSuperuser()
      ? [
          { title: t('people.invite'), icon: 'plus', keys: 'n', run: setInviting(true) },
          { title: t('people.invitations'), icon: 'send', to: '/settings/invitations/' },
        ]
      : [],
  )
  return (
    <SettingsPage title={t('people.users')} actions={actions} isFull>
      <ReadOnlyNotice />
      <RegistrationNotice />
      <Table
        metadata={metadata}
        columns={columns}
        fixed={{ sign_in_detail: 'true' }}
        filters={['is_active', 'is_staff', 'is_superuser', 'second_factor', 'group']}
        order="username"
        to={({ pk }) => `/settings/users/${pk}/`}
        title={t('people.users')}
      />
      {isInviting.value && <Invite onClose={setInviting(false)} />}
    </SettingsPage>
  )
}
