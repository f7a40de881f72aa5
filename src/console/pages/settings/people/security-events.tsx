import metadata from 'metadata:/api/user/security-event/'
import { formatDateTime, t } from '../../../kit/language/language.ts'
import { Empty } from '../../../kit/page/page.tsx'
import type { Column } from '../../../kit/table/column.ts'
import { Table } from '../../../kit/table/table.tsx'
import { formatDevice } from '../account/device.ts'
import { getSecurityEventName, securityEventKeys } from '../account/security-event.ts'
import { SettingsPage } from '../settings-page.tsx'
import { getActorName, type SecurityEvent, summarizeDetails, useSettingNames } from './event-details.ts'

const COLUMNS: readonly Column<SecurityEvent>[] = [
  {
    name: 'created',
    title: () => t('account.time'),
    width: '13rem',
    isWide: true,
    cell: ({ created }) => formatDateTime(created),
  },
  {
    name: 'kind',
    title: () => t('account.event'),
    width: '14rem',
    cell: ({ pk, kind, created }) => (
      <>
        <a href={`/settings/security-events/${pk}/`}>{getSecurityEventName(kind)}</a>{' '}
        <small class="narrow-only">{formatDateTime(created)}</small>
      </>
    ),
  },
  { name: 'username', title: () => t('people.account'), width: '9rem', cell: ({ username }) => username },
  {
    name: 'actor',
    title: () => t('people.by'),
    order: null,
    isWide: true,
    width: '9rem',
    cell: (event) => getActorName(event),
  },
  {
    name: 'details',
    title: () => t('people.event-details'),
    order: null,
    isWide: true,
    cell: ({ details }) => summarizeDetails(details),
  },
  {
    name: 'address',
    title: () => t('account.network-address'),
    order: null,
    // the page of the event has it
    isExtra: true,
    cell: ({ address }) => address,
  },
  {
    name: 'user_agent',
    title: () => t('account.device'),
    order: null,
    isExtra: true,
    cell: ({ user_agent }) => formatDevice(user_agent),
  },
]

/** `/settings/security-events/`: sign-ins, and changes of accounts, permissions, settings and templates, the newest first. */
export const SecurityEventsPage = () => (
  <SettingsPage title={t('people.events')} isFull>
    <EventTable />
  </SettingsPage>
)

function EventTable() {
  useSettingNames()
  return (
    <Table
      metadata={metadata}
      columns={COLUMNS}
      fixed={{ actor_detail: 'true' }}
      filters={['kind', 'user', 'actor', 'address', 'created_after', 'created_before']}
      filterChoices={{
        kind: Object.keys(securityEventKeys)
          .map((kind) => [kind, getSecurityEventName(kind)] as const)
          .toSorted(([, one], [, other]) => one.localeCompare(other)),
      }}
      order="-created"
      to={({ pk }) => `/settings/security-events/${pk}/`}
      title={t('people.events')}
      empty={<Empty icon="clock" title={t('people.no-events')} />}
    />
  )
}
