import { isLabel, type TemplateKind } from './kinds.ts'

/** Number of labels that get all of a print's time limit. */
const FULL_TIME_LABELS = 200

/**
 * Share of a print's time limit, from 0 to 1, for a number of items of a kind: a third of it for one label. A label takes milliseconds, so
 * one that takes longer is a mistake that makes others wait.
 */
export const getTimeShare = (kind: TemplateKind, items: number): number =>
  isLabel(kind) ? Math.min(1, 1 / 3 + ((2 / 3) * items) / FULL_TIME_LABELS) : 1
