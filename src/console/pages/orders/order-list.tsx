import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { useBulkEdit } from '../../kit/grid/bulk-edit.tsx'
import { formatDate, formatTotal, type PlainKey, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate, readQuery } from '../../kit/navigation/router.ts'
import { Icon, type IconName } from '../../kit/page/icon.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { post, readDefaults } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { hasPermission } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { renderNoneOpen, useOpenOnly } from '../../kit/table/open-only.tsx'
import { Table } from '../../kit/table/table.tsx'
import { ImportMenu } from '../import/import-menu.tsx'
import { EXCLUDED_FIELDS, getCompany, getCompanyReference, listNewOrderFields, type Order, type OrderKind } from './order.ts'
import { DueDate, Progress, StatusBadge } from './order-cells.tsx'

type Properties<Row> = {
  kind: OrderKind
  metadata: ResourceMetadata
  /** Heading of the column with the number of completed lines. */
  progressLabel: PlainKey
  /** Columns specific to this kind: after the reference, and hidden by default. */
  ownColumns?: readonly Column<Row>[]
  extraColumns?: readonly Column<Row>[]
  /** Details that its own columns show: `{ destination_detail: 'true' }`. */
  details?: Record<string, string>
  icon: IconName
  /** Filters specific to this kind. */
  filters?: readonly string[]
}

/** The types of spreadsheets that are imported, by role. */
const IMPORTED: Readonly<Record<string, readonly string[]>> = {
  purchase_order: ['purchaseorder', 'purchaseorderlineitem'],
  sales_order: ['salesorder', 'salesorderlineitem'],
  transfer_order: ['transferorderlineitem'],
}

/** The fields that can be changed for several orders at once. */
const BULK_FIELDS = ['target_date', 'start_date', 'responsible', 'project_code', 'destination', 'link']

const FILTERS = ['outstanding', 'overdue']
const RARE_FILTERS = ['assigned_to_me', 'project_code', 'completed_after']

/** All orders of a kind, with an action that creates one. */
export function OrderList<Row extends Order>({
  kind,
  metadata,
  progressLabel,
  extraColumns = [],
  ownColumns = [],
  details = {},
  icon,
  filters = [],
}: Properties<Row>) {
  const { name, page, role, company } = kind
  const start = useSignal<Values | undefined>(undefined)
  const isLoading = useRef(false)
  const canAdd = hasPermission('add', role)
  async function openForm() {
    if (isLoading.current) return
    isLoading.current = true
    await attempt(async () => {
      const { reference } = await readDefaults(metadata.path)
      // a list filtered by company proposes that company for the new order
      const companyKey = company && readQuery(company)
      start.value = { reference, ...(companyKey ? { [company]: Number(companyKey) } : {}) }
    })
    isLoading.current = false
  }
  const bulkEdit = useBulkEdit<Row>({
    metadata,
    fields: BULK_FIELDS,
    getName: ({ reference }) => reference,
    isAllowed: hasPermission('change', role),
  })
  useOpenOnly('outstanding')
  useCommands(() => (canAdd ? [{ keys: 'n', label: () => t(`${name}.new`), run: () => void openForm() }] : []), [canAdd])
  const button = canAdd && (
    <button type="button" class="primary" onClick={openForm}>
      <Icon name="plus" />
      {t(`${name}.new`)}
    </button>
  )
  return (
    <Page
      title={t(`${name}.title`)}
      actions={
        <>
          {button}
          <ImportMenu types={IMPORTED[role] ?? []} />
        </>
      }
      isFull
    >
      <Table
        metadata={metadata}
        columns={createColumns(kind, progressLabel, ownColumns, extraColumns)}
        filters={[...FILTERS, ...(company ? [company] : []), ...RARE_FILTERS, ...filters]}
        rareFilters={[...RARE_FILTERS, ...filters]}
        fixed={{ ...(company && { [`${company}_detail`]: 'true' }), ...details, custom_state: 'true' }}
        noMatches={renderNoneOpen('outstanding', icon, t('orders.none-open'), button)}
        to={({ pk }) => `${page}${pk}/`}
        actions={bulkEdit.actions}
        title={t(`${name}.title`)}
        empty={
          <Empty icon={icon} title={t(`${name}.none`)}>
            <p>{t(`${name}.none-more`)}</p>
            {button}
          </Empty>
        }
      />
      {bulkEdit.dialog}
      {start.value && (
        <FormDialog<Row>
          title={t(`${name}.new`)}
          metadata={metadata}
          start={start.value}
          names={listNewOrderFields(kind)}
          without={EXCLUDED_FIELDS}
          send={async (values, key) => (await post<Row>(metadata.path, values, key)).body}
          onDone={({ pk }) => navigate(`${page}${pk}/`)}
          onClose={() => {
            start.value = undefined
          }}
        />
      )}
    </Page>
  )
}

const createColumns = <Row extends Order>(
  { page, company, statuses }: OrderKind,
  progressLabel: PlainKey,
  ownColumns: readonly Column<Row>[],
  extraColumns: readonly Column<Row>[],
): Column<Row>[] => [
  {
    name: 'reference',
    width: '8rem',
    cell: (order) => (
      <>
        <a href={`${page}${order.pk}/`}>{order.reference}</a>
        {/* narrow screens have no room for a column of its own */}
        <small class="narrow-only">{getCompany(order)?.name}</small>
      </>
    ),
  },
  ...(company
    ? [
        {
          name: company,
          order: `${company}__name`,
          width: '18%',
          isWide: true,
          cell: (order: Row) => getCompany(order)?.name,
        },
      ]
    : []),
  ...ownColumns,
  { name: 'description', order: null, isWide: true, cell: ({ description }) => description },
  {
    name: 'status',
    width: '12.5rem',
    cell: (order) => (
      <>
        <StatusBadge order={order} statuses={statuses} />
        <small class="narrow-only">
          <DueDate day={order.target_date} isOverdue={order.overdue} />
        </small>
      </>
    ),
  },
  {
    name: 'line_items',
    title: () => t(progressLabel),
    width: '9rem',
    isWide: true,
    cell: ({ completed_lines, line_items }) => (
      <Progress
        done={completed_lines}
        total={line_items}
        title={t('orders.lines-complete', { done: completed_lines, of: line_items })}
      />
    ),
  },
  {
    name: 'target_date',
    width: '9.5rem',
    isWide: true,
    cell: ({ target_date, overdue }) => <DueDate day={target_date} isOverdue={overdue} />,
  },
  ...(company
    ? [
        {
          name: 'total_price',
          title: () => t('orders.total'),
          // a truncated amount reads as a different one
          width: 'clamp(10rem, 13.5vw, 13rem)',
          align: 'end' as const,
          isWide: true,
          cell: (order: Row) =>
            order.total_price == null ? (
              <span class="quiet-text">{t('orders.no-rate')}</span>
            ) : (
              formatTotal(order.total_price, order.order_currency || getCompany(order)?.currency)
            ),
        },
      ]
    : []),
  { name: 'responsible', width: '10rem', isExtra: true, cell: ({ responsible_detail }) => responsible_detail?.name },
  { name: 'project_code', width: '9rem', isExtra: true, cell: ({ project_code_detail }) => project_code_detail?.code },
  { name: 'creation_date', width: '8rem', isExtra: true, cell: ({ creation_date }) => formatDate(creation_date) },
  ...(company ? [{ name: `${company}_reference`, width: '10rem', isExtra: true, cell: getCompanyReference }] : []),
  ...extraColumns,
]
