import type { TagReader } from '../node.ts'
import { barcodeTags } from './barcodes.ts'
import { blockTags } from './blocks.ts'
import { controlTags } from './control.ts'
import { extraTags } from './extras.ts'
import { reportTags } from './report.ts'
import { textTags } from './texts.ts'
import { createValueTagReader } from './value-tag.ts'

const valueTags = { ...barcodeTags, ...extraTags, ...reportTags }

/** Every tag of a template in Django's syntax. */
export const tags: Readonly<Record<string, TagReader>> = {
  ...blockTags,
  ...controlTags,
  ...textTags,
  ...Object.fromEntries(Object.entries(valueTags).map(([name, kind]) => [name, createValueTagReader(kind)])),
}
