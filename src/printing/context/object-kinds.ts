import type { Kind } from './render-context.ts'

const kinds = new WeakMap<object, Kind>()

/** Records the type of an object for templates. */
export function setObjectKind<T extends object>(object: T, kind: Kind): T {
  kinds.set(object, kind)
  return object
}

/** The type of an object for templates; undefined for one that is only part of another. */
export const getObjectKind = (object: object): Kind | undefined => kinds.get(object)
