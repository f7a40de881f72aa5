import { useConfirmQuantity } from '../../kit/form/confirm-quantity.tsx'
import { formatWithUnit, t } from '../../kit/language/language.ts'
import { isUnusual } from '../../kit/values/unusual-quantity.ts'
import { formatItemQuantity, type StockItem } from './stock-details.tsx'

/** A stock item, and the quantity typed for it. */
type TypedQuantity = { item: StockItem; quantity?: string | undefined }

/**
 * Asks for confirmation of quantities that differ much from the previous ones, as `useConfirmQuantity` does.
 * @param checksSmaller whether much smaller quantities need it too, as in a count
 */
export function useConfirmQuantities(checksSmaller = true) {
  const { before, dialog: question } = useConfirmQuantity()
  return {
    question,
    before(all: readonly TypedQuantity[], run: () => unknown) {
      const unusual = all.filter(({ item, quantity }) => isUnusual(quantity, item.quantity, checksSmaller))
      before(
        unusual.length > 0 ? t('confirm.title') : undefined,
        run,
        <ul class="plain-list">
          {unusual.map(({ item, quantity: amount = '' }) => (
            <li key={item.pk}>
              {item.part_detail?.full_name}:{' '}
              {t('confirm.quantity', {
                amount: formatWithUnit(amount, item.part_detail?.units),
                before: formatItemQuantity(item),
              })}
            </li>
          ))}
        </ul>,
      )
    },
  }
}
