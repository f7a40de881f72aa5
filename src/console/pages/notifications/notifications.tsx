import metadata from 'metadata:/api/notifications/'
import { useMemo, useRef } from 'preact/hooks'
import { formatDateTime, label, notificationText, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { change, post } from '../../kit/service/api.ts'
import { refreshUnread, unreadCount } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { Table } from '../../kit/table/table.tsx'
import type { Rows } from '../../kit/table/table-rows.ts'

/** A notification of the account, as in `/api/notifications/`. */
type Notification = {
  pk: number
  name: string
  message: string
  creation: string
  read: boolean
  target: { name: string; link?: string } | null
}

/** @param toggle marks a notification as read, or as unread */
const createColumns = (toggle: (row: Notification) => void): readonly Column<Notification>[] => [
  {
    name: 'name',
    title: () => t('notifications.notifications'),
    cell: ({ name, read, target }) =>
      target?.link ? (
        <a href={target.link} class={read ? 'quiet-text' : ''}>
          {notificationText(name)}: {target.name}
        </a>
      ) : (
        notificationText(name)
      ),
  },
  { name: 'message', order: null, isWide: true, cell: ({ message }) => notificationText(message) },
  { name: 'creation', width: '13rem', isWide: true, cell: ({ creation }) => formatDateTime(creation) },
  {
    name: 'read',
    width: '7rem',
    cell: (row) => (
      <label class="checkbox-line">
        <input type="checkbox" checked={row.read} onChange={() => toggle(row)} />
        <span class="visually-hidden">
          {label('read')}: {notificationText(row.name)} {row.target?.name}
        </span>
      </label>
    ),
  },
]

/** `/notifications/`: the notifications of the account, the newest first. */
export function NotificationsPage() {
  const rows = useRef<Rows<Notification>>(undefined)
  const markAndReload = async (send: () => Promise<unknown>) => {
    await attempt(() => send().then(refreshUnread))
    rows.current?.reload()
  }
  const columns = useMemo(
    () =>
      createColumns(({ pk, read }) => {
        void markAndReload(() => change(`${metadata.path}${pk}/`, { read: !read }, undefined))
      }),
    [],
  )
  const markAllRead = () => void markAndReload(() => post('/api/notifications/readall/'))
  useCommands(() => [{ keys: 'a', label: () => t('notifications.read-all'), run: markAllRead }])
  const button = unreadCount.value > 0 && (
    <button type="button" onClick={markAllRead}>
      <Icon name="check" />
      {t('notifications.read-all')}
    </button>
  )
  return (
    <Page title={t('notifications.title')} actions={button} isFull>
      <Table
        metadata={metadata}
        columns={columns}
        filters={['read']}
        order="-creation"
        to={({ target }) => target?.link}
        title={t('notifications.title')}
        empty={<Empty icon="bell" title={t('notifications.empty')} />}
        onRows={(newRows) => {
          rows.current = newRows
        }}
      />
    </Page>
  )
}
