import { type Exact, toExact } from '../../../kit/values/decimal.ts'

/** A part in the simple calculation that tests compare the prices with: all amounts are in one currency. */
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

/** Calculates the price ranges of parts one by one and as simply as possible, recursively through the dependencies of each part. */
export function calculateReferencePrices(
  parts: readonly ReferencePart[],
  settings: ReferenceSettings,
): Map<number, ReferenceFigures> {
  const byKey = new Map(parts.map((part) => [part.key, part]))
  const figuresByPart = new Map<number, ReferenceFigures>()
  const listTemplates = (part: ReferencePart): ReferencePart[] => {
    const template = part.template === null ? undefined : byKey.get(part.template)
    return template ? [template, ...listTemplates(template)] : []
  }
  const listVariants = (key: number) => parts.filter((part) => listTemplates(part).some((template) => template.key === key))
  const isTemplate = (key: number) => parts.some((part) => part.template === key)
  const toRange = (amounts: readonly Exact[]): [string | null, string | null] =>
    toStoredRange(smallest(amounts), largest(amounts))

  const calculateFigures = (key: number): ReferenceFigures => {
    const cachedFigures = figuresByPart.get(key)
    if (cachedFigures) return cachedFigures
    const part = byKey.get(key) as ReferencePart
    const lines = [...part.lines, ...listTemplates(part).flatMap((template) => template.lines.filter((line) => line.inherited))]
    const costs = lines.map(({ component, quantity, allowVariants, substitutes }) => {
      const usable = [
        component,
        ...substitutes,
        ...(allowVariants ? listVariants(component).map((candidate) => candidate.key) : []),
      ]
      const all = usable.map((candidate) => calculateFigures(candidate).overall)
      const minimum = smallest(all.flatMap(([min]) => (min === null ? [] : [toExact(min)])))
      const maximum = largest(all.flatMap(([, max]) => (max === null ? [] : [toExact(max)])))
      return { minimum: minimum?.times(quantity), maximum: maximum?.times(quantity) }
    })
    const variants = isTemplate(key) ? listVariants(key).filter((candidate) => candidate.active || !settings.activeOnly) : []
    const overalls = variants.map((candidate) => calculateFigures(candidate.key).overall)
    const bom = toStoredRange(
      sum(costs.flatMap(({ minimum }) => (minimum ? [minimum] : []))),
      sum(costs.flatMap(({ maximum }) => (maximum ? [maximum] : []))),
    )
    const purchase = toRange(settings.stock ? part.paid.map(toExact) : [])
    const internal = toRange(settings.internal ? part.internal.map(toExact) : [])
    const supplier = toRange(part.supplier.map(({ price, pack }) => toExact(price).div(pack)))
    const variant = toStoredRange(
      smallest(overalls.flatMap(([min]) => (min === null ? [] : [toExact(min)]))),
      largest(overalls.flatMap(([, max]) => (max === null ? [] : [toExact(max)]))),
    )
    const includedRanges = [
      ...[bom, purchase, internal],
      ...(settings.supplier && !(settings.historyFirst && purchase[0] !== null) ? [supplier] : []),
      ...(settings.variants ? [variant] : []),
    ]
    const overall = toStoredRange(
      smallest(includedRanges.flatMap(([min]) => (min === null ? [] : [toExact(min)]))),
      largest(includedRanges.flatMap(([, max]) => (max === null ? [] : [toExact(max)]))),
    )
    if (settings.internalOnly && internal[0] !== null) overall.splice(0, 2, ...internal)
    if (part.overrideMin !== null) {
      const [minimum, maximum] = [toExact(part.overrideMin), overall[1]]
      overall.splice(0, 2, minimum.toFixed(6), maximum !== null && minimum.gt(maximum) ? minimum.toFixed(6) : maximum)
    }
    const figures = { bom, purchase, internal, supplier, variant, overall }
    figuresByPart.set(key, figures)
    return figures
  }
  for (const { key } of parts) calculateFigures(key)
  return figuresByPart
}

const smallest = (amounts: readonly Exact[]) => amounts.reduce<Exact | undefined>((a, b) => (a?.lte(b) ? a : b), undefined)
const largest = (amounts: readonly Exact[]) => amounts.reduce<Exact | undefined>((a, b) => (a?.gte(b) ? a : b), undefined)
const sum = (amounts: readonly Exact[]) => amounts.reduce<Exact | undefined>((a, b) => (a ? a.plus(b) : b), undefined)
const toStoredRange = (minimum: Exact | undefined, maximum: Exact | undefined): [string | null, string | null] => [
  storableAmount(minimum),
  storableAmount(maximum),
]

/** An amount above the limit is unknown. */
const storableAmount = (amount: Exact | undefined) => (amount?.lt('9999999999999') ? amount.toFixed(6) : null)
