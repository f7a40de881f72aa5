import metadata from 'metadata:/api/user/session/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { count, formatDateTime, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { type Page, post, remove } from '../../../kit/service/api.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { formatDevice } from './device.ts'

type Session = {
  pk: number
  created: string
  last_seen: string
  active: boolean
  address: string
  user_agent: string
  in_use: boolean
}

/** The browsers that are signed in to the account; any of them can be signed out from here. */
export function Sessions() {
  const { data, error, reload } = useRead<{ list: Page<Session> }>({ list: `${metadata.path}?limit=100` })
  const isEndingAll = useSignal(false)
  if (error) return <LoadError error={error} />
  if (!data) return null
  const rows = data.list.body.results
    .filter(({ active }) => active)
    .toSorted((one, other) => Number(other.in_use) - Number(one.in_use))
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
          <button
            type="button"
            onClick={() => {
              isEndingAll.value = true
            }}
          >
            {t('account.end-others')}
          </button>
        )
      }
    >
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
                <small class="narrow-only">
                  {session.address} · {formatLastUse(session)}
                </small>
              </>
            ),
          },
          { name: 'address', title: () => t('account.network-address'), isWide: true, cell: ({ address }) => address },
          {
            name: 'last_seen',
            title: () => t('account.last-use'),
            isWide: true,
            cell: formatLastUse,
          },
          {
            name: 'created',
            title: () => t('account.signed-in'),
            isWide: true,
            cell: ({ created }) => formatDateTime(created),
          },
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
      <p class="help">{t('account.last-use.hourly')}</p>
      {isEndingAll.value && (
        <Confirm
          title={t('account.end-others-ask')}
          button={t('account.end-others')}
          onConfirm={async () => {
            const { body } = await post<{ ended: number }>(`${metadata.path}end-others/`)
            showToast(count('account.sessions-ended', body.ended))
            reload()
          }}
          onClose={() => {
            isEndingAll.value = false
          }}
        >
          <p>{t('account.end-others.about')}</p>
        </Confirm>
      )}
    </Panel>
  )
}

const formatLastUse = ({ in_use, last_seen }: Session): string => (in_use ? t('account.now') : formatDateTime(last_seen))

const getDeviceName = ({ user_agent }: Session): string => formatDevice(user_agent) || t('account.unknown-device')
