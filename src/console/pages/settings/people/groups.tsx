import metadata from 'metadata:/api/user/group/'
import { useSignal } from '@preact/signals'
import { t } from '../../../kit/language/language.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { Empty } from '../../../kit/page/page.tsx'
import type { Column } from '../../../kit/table/column.ts'
import { Table } from '../../../kit/table/table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isSuperuser } from '../settings-pages.ts'
import { NewGroup } from './new-group.tsx'
import { ReadOnlyNotice } from './read-only-notice.tsx'
import { type Group, summarizeRights } from './rights.ts'

const COLUMNS: readonly Column<Group>[] = [
  { name: 'name', width: '16rem', cell: ({ pk, name }) => <a href={`/settings/groups/${pk}/`}>{name}</a> },
  {
    name: 'members',
    title: () => t('people.members'),
    order: null,
    width: '8rem',
    align: 'end',
    cell: ({ users }) => users.length,
  },
  { name: 'rights', title: () => t('people.rights'), order: null, isWide: true, cell: ({ roles }) => summarizeRights(roles) },
]

/** `/settings/groups/`: all groups, with their members and permissions in short. */
export function GroupsPage() {
  const isCreating = useSignal(false)
  const setCreating = (isOpen: boolean) => () => {
    isCreating.value = isOpen
  }
  const actions = useActions(
    isSuperuser() ? [{ title: t('people.new-group'), icon: 'plus', keys: 'n', run: setCreating(true) }] : [],
  )
  return (
    <SettingsPage title={t('people.groups')} actions={actions} isFull>
      <ReadOnlyNotice />
      <Table
        metadata={metadata}
        columns={COLUMNS}
        fixed={{ role_detail: 'true', user_detail: 'true' }}
        order="name"
        to={({ pk }) => `/settings/groups/${pk}/`}
        title={t('people.groups')}
        empty={<Empty icon="user" title={t('people.no-groups')} />}
      />
      {isCreating.value && <NewGroup onClose={setCreating(false)} />}
    </SettingsPage>
  )
}
