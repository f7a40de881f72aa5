import { isDoubtful, useDoubt } from '../../kit/form/doubt.tsx'
import { quantity, t } from '../../kit/language/language.ts'
import { quantityOf, type StockItem } from './stock-facts.tsx'

/** A stock item, and the quantity that is typed for it. */
type TypedQuantity = { item: StockItem; quantity?: string | undefined }

/** Asks whether quantities are meant of which so much hardly is, each with what was there before, as `useDoubt` does. */
export function useDoubts() {
  const { before, question } = useDoubt()
  return {
    question,
    before(all: readonly TypedQuantity[], run: () => unknown) {
      const doubtful = all.filter(({ item, quantity }) => isDoubtful(quantity, item.quantity))
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
