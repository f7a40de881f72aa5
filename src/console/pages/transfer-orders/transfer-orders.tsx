import metadata from 'metadata:/api/order/transfer-order/'
import { formatDate, t } from '../../kit/language/language.ts'
import { OrderList } from '../orders/order-list.tsx'
import { TRANSFER_ORDERS, type TransferOrder } from './transfer-order-details.ts'

/** `/order/transfer-order/`: all transfer orders. */
export const TransferOrdersPage = () => (
  <OrderList<TransferOrder>
    kind={TRANSFER_ORDERS}
    metadata={metadata}
    icon="move"
    progressLabel="transfers.lines-transferred"
    ownColumns={[
      {
        name: 'take_from',
        order: null,
        width: '16%',
        isWide: true,
        cell: ({ take_from_detail }) => take_from_detail?.pathstring,
      },
      {
        name: 'destination',
        order: null,
        width: '16%',
        isWide: true,
        cell: ({ consume, destination_detail }) =>
          consume ? <span class="quiet-text">{t('transfers.consumed')}</span> : destination_detail?.pathstring,
      },
    ]}
    details={{ take_from_detail: 'true', destination_detail: 'true' }}
    extraColumns={[
      { name: 'complete_date', width: '8rem', isExtra: true, cell: ({ complete_date }) => formatDate(complete_date) },
    ]}
    filters={['part']}
  />
)
