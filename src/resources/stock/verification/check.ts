import type { GlobalSnapshot } from '../../settings/store.ts'

/** Something that holds as long as nothing is broken, and the statement that finds what breaks it. */
export type Check = {
  /** By which programs know it. */
  name: string
  /** What holds, as a sentence. */
  holds: string
  /** What differs is told, and may be right all the same. */
  remark?: true
  /** Whether it has to hold; without this it always has to. */
  when?: (settings: GlobalSnapshot) => boolean
  /** A select of the objects that break it, without an order: `model` as in `objects.ts`, `pk`, and `problem` as half a sentence. */
  broken: string
}
