import { DoubtWindow, isDoubtful } from '../../kit/doubt.tsx'
import { quantity, t } from '../../kit/language.ts'
import { quantityOf, type StockItem } from './stock-facts.tsx'

/** A stock item, and the quantity that is typed for it. */
export type TypedQuantity = { item: StockItem; quantity?: string | undefined }

/** Those of which so much is hardly meant. */
export const doubtful = <Typed extends TypedQuantity>(all: readonly Typed[]): readonly Typed[] =>
  all.filter(({ item, quantity }) => isDoubtful(quantity, item.quantity))

type Properties = { typed: readonly TypedQuantity[]; onMeant: () => Promise<unknown>; onClose: () => void }

/** Asks whether quantities are meant, each with what was there before. The focus is on the way back. */
export const Doubtful = ({ typed, onMeant, onClose }: Properties) => (
  <DoubtWindow title={t('doubt.title')} onMeant={onMeant} onClose={onClose}>
    <ul class="plain-list">
      {typed.map(({ item, quantity: amount = '' }) => (
        <li key={item.pk}>
          {item.part_detail?.full_name}:{' '}
          {t('doubt.quantity', { amount: quantity(amount, item.part_detail?.units), before: quantityOf(item) })}
        </li>
      ))}
    </ul>
  </DoubtWindow>
)
