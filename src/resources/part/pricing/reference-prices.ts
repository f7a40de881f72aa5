import { type Exact, exact } from '../../../kit/values/decimal.ts'

/** A bought, built or template part of the plain calculation in tests: all amounts in one currency. */
export type ReferencePart = {
  key: number
  /** The template that it is a variant of, earlier in the list. */
  template: number | null
  active: boolean
  internal: readonly string[]
  /** Pack prices, each with the pack quantity. */
  supplier: readonly { price: string; pack: string }[]
  /** Purchase prices of stock items. */
  paid: readonly string[]
  overrideMin: string | null
  lines: readonly {
    component: number
    quantity: string
    inherited: boolean
    allowVariants: boolean
    substitutes: readonly number[]
  }[]
}

export type ReferenceSettings = {
  internal: boolean
  internalOnly: boolean
  supplier: boolean
  historyFirst: boolean
  stock: boolean
  variants: boolean
  activeOnly: boolean
}

export type ReferenceFigures = Record<
  'bom' | 'purchase' | 'internal' | 'supplier' | 'variant' | 'overall',
  [string | null, string | null]
>

/** Calculates the figures of parts one by one and as plainly as possible: from a part down through all its dependencies. */
export function referencePrices(parts: readonly ReferencePart[], settings: ReferenceSettings): Map<number, ReferenceFigures> {
  const byKey = new Map(parts.map((part) => [part.key, part]))
  const figuresByPart = new Map<number, ReferenceFigures>()
  const above = (part: ReferencePart): ReferencePart[] => {
    const template = part.template === null ? undefined : byKey.get(part.template)
    return template ? [template, ...above(template)] : []
  }
  const variantsOf = (key: number) => parts.filter((part) => above(part).some((template) => template.key === key))
  const isTemplate = (key: number) => parts.some((part) => part.template === key)
  const rangeOf = (amounts: readonly Exact[]): [string | null, string | null] => side(smallest(amounts), largest(amounts))

  const figuresOf = (key: number): ReferenceFigures => {
    const cachedFigures = figuresByPart.get(key)
    if (cachedFigures) return cachedFigures
    const part = byKey.get(key) as ReferencePart
    const lines = [...part.lines, ...above(part).flatMap((template) => template.lines.filter((line) => line.inherited))]
    const costs = lines.map(({ component, quantity, allowVariants, substitutes }) => {
      const usable = [component, ...substitutes, ...(allowVariants ? variantsOf(component).map((one) => one.key) : [])]
      const all = usable.map((one) => figuresOf(one).overall)
      const minimum = smallest(all.flatMap(([min]) => (min === null ? [] : [exact(min)])))
      const maximum = largest(all.flatMap(([, max]) => (max === null ? [] : [exact(max)])))
      return { least: minimum?.times(quantity), most: maximum?.times(quantity) }
    })
    const variants = isTemplate(key) ? variantsOf(key).filter((one) => one.active || !settings.activeOnly) : []
    const overalls = variants.map((one) => figuresOf(one.key).overall)
    const bom = side(
      sum(costs.flatMap(({ least: minimum }) => (minimum ? [minimum] : []))),
      sum(costs.flatMap(({ most: maximum }) => (maximum ? [maximum] : []))),
    )
    const purchase = rangeOf(settings.stock ? part.paid.map(exact) : [])
    const internal = rangeOf(settings.internal ? part.internal.map(exact) : [])
    const supplier = rangeOf(part.supplier.map(({ price, pack }) => exact(price).div(pack)))
    const variant = side(
      smallest(overalls.flatMap(([min]) => (min === null ? [] : [exact(min)]))),
      largest(overalls.flatMap(([, max]) => (max === null ? [] : [exact(max)]))),
    )
    const counts = [
      ...[bom, purchase, internal],
      ...(settings.supplier && !(settings.historyFirst && purchase[0] !== null) ? [supplier] : []),
      ...(settings.variants ? [variant] : []),
    ]
    const overall = side(
      smallest(counts.flatMap(([min]) => (min === null ? [] : [exact(min)]))),
      largest(counts.flatMap(([, max]) => (max === null ? [] : [exact(max)]))),
    )
    if (settings.internalOnly && internal[0] !== null) overall.splice(0, 2, ...internal)
    if (part.overrideMin !== null) {
      const [minimum, maximum] = [exact(part.overrideMin), overall[1]]
      overall.splice(0, 2, minimum.toFixed(6), maximum !== null && minimum.gt(maximum) ? minimum.toFixed(6) : maximum)
    }
    const figures = { bom, purchase, internal, supplier, variant, overall }
    figuresByPart.set(key, figures)
    return figures
  }
  for (const { key } of parts) figuresOf(key)
  return figuresByPart
}

const smallest = (amounts: readonly Exact[]) => amounts.reduce<Exact | undefined>((a, b) => (a?.lte(b) ? a : b), undefined)
const largest = (amounts: readonly Exact[]) => amounts.reduce<Exact | undefined>((a, b) => (a?.gte(b) ? a : b), undefined)
const sum = (amounts: readonly Exact[]) => amounts.reduce<Exact | undefined>((a, b) => (a ? a.plus(b) : b), undefined)
const side = (minimum: Exact | undefined, maximum: Exact | undefined): [string | null, string | null] => [
  storableAmount(minimum),
  storableAmount(maximum),
]

/** An amount above the limit is unknown. */
const storableAmount = (amount: Exact | undefined) => (amount?.lt('9999999999999') ? amount.toFixed(6) : null)
