import metadata from 'metadata:/api/user/group/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { t } from '../../../kit/language/language.ts'
import { navigate } from '../../../kit/navigation/router.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { type PageProperties, Panel } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { change, remove } from '../../../kit/service/api.ts'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff, isSuperuser } from '../settings-pages.ts'
import { GroupMembers } from './group-members.tsx'
import { OwnedObjects } from './owned-objects.tsx'
import { ReadOnlyNotice } from './read-only-notice.tsx'
import type { Group } from './rights.ts'
import { RightsMatrix } from './rights-matrix.tsx'

/** `/settings/groups/:pk/`: a group: its permissions, its members, and what it is responsible for. */
export const GroupPage = ({ params }: PageProperties) =>
  isStaff() ? (
    <LoadedGroup key={params.pk} pk={Number(params.pk)} />
  ) : (
    <SettingsPage title={t('people.group')}>{null}</SettingsPage>
  )

function LoadedGroup({ pk }: { pk: number }) {
  const url = `${metadata.path}${pk}/`
  const { data, error, reload } = useRead<{ group: Group }>({ group: `${url}?role_detail=true&user_detail=true` })
  const dialog = useSignal<'rename' | 'delete' | undefined>(undefined)
  const show = (openDialog: typeof dialog.value) => () => {
    dialog.value = openDialog
  }
  const close = show(undefined)
  const actions = useActions(
    data && isSuperuser()
      ? [
          { title: t('people.rename'), keys: 'e', icon: 'edit', run: show('rename') },
          { title: t('delete'), keys: 'Shift+D', icon: 'trash', run: show('delete') },
        ]
      : [],
    1,
  )
  const crumbs = [{ text: t('people.groups'), to: '/settings/groups/' }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data) return null
  const group = data.group.body
  return (
    <SettingsPage title={group.name} crumbs={crumbs} actions={actions}>
      <ReadOnlyNotice />
      <Panel title={t('people.rights')}>
        <p>
          {t('people.rights.about')} {t('people.rights.printing')}
        </p>
        <RightsMatrix roles={group.roles} group={group.name} onChange={reload} />
      </Panel>
      <GroupMembers group={group} onChange={reload} />
      <OwnedObjects by="group" pk={pk} name={group.name} />
      {dialog.value === 'rename' && (
        <FormDialog
          title={t('people.rename')}
          metadata={metadata}
          start={{ name: group.name }}
          names={['name']}
          without="rest"
          button={t('save')}
          send={(values) => change<Group>(url, values, undefined)}
          onDone={() => {
            close()
            reload()
          }}
          onClose={close}
        />
      )}
      {dialog.value === 'delete' && (
        <Confirm
          title={t('people.delete-group-ask', { name: group.name })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url)
            showToast(t('people.deleted', { name: group.name }))
            navigate('/settings/groups/')
          }}
          onClose={close}
        >
          <p>{t('people.delete-group.about')}</p>
        </Confirm>
      )}
    </SettingsPage>
  )
}
