import metadata from 'metadata:/api/user/me/security-event/'
import { formatDateTime, t } from '../../../kit/language/language.ts'
import { Empty } from '../../../kit/page/page.tsx'
import type { Column } from '../../../kit/table/column.ts'
import { Table } from '../../../kit/table/table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { formatDevice } from './device.ts'
import { getSecurityEventName } from './security-event.ts'

type SecurityEvent = { pk: number; created: string; kind: string; address: string; user_agent: string }

const COLUMNS: readonly Column<SecurityEvent>[] = [
  { name: 'created', title: () => t('account.time'), width: '13rem', cell: ({ created }) => formatDateTime(created) },
  { name: 'kind', title: () => t('account.event'), cell: ({ kind }) => getSecurityEventName(kind) },
  {
    name: 'user_agent',
    title: () => t('account.device'),
    order: null,
    isWide: true,
    cell: ({ user_agent }) => formatDevice(user_agent),
  },
  {
    name: 'address',
    title: () => t('account.network-address'),
    order: null,
    isWide: true,
    width: '11rem',
    cell: ({ address }) => address,
  },
]

/** `/settings/activity/`: sign-ins to the account, and changes of what gives access to it, the newest first. */
export const ActivityPage = () => (
  <SettingsPage title={t('account.activity')} isFull>
    <Table
      metadata={metadata}
      columns={COLUMNS}
      filters={['created_after', 'created_before']}
      order="-created"
      title={t('account.activity')}
      empty={<Empty icon="clock" title={t('account.no-activity')} />}
    />
  </SettingsPage>
)
