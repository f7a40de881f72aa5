import { useConfirmQuantity } from '../../kit/form/confirm-quantity.tsx'
import { quantity, t } from '../../kit/language/language.ts'
import { isUnusual } from '../../kit/values/unusual-quantity.ts'
import { quantityOf, type StockItem } from './stock-details.tsx'

/** A stock item, and the quantity typed for it. */
type TypedQuantity = { item: StockItem; quantity?: string | undefined }

/**
 * Asks for confirmation of quantities that differ much from the previous ones, as `useConfirmQuantity` does.
 * @param isLessOdd whether much smaller quantities need it too, as in a count
 */
export function useConfirmQuantities(isLessOdd = true) {
  const { before, question } = useConfirmQuantity()
  return {
    question,
    before(all: readonly TypedQuantity[], run: () => unknown) {
      const doubtful = all.filter(({ item, quantity }) => isUnusual(quantity, item.quantity, isLessOdd))
      before(
        doubtful.length > 0 ? t('doubt.title') : undefined,
        run,
        <ul class="plain-list">
          {doubtful.map(({ item, quantity: amount = '' }) => (
            <li key={item.pk}>
              {item.part_detail?.full_name}:{' '}
              {t('doubt.quantity', { amount: quantity(amount, item.part_detail?.units), before: quantityOf(item) })}
            </li>
          ))}
        </ul>,
      )
    },
  }
}
