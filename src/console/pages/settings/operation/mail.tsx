import metadata from 'metadata:/api/web/mail/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatDateTime, t } from '../../../kit/language/language.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { Badge, Empty } from '../../../kit/page/page.tsx'
import { attempt } from '../../../kit/page/toast.tsx'
import { postQuery } from '../../../kit/service/api.ts'
import type { Column } from '../../../kit/table/column.ts'
import { Table } from '../../../kit/table/table.tsx'
import type { Rows } from '../../../kit/table/table-rows.ts'
import { MessageDialog } from '../../../kit/window/dialog.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isSuperuser } from '../settings-pages.ts'
import { getMailKindName } from './mail-kinds.ts'
import { useRefreshWhile } from './refresh-while.ts'

type State = 'queued' | 'sending' | 'sent' | 'failed' | 'unknown'
type Mail = {
  pk: number
  created: string
  kind: string
  subject: string | null
  username: string | null
  address: string
  state: State
  attempts: number
  error: string | null
}

const TONES = { queued: undefined, sending: 'accent', sent: 'good', failed: 'bad', unknown: 'warn' } as const

const COLUMNS: readonly Column<Mail>[] = [
  {
    name: 'created',
    title: () => t('operation.mail.created'),
    isWide: true,
    width: '13rem',
    cell: ({ created }) => formatDateTime(created),
  },
  {
    name: 'kind',
    title: () => t('operation.mail.kind'),
    order: null,
    cell: ({ kind, subject }) => (subject ? `${getMailKindName(kind)}: ${subject}` : getMailKindName(kind)),
  },
  {
    name: 'address',
    title: () => t('operation.mail.to'),
    order: null,
    cell: ({ address, username }) => (username === null ? address : `${username} <${address}>`),
  },
  {
    name: 'state',
    title: () => t('operation.mail.result'),
    order: null,
    cell: ({ state, error }) =>
      // without a mail server, which the notice above the table explains
      state === 'sent' && error !== null ? (
        <Badge tone="warn">{t('operation.mail.state.written')}</Badge>
      ) : (
        <>
          <Badge tone={TONES[state]}>{t(`operation.mail.state.${state}`)}</Badge> {error}
        </>
      ),
  },
]

/** `/settings/mail/`: the log of emails, and a test email. */
export const MailsPage = () => (
  <SettingsPage
    title={t('operation.mail')}
    actions={isSuperuser() && <TestMailAction />}
    isFull
    rejection={t('settings.for-superusers')}
  >
    {isSuperuser() && <MailLog />}
  </SettingsPage>
)

/** The rows of the log, which a test email reloads. */
const log: { rows: Rows<Mail> | undefined } = { rows: undefined }

function MailLog() {
  const { data } = useRead<{ service: { email_configured: boolean } }>({ service: '/api/' })
  return (
    <>
      {data?.service.body.email_configured === false && (
        <p class="notice">
          {t('operation.mail.not-configured')}{' '}
          <a href="/docs/configuration/" target="_blank" rel="noreferrer">
            {t('operation.configuration')}
          </a>
        </p>
      )}
      <Table
        metadata={metadata}
        columns={COLUMNS}
        filters={['failed']}
        order="-created"
        title={t('operation.mail')}
        onRows={(rows) => {
          log.rows = rows
        }}
        empty={
          <Empty icon="send" title={t('operation.mail.none')}>
            <p>{t('operation.mail.none.about')}</p>
          </Empty>
        }
      />
    </>
  )
}

function TestMailAction() {
  const sent = useSignal<{ pk: number; address: string } | undefined>(undefined)
  const isBusy = useSignal(false)
  const actions = useActions([
    {
      title: t('operation.mail.test'),
      icon: 'send',
      keys: 'n',
      run: async () => {
        if (isBusy.value) return
        isBusy.value = true
        await attempt(async () => {
          sent.value = (await postQuery<{ pk: number; address: string }>(`${metadata.path}test/`)).body
        })
        isBusy.value = false
      },
    },
  ])
  return (
    <>
      {actions}
      {sent.value && (
        <TestMailResult
          {...sent.value}
          onClose={() => {
            sent.value = undefined
          }}
        />
      )}
    </>
  )
}

/** The result of a test email, once it is known. */
function TestMailResult({ pk, address, onClose }: { pk: number; address: string; onClose: () => void }) {
  const { data, reload } = useRead<{ mail: Mail }>({ mail: `${metadata.path}${pk}/` })
  const { state, error } = data?.mail.body ?? { state: 'queued' as const, error: null }
  const isPending = state === 'sending' || (state === 'queued' && error === null)
  useRefreshWhile(isPending, reload)
  useEffect(() => {
    if (!isPending) log.rows?.reload()
  }, [isPending])
  const text = isPending
    ? t('operation.mail.test.sending', { address })
    : state === 'sent'
      ? t(error === null ? 'operation.mail.test.sent' : 'operation.mail.test.written', { address })
      : t(state === 'queued' ? 'operation.mail.test.retried' : 'operation.mail.test.failed', { address, reason: error ?? '' })
  return (
    <MessageDialog title={t('operation.mail.test')} onClose={onClose}>
      <output class={isPending || state === 'sent' ? undefined : 'problem'}>{text}</output>
    </MessageDialog>
  )
}
