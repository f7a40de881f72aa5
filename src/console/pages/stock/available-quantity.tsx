import { formatWithUnit, t } from '../../kit/language/language.ts'
import { formatStatus } from './stock-details.tsx'

/** Available stock that is damaged or needs attention, by status, as lists return it with `flawed_stock=true`. */
export type Flaw = { status: number; quantity: number }

const FLAW_TEXTS = { 50: 'stock.flawed-attention', 55: 'stock.flawed-damaged', 85: 'stock.flawed-returned' } as const

const describeFlaw = ({ status, quantity: value }: Flaw, units: string | null | undefined): string => {
  const key = FLAW_TEXTS[status as keyof typeof FLAW_TEXTS]
  const amount = formatWithUnit(value, units)
  return key ? t(key, { many: amount }) : `${amount} ${formatStatus({ status, status_text: String(status) })}`
}

type Properties = {
  /** The formatted quantity. */
  children: string
  units: string | null | undefined
  flaws: readonly Flaw[] | undefined
}

/** The available quantity, and how much of it is damaged or needs attention. */
export function AvailableQuantity({ children, units, flaws = [] }: Properties) {
  if (flaws.length === 0) return <>{children}</>
  const flawText = t('stock.including', { what: flaws.map((flaw) => describeFlaw(flaw, units)).join(', ') })
  return (
    <span class="free" title={`${children}, ${flawText}`}>
      {children}
      <small>, {flawText}</small>
    </span>
  )
}
