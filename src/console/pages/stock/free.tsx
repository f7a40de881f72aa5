import { quantity, t } from '../../kit/language/language.ts'
import { statusOf } from './stock-details.tsx'

/** Available stock that is damaged or needs attention, by status, as lists return it with `flawed_stock=true`. */
export type Flaw = { status: number; quantity: number }

const WORDS = { 50: 'stock.flawed-attention', 55: 'stock.flawed-damaged', 85: 'stock.flawed-returned' } as const

const wordsFor = ({ status, quantity: many }: Flaw, units: string | null | undefined): string => {
  const word = WORDS[status as keyof typeof WORDS]
  const amount = quantity(many, units)
  return word ? t(word, { many: amount }) : `${amount} ${statusOf({ status, status_text: String(status) })}`
}

type Properties = {
  /** The formatted quantity. */
  children: string
  units: string | null | undefined
  flaws: readonly Flaw[] | undefined
}

/** The available quantity, and the part of it that is damaged or needs attention, which is included. */
export function Free({ children, units, flaws = [] }: Properties) {
  if (flaws.length === 0) return <>{children}</>
  const flawed = t('stock.of-which', { what: flaws.map((flaw) => wordsFor(flaw, units)).join(', ') })
  return (
    <span class="free" title={`${children}, ${flawed}`}>
      {children}
      <small>, {flawed}</small>
    </span>
  )
}
