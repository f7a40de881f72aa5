import metadata from 'metadata:/api/error-report/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { count, formatDateTime, t } from '../../../kit/language/language.ts'
import { routeLocation, setQuery } from '../../../kit/navigation/router.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { DescriptionList, Empty } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { get, type Page, removeSeveral, withQuery } from '../../../kit/service/api.ts'
import type { RowAction } from '../../../kit/table/choice.ts'
import type { Column } from '../../../kit/table/column.ts'
import { Table } from '../../../kit/table/table.tsx'
import type { Rows } from '../../../kit/table/table-rows.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'

type ErrorReport = { pk: number; when: string; info: string; data: string; path: string | null; request: string }

const COLUMNS: readonly Column<ErrorReport>[] = [
  { name: 'when', title: () => t('operation.errors.when'), width: '13rem', cell: ({ when }) => formatDateTime(when) },
  { name: 'info', title: () => t('operation.errors.what'), cell: ({ info }) => info },
  {
    name: 'path',
    title: () => t('operation.errors.path'),
    order: null,
    isWide: true,
    width: '18rem',
    cell: ({ path }) => path ?? t('operation.errors.background'),
  },
]
/** Number of stored reports that the service retains at most: all of them are deleted together. */
const MAX_REPORTS = 1_000

/** `/settings/errors/`: errors of the service itself. The URL holds the report that is open. */
export function ErrorReportsPage() {
  const rows = useSignal<Rows<ErrorReport> | undefined>(undefined)
  const reportsToDelete = useSignal<{ reports: readonly ErrorReport[]; done: () => void } | undefined>(undefined)
  const isDeletingAll = useSignal(false)
  const actions = useActions([
    isStaff() &&
      (rows.value?.count.value ?? 0) > 0 && {
        title: t('operation.errors.delete-all'),
        icon: 'trash',
        run: () => {
          isDeletingAll.value = true
        },
      },
  ])
  const rowActions: readonly RowAction<ErrorReport>[] = [
    {
      label: () => t('operation.errors.delete'),
      icon: 'trash',
      keys: 'd',
      run: (reports, done) => {
        reportsToDelete.value = { reports, done }
      },
    },
  ]
  const pk = routeLocation.value.query.get('report')
  const close = () => setQuery({ report: undefined })
  const remove = async (reports: readonly { pk: number }[]) => {
    await removeSeveral(
      metadata.path,
      reports.map((report) => report.pk),
    )
    showToast(t('operation.errors.deleted'))
  }
  return (
    <SettingsPage title={t('operation.errors')} actions={actions} isFull>
      <Table
        metadata={metadata}
        columns={COLUMNS}
        order="-when"
        title={t('operation.errors')}
        to={(report) => withQuery('/settings/errors/', { report: report.pk })}
        actions={rowActions}
        onRows={(loaded) => {
          rows.value = loaded
        }}
        empty={
          <Empty icon="check" title={t('operation.errors.none')}>
            <p>{t('operation.errors.none.about')}</p>
          </Empty>
        }
      />
      {pk && <ErrorDetail pk={pk} onClose={close} />}
      {reportsToDelete.value && (
        <Confirm
          title={count('operation.errors.delete-ask', reportsToDelete.value.reports.length)}
          button={t('operation.errors.delete')}
          onConfirm={async () => {
            await remove(reportsToDelete.value?.reports ?? [])
            reportsToDelete.value?.done()
          }}
          onClose={() => {
            reportsToDelete.value = undefined
          }}
        >
          <p>{t('operation.errors.delete.about')}</p>
        </Confirm>
      )}
      {isDeletingAll.value && (
        <Confirm
          title={t('operation.errors.delete-all-ask')}
          button={t('operation.errors.delete-all')}
          onConfirm={async () => {
            const { body } = await get<Page<ErrorReport>>(withQuery(metadata.path, { limit: MAX_REPORTS }))
            await remove(body.results)
            rows.value?.reload()
          }}
          onClose={() => {
            isDeletingAll.value = false
          }}
        >
          <p>{t('operation.errors.delete.about')}</p>
        </Confirm>
      )}
    </SettingsPage>
  )
}

function ErrorDetail({ pk, onClose }: { pk: string; onClose: () => void }) {
  const { data, error } = useRead<{ report: ErrorReport }>({ report: `${metadata.path}${pk}/` })
  const report = data?.report.body
  return (
    <Dialog title={t('operation.errors.detail', { pk })} onClose={onClose} size="wide">
      {error && <p class="problem">{error.message}</p>}
      {report && (
        <>
          <DescriptionList
            rows={[
              [t('operation.errors.when'), formatDateTime(report.when)],
              [t('operation.errors.what'), report.info],
              [t('operation.errors.path'), report.path ?? t('operation.errors.background')],
              [t('operation.errors.id'), <code key="id">{report.request}</code>],
            ]}
          />
          {/* it scrolls, also by keys */}
          <pre class="stack-trace" tabIndex={0}>
            {report.data}
          </pre>
        </>
      )}
    </Dialog>
  )
}
