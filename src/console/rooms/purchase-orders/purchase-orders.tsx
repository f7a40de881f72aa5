import facts from 'facts:/api/order/po/'
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
import { ELSEWHERE, type PurchaseOrder, STATES } from './purchase-order-facts.tsx'

const columns: readonly Column<PurchaseOrder>[] = [
  {
    name: 'reference',
    width: '8rem',
    cell: ({ pk, reference }) => <a href={`/order/purchase-order/${pk}/`}>{reference}</a>,
  },
  { name: 'supplier', order: 'supplier__name', width: '14rem', cell: ({ supplier_detail }) => supplier_detail?.name },
  { name: 'description', order: null, isWide: true, cell: ({ description }) => description },
  { name: 'status', width: '11rem', cell: (order) => <StateBadge order={order} states={STATES} /> },
  {
    name: 'line_items',
    title: () => t('orders.lines-in'),
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
    cell: ({ total_price, order_currency, supplier_detail }) => money(total_price, order_currency || supplier_detail?.currency),
  },
  {
    name: 'supplier_reference',
    order: null,
    width: '10rem',
    isExtra: true,
    cell: ({ supplier_reference }) => supplier_reference,
  },
  { name: 'responsible', width: '10rem', isExtra: true, cell: ({ responsible_detail }) => responsible_detail?.name },
  { name: 'project_code', width: '9rem', isExtra: true, cell: ({ project_code_detail }) => project_code_detail?.code },
  { name: 'creation_date', width: '8rem', isExtra: true, cell: ({ creation_date }) => date(creation_date) },
  { name: 'issue_date', order: null, width: '8rem', isExtra: true, cell: ({ issue_date }) => date(issue_date) },
  { name: 'complete_date', order: null, width: '8rem', isExtra: true, cell: ({ complete_date }) => date(complete_date) },
]

/** `/order/purchase-order/`: all purchase orders. */
export function PurchaseOrders() {
  const start = useSignal<{ reference?: unknown } | undefined>(undefined)
  const mayAdd = may('add', 'purchase_order')
  const make = async () => {
    const { reference } = await suggestions(facts.path)
    start.value = { reference }
  }
  useCommands(() => (mayAdd ? [{ keys: 'n', label: () => t('purchase.new'), run: () => void make() }] : []), [mayAdd])
  const button = mayAdd && (
    <button type="button" class="primary" onClick={make}>
      <Icon name="plus" />
      {t('purchase.new')}
    </button>
  )
  return (
    <Page title={t('purchase.title')} actions={button} isFull>
      <Table
        facts={facts}
        columns={columns}
        filters={['outstanding', 'overdue', 'supplier']}
        rareFilters={['assigned_to_me', 'status', 'project_code', 'part']}
        fixed={{ supplier_detail: 'true' }}
        to={({ pk }) => `/order/purchase-order/${pk}/`}
        title={t('purchase.title')}
        empty={
          <Empty icon="cart" title={t('purchase.none')}>
            <p>{t('purchase.none-more')}</p>
            {button}
          </Empty>
        }
      />
      {start.value && (
        <FormDialog<PurchaseOrder>
          title={t('purchase.new')}
          facts={facts}
          start={start.value}
          names={['supplier', 'description', 'supplier_reference', 'target_date', 'reference']}
          without={ELSEWHERE}
          send={async (values, key) => (await post<PurchaseOrder>(facts.path, values, key)).body}
          onDone={({ pk }) => navigate(`/order/purchase-order/${pk}/`)}
          onClose={() => {
            start.value = undefined
          }}
        />
      )}
    </Page>
  )
}
