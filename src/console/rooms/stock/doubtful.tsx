import { useDoubt } from '../../kit/form/doubt.tsx'
import { quantity, t } from '../../kit/language/language.ts'
import { isDoubtful } from '../../kit/values/doubtful.ts'
import { quantityOf, type StockItem } from './stock-facts.tsx'

/** A stock item, and the quantity that is typed for it. */
type TypedQuantity = { item: StockItem; quantity?: string | undefined }

/**
 * Asks whether quantities are meant that differ much from what was there before, as `useDoubt` does.
 * @param isLessOdd whether much less is asked about too, as in a count
 */
export function useDoubts(isLessOdd = true) {
  const { before, question } = useDoubt()
  return {
    question,
    before(all: readonly TypedQuantity[], run: () => unknown) {
      const doubtful = all.filter(({ item, quantity }) => isDoubtful(quantity, item.quantity, isLessOdd))
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
