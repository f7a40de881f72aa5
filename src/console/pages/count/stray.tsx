import { Confirm } from '../../kit/form/confirm.tsx'
import { t } from '../../kit/language/language.ts'
import { tell } from '../../kit/page/toast.tsx'
import { post } from '../../kit/service/api.ts'
import { quantityOf, type StockItem, titleOf } from '../stock/stock-details.tsx'
import { UNDOABLE, undoOf } from '../stock/undo.ts'

type Properties = {
  /** What was scanned here, and is kept in another place by the books. */
  item: StockItem
  /** The place that is counted. */
  place: { pk: number; name: string }
  onMoved: () => void
  onClose: () => void
}

/**
 * Asks whether an item is brought to the place in which it was found. Were it written down as new stock instead, there would be twice as
 * much of it by the books: here, and where it was.
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
