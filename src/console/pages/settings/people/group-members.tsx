import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Combobox } from '../../../kit/form/combobox.tsx'
import { getSource } from '../../../kit/form/reference.ts'
import { t } from '../../../kit/language/language.ts'
import { Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { change, get } from '../../../kit/service/api.ts'
import { formatAccountName } from '../../../kit/service/session.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { isSuperuser } from '../settings-pages.ts'
import type { User } from './people.ts'
import type { Group, Member } from './rights.ts'

/** The members of a group; a superuser adds and removes them. */
export function GroupMembers({ group, onChange }: { group: Group; onChange: () => void }) {
  const id = useId()
  // a new field for the next member
  const addedCount = useSignal(0)
  /** Changes the groups of an account, unless someone else has changed it in the meantime. */
  const setMembership = async (pk: number, isMember: boolean) => {
    const url = `/api/user/${pk}/`
    const { body, etag } = await get<User>(url)
    const others = body.groups.map((entry) => entry.pk).filter((other) => other !== group.pk)
    const result = await change<User>(url, { group_ids: isMember ? [...others, group.pk] : others }, etag)
    if ('conflict' in result) return
    showToast(t(isMember ? 'people.member-added' : 'people.member-removed', { name: formatAccountName(body) }))
    onChange()
  }
  return (
    <Panel title={t('people.members')}>
      {group.users.length === 0 ? (
        <p class="quiet-text">{t('people.no-members')}</p>
      ) : (
        <ShortTable
          title={t('people.members')}
          rows={group.users}
          columns={[
            {
              name: 'name',
              cell: (member: Member) => <a href={`/settings/users/${member.pk}/`}>{formatAccountName(member)}</a>,
            },
            { name: 'email', isWide: true, cell: ({ email }) => email },
            {
              name: 'actions',
              title: () => '',
              align: 'end',
              cell: (member) =>
                isSuperuser() && (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={t('account.remove-email', { email: formatAccountName(member) })}
                    onClick={() => attempt(() => setMembership(member.pk, false))}
                  >
                    {t('account.remove')}
                  </button>
                ),
            },
          ]}
        />
      )}
      {isSuperuser() && (
        <div class="field add-member" key={addedCount.value}>
          <label for={id}>{t('people.add-member')}</label>
          <Combobox
            source={getSource('user')}
            value={undefined}
            onPick={async (row) => {
              if (row && (await attempt(() => setMembership(row.pk, true)))) addedCount.value++
            }}
            attributes={{ id }}
          />
        </div>
      )}
    </Panel>
  )
}
