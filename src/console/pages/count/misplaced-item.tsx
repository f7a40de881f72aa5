import { Confirm } from '../../kit/form/confirm.tsx'
import { t } from '../../kit/language/language.ts'
import { showToast } from '../../kit/page/toast.tsx'
import { post } from '../../kit/service/api.ts'
import { quantityOf, type StockItem, titleOf } from '../stock/stock-details.tsx'
import { UNDOABLE, undoOf } from '../stock/undo.ts'

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
    showToast(t('stock.moved', { what: titleOf(item), place: location.name }), undoOf(response))
    onMoved()
  }
  const textParameters = { item: titleOf(item), quantity: quantityOf(item) }
  const expectedLocation = item.location_detail?.pathstring
  return (
    <Confirm title={t('count.stray-title')} button={t('count.stray-move')} isHarmless onConfirm={move} onClose={onClose}>
      <p>
        {expectedLocation
          ? t('count.stray', { ...textParameters, place: expectedLocation })
          : t('count.stray-nowhere', textParameters)}
      </p>
      <p>{t('count.stray-more')}</p>
    </Confirm>
  )
}
