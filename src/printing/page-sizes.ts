import type { Lengths } from '../kit/services/printer.ts'

/** Sizes of paper in mm, upright, by the name that CSS and settings know them by. */
export const PAGE_SIZES = {
  A0: { width: 841, height: 1189 },
  A1: { width: 594, height: 841 },
  A2: { width: 420, height: 594 },
  A3: { width: 297, height: 420 },
  A4: { width: 210, height: 297 },
  A5: { width: 148, height: 210 },
  A6: { width: 105, height: 148 },
  B4: { width: 250, height: 353 },
  B5: { width: 176, height: 250 },
  Letter: { width: 215.9, height: 279.4 },
  Legal: { width: 215.9, height: 355.6 },
  Ledger: { width: 279.4, height: 431.8 },
} as const satisfies Record<string, Lengths>
