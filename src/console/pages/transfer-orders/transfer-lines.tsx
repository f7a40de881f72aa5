import metadata from 'metadata:/api/order/transfer-order-line/'
import type { GridColumn } from '../../kit/grid/grid.tsx'
import { useAddedRow } from '../../kit/grid/rows.tsx'
import { formatNumber, formatWithUnit, t } from '../../kit/language/language.ts'
import { lineNumberColumn } from '../orders/line-columns.tsx'
import { getQuantityWarning, Lines, type LinesProperties } from '../orders/lines.tsx'
import { buildNextPartLine } from '../orders/next-line.ts'
import { getAvailable, type PartBrief } from '../orders/order.ts'
import { DueDate, PartName, Progress } from '../orders/order-cells.tsx'
import { getShortage, type TransferLine, type TransferOrder } from './transfer-order-details.ts'

const columns: readonly GridColumn<TransferLine>[] = [
  { name: 'part', cell: ({ part_detail }) => <PartName part={part_detail} detail={part_detail?.description} /> },
  {
    name: 'quantity',
    width: '7rem',
    align: 'end',
    cell: ({ quantity: amount, part_detail }) => formatWithUnit(amount, part_detail?.units),
    edit: true,
    getWarning: (line, value) => getQuantityWarning(line, value, (amount) => formatWithUnit(amount, line.part_detail?.units)),
  },
  {
    name: 'allocated',
    title: () => t('sales.allocated'),
    width: '10rem',
    cell: (line) => (
      <>
        <Progress done={line.allocated} total={line.quantity} title={t('sales.allocated')} />
        {getShortage(line) > 0 && (
          <small class={getAvailable(line) < getShortage(line) ? 'alert-text' : ''}>
            {t('sales.available', { count: formatNumber(getAvailable(line)) })}
          </small>
        )}
      </>
    ),
  },
  {
    name: 'transferred',
    width: '7.5rem',
    align: 'end',
    isWide: true,
    cell: ({ transferred, part_detail }) => formatWithUnit(transferred, part_detail?.units),
  },
  {
    name: 'target_date',
    width: '8rem',
    isDesk: true,
    cell: ({ target_date, overdue }) => <DueDate day={target_date} isOverdue={overdue} />,
    edit: true,
  },
  {
    name: 'reference',
    width: '8rem',
    isDesk: true,
    cell: ({ reference }) => reference,
    edit: true,
  },
  {
    name: 'notes',
    isDesk: true,
    width: '9rem',
    cell: ({ notes }) => <small>{notes}</small>,
    edit: true,
  },
  lineNumberColumn,
]

/** The lines of a transfer order; a search field adds the next one. */
export function TransferLines({ order, rights, onChanged, currency: _, ...rest }: LinesProperties<TransferOrder, TransferLine>) {
  const { editRequest, add } = useAddedRow(metadata.path, 'quantity', onChanged)
  const createBody = (part: number, amount: number | string) => ({ order: order.pk, part, quantity: amount })
  return (
    <Lines<TransferLine, PartBrief>
      {...rest}
      metadata={metadata}
      columns={columns}
      rights={rights}
      nameOf={({ part_detail }) => part_detail?.name}
      editRequest={editRequest}
      next={
        rights.add
          ? buildNextPartLine({ query: { active: true, virtual: false }, path: metadata.path, createBody, add, onChanged })
          : undefined
      }
      onChanged={onChanged}
    />
  )
}
