import { Confirm } from '../../kit/form/confirm.tsx'
import { t } from '../../kit/language/language.ts'
import { tell } from '../../kit/page/toast.tsx'
import { post } from '../../kit/service/api.ts'
import { quantityOf, type StockItem, titleOf } from '../stock/stock-details.tsx'
import { UNDOABLE, undoOf } from '../stock/undo.ts'

type Properties = {
  /** An item that was scanned here, and is recorded in another location. */
  item: StockItem
  /** The location that is counted. */
  place: { pk: number; name: string }
  onMoved: () => void
  onClose: () => void
}

/**
 * Asks whether to move an item to the location in which it was found. Recording it as new stock instead would double it: here, and in its
 * previous location.
 */
export function Stray({ item, place, onMoved, onClose }: Properties) {
  async function move(key: string): Promise<void> {
    const items = [{ pk: item.pk, quantity: item.quantity }]
    const answer = await post('/api/stock/transfer/', { items, location: place.pk, ...UNDOABLE }, key)
    tell(t('stock.moved', { what: titleOf(item), place: place.name }), undoOf(answer))
    onMoved()
  }
  const told = { item: titleOf(item), quantity: quantityOf(item) }
  const kept = item.location_detail?.pathstring
  return (
    <Confirm title={t('count.stray-title')} button={t('count.stray-move')} isHarmless onConfirm={move} onClose={onClose}>
      <p>{kept ? t('count.stray', { ...told, place: kept }) : t('count.stray-nowhere', told)}</p>
      <p>{t('count.stray-more')}</p>
    </Confirm>
  )
}
