import metadata from 'metadata:/api/user/all-sessions/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { count, formatDateTime, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { Badge, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { type Page, post, remove } from '../../../kit/service/api.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { formatDevice } from '../account/device.ts'

type Session = { pk: number; last_seen: string; active: boolean; address: string; user_agent: string; in_use: boolean }

/** The browsers that are signed in to an account; a superuser can sign out any of them. */
export function UserSessions({ user }: { user: number }) {
  const { data, reload } = useRead<{ list: Page<Session> }>({ list: `${metadata.path}?user=${user}&limit=100` })
  const isEndingAll = useSignal(false)
  if (!data) return null
  const rows = data.list.body.results.filter(({ active }) => active)
  const end = async (session: Session) => {
    if (!(await attempt(() => remove(`${metadata.path}${session.pk}/`)))) return
    showToast(t('account.session-ended', { device: getDeviceName(session) }))
    reload()
  }
  return (
    <Panel
      title={t('account.sessions')}
      actions={
        rows.some(({ in_use }) => !in_use) && (
          <button type="button" onClick={() => (isEndingAll.value = true)}>
            {t('people.end-sessions')}
          </button>
        )
      }
    >
      {rows.length === 0 ? (
        <p class="quiet-text">{t('people.no-sessions')}</p>
      ) : (
        <ShortTable
          title={t('account.sessions')}
          rows={rows}
          columns={[
            {
              name: 'device',
              title: () => t('account.device'),
              cell: (session) => (
                <>
                  {getDeviceName(session)} {session.in_use && <Badge tone="accent">{t('account.this-browser')}</Badge>}
                </>
              ),
            },
            { name: 'address', title: () => t('account.network-address'), isWide: true, cell: ({ address }) => address },
            { name: 'last_seen', title: () => t('account.last-use'), cell: ({ last_seen }) => formatDateTime(last_seen) },
            {
              name: 'actions',
              title: () => '',
              align: 'end',
              cell: (session) =>
                !session.in_use && (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`${getDeviceName(session)}, ${session.address}: ${t('account.end-session')}`}
                    onClick={() => end(session)}
                  >
                    {t('account.end-session')}
                  </button>
                ),
            },
          ]}
        />
      )}
      {isEndingAll.value && (
        <Confirm
          title={t('people.end-sessions-ask')}
          button={t('people.end-sessions')}
          onConfirm={async () => {
            const { body } = await post<{ ended: number }>(`/api/user/${user}/end-sessions/`)
            showToast(count('account.sessions-ended', body.ended))
            reload()
          }}
          onClose={() => (isEndingAll.value = false)}
        >
          <p>{t('people.end-sessions.about')}</p>
        </Confirm>
      )}
    </Panel>
  )
}

const getDeviceName = ({ user_agent }: Session): string => formatDevice(user_agent) || t('account.unknown-device')
