import type { Resource } from '../../kit/definition/resource.ts'

const resources = new WeakMap<object, Resource>()

/** Remembers of which kind an object is that templates have. */
export function remember<T extends object>(object: T, resource: Resource): T {
  resources.set(object, resource)
  return object
}

/** The kind of an object that templates have; undefined for what is only a part of one. */
export const resourceOf = (object: object): Resource | undefined => resources.get(object)
