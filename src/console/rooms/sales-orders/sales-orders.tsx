import facts from 'facts:/api/order/so/'
import { useSignal } from '@preact/signals'
import { post, suggestions } from '../../kit/api.ts'
import type { Column } from '../../kit/column.ts'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { date, money, t } from '../../kit/language.ts'
import { Empty, Page } from '../../kit/page.tsx'
import { navigate } from '../../kit/router.ts'
import { may } from '../../kit/session.ts'
import { Table } from '../../kit/table.tsx'
import { DueDate, Progress, StateBadge } from '../orders/order-shown.tsx'
import { ELSEWHERE, type SalesOrder, STATES } from './sales-order-facts.ts'

const columns: readonly Column<SalesOrder>[] = [
  { name: 'reference', width: '8rem', cell: ({ pk, reference }) => <a href={`/order/sales-order/${pk}/`}>{reference}</a> },
  { name: 'customer', order: 'customer__name', width: '14rem', cell: ({ customer_detail }) => customer_detail?.name },
  { name: 'description', order: null, isWide: true, cell: ({ description }) => description },
  { name: 'status', width: '11rem', cell: (order) => <StateBadge order={order} states={STATES} /> },
  {
    name: 'line_items',
    title: () => t('sales.lines-out'),
    width: '9rem',
    isWide: true,
    cell: ({ completed_lines, line_items }) => (
      <Progress
        done={completed_lines}
        of={line_items}
        title={t('orders.lines-complete', { done: completed_lines, of: line_items })}
      />
    ),
  },
  {
    name: 'target_date',
    width: '8rem',
    isWide: true,
    cell: ({ target_date, overdue }) => <DueDate day={target_date} isOverdue={overdue} />,
  },
  {
    name: 'total_price',
    title: () => t('orders.total'),
    width: '10rem',
    align: 'end',
    isWide: true,
    cell: ({ total_price, order_currency, customer_detail }) => money(total_price, order_currency || customer_detail?.currency),
  },
  {
    name: 'customer_reference',
    order: null,
    width: '10rem',
    isExtra: true,
    cell: ({ customer_reference }) => customer_reference,
  },
  { name: 'responsible', order: null, width: '10rem', isExtra: true, cell: ({ responsible_detail }) => responsible_detail?.name },
  { name: 'project_code', width: '9rem', isExtra: true, cell: ({ project_code_detail }) => project_code_detail?.code },
  { name: 'creation_date', width: '8rem', isExtra: true, cell: ({ creation_date }) => date(creation_date) },
  { name: 'shipment_date', width: '8rem', isExtra: true, cell: ({ shipment_date }) => date(shipment_date) },
]

/** `/order/sales-order/`: all sales orders. */
export function SalesOrders() {
  const start = useSignal<{ reference?: unknown } | undefined>(undefined)
  const mayAdd = may('add', 'sales_order')
  const make = async () => {
    const { reference } = await suggestions(facts.path)
    start.value = { reference }
  }
  useCommands(() => (mayAdd ? [{ keys: 'n', label: () => t('sales.new'), run: () => void make() }] : []), [mayAdd])
  const button = mayAdd && (
    <button type="button" class="primary" onClick={make}>
      <Icon name="plus" />
      {t('sales.new')}
    </button>
  )
  return (
    <Page title={t('sales.title')} actions={button} isFull>
      <Table
        facts={facts}
        columns={columns}
        filters={['outstanding', 'overdue', 'customer']}
        rareFilters={['assigned_to_me', 'status', 'project_code', 'part']}
        fixed={{ customer_detail: 'true' }}
        to={({ pk }) => `/order/sales-order/${pk}/`}
        title={t('sales.title')}
        empty={
          <Empty icon="truck" title={t('sales.none')}>
            <p>{t('sales.none-more')}</p>
            {button}
          </Empty>
        }
      />
      {start.value && (
        <FormDialog<SalesOrder>
          title={t('sales.new')}
          facts={facts}
          start={start.value}
          names={['customer', 'description', 'customer_reference', 'target_date', 'reference']}
          without={ELSEWHERE}
          send={async (values, key) => (await post<SalesOrder>(facts.path, values, key)).body}
          onDone={({ pk }) => navigate(`/order/sales-order/${pk}/`)}
          onClose={() => {
            start.value = undefined
          }}
        />
      )}
    </Page>
  )
}
