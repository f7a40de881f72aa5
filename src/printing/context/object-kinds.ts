import type { Kind } from './world.ts'

const kinds = new WeakMap<object, Kind>()

/** Remembers of which kind an object is that templates have. */
export function remember<T extends object>(object: T, kind: Kind): T {
  kinds.set(object, kind)
  return object
}

/** The kind of an object that templates have; undefined for what is only a part of one. */
export const kindOf = (object: object): Kind | undefined => kinds.get(object)
