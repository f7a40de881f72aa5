import metadata from 'metadata:/api/user/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { Edit } from '../../../kit/form/edit.tsx'
import { Field } from '../../../kit/form/form.tsx'
import { formatDateTime, label, t } from '../../../kit/language/language.ts'
import { navigate } from '../../../kit/navigation/router.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { DescriptionList, type PageProperties, Panel } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { type ApiResponse, change, type Page } from '../../../kit/service/api.ts'
import { remove } from '../../../kit/service/saves.ts'
import { account, formatAccountName, startSession } from '../../../kit/service/session.ts'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff, isSuperuser } from '../settings-pages.ts'
import { GROUPS_URL, GroupChoice } from './group-choice.tsx'
import { OwnedObjects } from './owned-objects.tsx'
import type { GroupName, User } from './people.ts'
import { ReadOnlyNotice } from './read-only-notice.tsx'
import { UserAccess } from './user-access.tsx'
import { UserBadges } from './user-badges.tsx'
import { UserSessions } from './user-sessions.tsx'
import { UserTokens } from './user-tokens.tsx'

/** `/settings/users/:pk/`: an account: its name and permissions, how it signs in, and what it is responsible for. */
export const UserPage = ({ params }: PageProperties) =>
  isStaff() ? <LoadedUser key={params.pk} pk={Number(params.pk)} /> : <SettingsPage title={t('people.user')}>{null}</SettingsPage>

type Data = { user: User; groups: Page<GroupName>; service: { email_configured: boolean } }

function LoadedUser({ pk }: { pk: number }) {
  const url = `${metadata.path}${pk}/`
  const { data, error, reload } = useRead<Data>({ user: `${url}?sign_in_detail=true`, groups: GROUPS_URL, service: '/api/' })
  const dialog = useSignal<'edit' | 'deactivate' | 'delete' | undefined>(undefined)
  const show = (openDialog: typeof dialog.value) => () => {
    dialog.value = openDialog
  }
  const close = show(undefined)
  const user = data?.user.body
  const isOwn = pk === account.value?.pk
  const setActive = async (is_active: boolean) => {
    const result = await change<User>(url, { is_active }, data?.user.etag)
    if ('saved' in result) showToast(t(is_active ? 'people.activated' : 'people.deactivated'))
    reload()
  }
  const actions = useActions(
    user && isSuperuser()
      ? [
          { title: t('edit'), keys: 'e', icon: 'edit', run: show('edit') },
          user.is_active
            ? { title: t('people.deactivate'), icon: 'close', run: show('deactivate') }
            : { title: t('people.activate'), icon: 'check', run: () => void setActive(true) },
          { title: t('delete'), keys: 'Shift+D', icon: 'trash', run: show('delete') },
        ]
      : [],
    1,
  )
  const crumbs = [{ text: t('people.users'), to: '/settings/users/' }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data || !user) return null
  const name = formatAccountName(user)
  return (
    <SettingsPage title={name} crumbs={crumbs} state={<UserBadges user={user} />} actions={actions}>
      <ReadOnlyNotice />
      <Panel title={t('people.details')}>
        {dialog.value === 'edit' ? (
          <EditUser
            url={url}
            start={data.user}
            groups={data.groups.body.results}
            onSaved={() => {
              close()
              reload()
              // the header shows the name, and the navigation what the account can do
              if (isOwn) void startSession()
            }}
            onCancel={close}
          />
        ) : (
          <DescriptionList
            rows={[
              [label('username'), user.username],
              [t('account.first-name'), user.first_name],
              [t('account.last-name'), user.last_name],
              [label('email'), user.email],
              [
                t('people.groups'),
                user.groups.length > 0 &&
                  user.groups.map((group, index) => (
                    <>
                      {index > 0 && ', '}
                      <a key={group.pk} href={`/settings/groups/${group.pk}/`}>
                        {group.name}
                      </a>
                    </>
                  )),
              ],
              [t('people.rights'), describeRights(user)],
              [t('people.last-sign-in'), user.last_sign_in === null ? t('account.never') : formatDateTime(user.last_sign_in)],
            ]}
          />
        )}
      </Panel>
      {isSuperuser() && (
        <>
          <UserAccess user={user} canMail={data.service.body.email_configured} onChange={reload} />
          <UserSessions user={pk} />
          <UserTokens user={pk} />
        </>
      )}
      <OwnedObjects by="user" pk={pk} name={name} />
      {dialog.value === 'deactivate' && (
        <Confirm
          title={t('people.deactivate-ask', { name })}
          button={t('people.deactivate')}
          onConfirm={() => setActive(false)}
          onClose={close}
        >
          <p>{t('people.deactivate.about')}</p>
        </Confirm>
      )}
      {dialog.value === 'delete' && (
        <Confirm
          title={t('people.delete-ask', { name })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url, data.user.etag)
            showToast(t('people.deleted', { name }))
            navigate('/settings/users/')
          }}
          onClose={close}
        >
          <p>{t('people.delete.about')}</p>
        </Confirm>
      )}
    </SettingsPage>
  )
}

const describeRights = ({ is_staff, is_superuser, groups }: User): string =>
  is_superuser
    ? t('people.superuser.help')
    : [is_staff && t('people.staff.help'), groups.length > 0 ? t('people.rights-of-groups') : t('people.rights-of-none')]
        .filter(Boolean)
        .join(' ')

type EditProperties = {
  url: string
  start: ApiResponse<User>
  groups: readonly GroupName[]
  onSaved: () => void
  onCancel: () => void
}

function EditUser({ url, start, groups, onSaved, onCancel }: EditProperties) {
  const body = { ...start.body, group_ids: start.body.groups.map(({ pk }) => pk) }
  return (
    <Edit
      metadata={metadata}
      url={url}
      start={{ ...start, body }}
      names={['username', 'first_name', 'last_name', 'email', 'group_ids', 'is_staff', 'is_superuser']}
      without="rest"
      customFields={(form) => ({
        email: () => <Field form={form} name="email" help={t('people.email.help')} />,
        group_ids: () => <GroupChoice form={form} groups={groups} />,
        is_staff: () => <Field form={form} name="is_staff" title={t('people.staff')} help={t('people.staff.help')} />,
        is_superuser: () => (
          <Field form={form} name="is_superuser" title={t('people.superuser')} help={t('people.superuser.help')} />
        ),
      })}
      onSaved={onSaved}
      onCancel={onCancel}
    />
  )
}
