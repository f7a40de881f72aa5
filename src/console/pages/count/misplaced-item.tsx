import { Confirm } from '../../kit/form/confirm.tsx'
import { t } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { post } from '../../kit/service/api.ts'
import { formatItemQuantity, formatItemTitle, type StockItem } from '../stock/stock-details.tsx'
import { getUndo, UNDOABLE } from '../stock/undo.ts'

type Properties = {
  /** An item that was scanned here, and is recorded in another location. */
  item: StockItem
  /** The location that is counted. */
  location: { pk: number; name: string }
  onMoved: () => void
  onClose: () => void
}

/**
 * Asks whether to move an item to the location in which it was found. Recording it as new stock instead would double it: here, and in its
 * previous location.
 */
export function MisplacedItem({ item, location, onMoved, onClose }: Properties) {
  async function move(key: string): Promise<void> {
    const items = [{ pk: item.pk, quantity: item.quantity }]
    const response = await post('/api/stock/transfer/', { items, location: location.pk, ...UNDOABLE }, key)
    showToast(t('stock.moved', { what: formatItemTitle(item), place: location.name }), getUndo(response))
    onMoved()
  }
  const textParameters = { item: formatItemTitle(item), quantity: formatItemQuantity(item) }
  const expectedLocation = item.location_detail?.pathstring
  return (
    <Confirm title={t('count.misplaced-title')} button={t('count.misplaced-move')} isHarmless onConfirm={move} onClose={onClose}>
      <p>
        {expectedLocation
          ? t('count.misplaced', { ...textParameters, place: expectedLocation })
          : t('count.misplaced-no-location', textParameters)}
      </p>
      <p>{t('count.misplaced-more')}</p>
    </Confirm>
  )
}
