import type { Lengths } from '../kit/services/printer.ts'

/** Page sizes for reports, in mm, upright. */
export const PAGE_SIZES = {
  A4: { width: 210, height: 297 },
  A3: { width: 297, height: 420 },
  Legal: { width: 215.9, height: 355.6 },
  Letter: { width: 215.9, height: 279.4 },
} as const

export type PageSize = keyof typeof PAGE_SIZES

/** Further page sizes that a document may name in CSS. */
const OTHER_SIZES = [
  { width: 148, height: 210 },
  { width: 105, height: 148 },
  { width: 250, height: 353 },
  { width: 176, height: 250 },
  { width: 279.4, height: 431.8 },
]

/** All common paper sizes that CSS knows, upright. */
export const PAPER_SIZES: readonly Lengths[] = [...Object.values(PAGE_SIZES), ...OTHER_SIZES]
