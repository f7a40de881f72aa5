import type { ObjectKind } from './render-context.ts'

const kinds = new WeakMap<object, ObjectKind>()

/** Records the type of an object for templates. */
export function setObjectKind<T extends object>(object: T, kind: ObjectKind): T {
  kinds.set(object, kind)
  return object
}

/** The type of an object for templates; undefined for one that is only part of another. */
export const getObjectKind = (object: object): ObjectKind | undefined => kinds.get(object)
