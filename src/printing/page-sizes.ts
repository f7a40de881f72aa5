import type { Lengths } from '../kit/services/printer.ts'

/** What reports may be printed on, in mm, upright. */
export const PAGE_SIZES = {
  A4: { width: 210, height: 297 },
  A3: { width: 297, height: 420 },
  Legal: { width: 215.9, height: 355.6 },
  Letter: { width: 215.9, height: 279.4 },
} as const

export type PageSize = keyof typeof PAGE_SIZES

/** Further ones that a document may name in CSS. */
const OTHERS = [
  { width: 148, height: 210 },
  { width: 105, height: 148 },
  { width: 250, height: 353 },
  { width: 176, height: 250 },
  { width: 279.4, height: 431.8 },
]

/** All sizes of paper that CSS knows and people print on, upright. */
export const PAPER_SIZES: readonly Lengths[] = [...Object.values(PAGE_SIZES), ...OTHERS]
