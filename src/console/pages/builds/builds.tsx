import { useSignal } from '@preact/signals'
import { useBulkEdit } from '../../kit/grid/bulk-edit.tsx'
import { formatDate, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { Thumbnail } from '../../kit/page/thumbnail.tsx'
import { hasPermission } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { renderNoneOpen, useOpenOnly } from '../../kit/table/open-only.tsx'
import { Table } from '../../kit/table/table.tsx'
import { DueDate, Progress, StatusBadge } from '../orders/order-cells.tsx'
import { type Build, buildMetadata, STATUSES } from './build-details.ts'
import { NewBuild } from './new-build.tsx'

const columns: readonly Column<Build>[] = [
  { name: 'reference', width: '9rem', cell: ({ pk, reference }) => <a href={`/build/${pk}/`}>{reference}</a> },
  {
    name: 'part',
    order: 'part__name',
    cell: ({ part, part_detail }) => (
      <a class="plain" href={`/part/${part}/`}>
        <Thumbnail url={part_detail?.thumbnail} />
        {part_detail?.full_name}
      </a>
    ),
  },
  { name: 'title', order: null, isWide: true, cell: ({ title }) => title },
  {
    name: 'completed',
    width: '11rem',
    isWide: true,
    cell: ({ completed, quantity }) => <Progress done={completed} total={quantity} title={t('builds.completed-quantity')} />,
  },
  { name: 'status', width: '11rem', cell: (build) => <StatusBadge order={build} statuses={STATUSES} /> },
  {
    name: 'target_date',
    width: '9rem',
    isWide: true,
    cell: ({ target_date, overdue }) => <DueDate day={target_date} isOverdue={overdue} />,
  },
  { name: 'priority', width: '6rem', align: 'end', isWide: true, isExtra: true, cell: ({ priority }) => priority },
  { name: 'creation_date', width: '9rem', isWide: true, isExtra: true, cell: ({ creation_date }) => formatDate(creation_date) },
]

/** The fields that can be changed for several build orders at once. */
const BULK_FIELDS = ['target_date', 'start_date', 'priority', 'responsible', 'project_code', 'destination', 'take_from', 'link']

/** `/build/`: all build orders. */
export function BuildsPage() {
  const isCreating = useSignal(false)
  const canAdd = hasPermission('add', 'build')
  const openForm = () => {
    isCreating.value = true
  }
  const bulkEdit = useBulkEdit<Build>({
    metadata: buildMetadata,
    fields: BULK_FIELDS,
    getName: ({ reference }) => reference,
    isAllowed: hasPermission('change', 'build'),
  })
  useOpenOnly('active')
  useCommands(() => (canAdd ? [{ keys: 'n', label: () => t('builds.new'), run: openForm }] : []), [canAdd])
  const button = canAdd && (
    <button type="button" class="primary" onClick={openForm}>
      <Icon name="plus" />
      {t('builds.new')}
    </button>
  )
  return (
    <Page title={t('builds.title')} actions={button} isFull>
      <Table
        metadata={buildMetadata}
        columns={columns}
        filters={['active', 'status', 'overdue', 'part', 'assigned_to_me', 'project_code']}
        rareFilters={['project_code']}
        fixed={{ part_detail: 'true' }}
        to={({ pk }) => `/build/${pk}/`}
        actions={bulkEdit.actions}
        title={t('builds.title')}
        noMatches={renderNoneOpen('active', 'wrench', t('orders.none-open'), button)}
        empty={
          <Empty icon="wrench" title={t('builds.none')}>
            {button}
          </Empty>
        }
      />
      {bulkEdit.dialog}
      {isCreating.value && (
        <NewBuild
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
    </Page>
  )
}
