import { isLabel, type TemplateKind } from './kinds.ts'

/** Labels that have all of the time that a print may take. */
const LABELS = 200

/**
 * The part of the time of a print, from 0 to 1, that so many items of a kind may take: one label a third of it. A label takes
 * milliseconds, so one that takes longer is a mistake, for which others wait.
 */
export const timeShare = (kind: TemplateKind, items: number): number =>
  isLabel(kind) ? Math.min(1, 1 / 3 + ((2 / 3) * items) / LABELS) : 1
