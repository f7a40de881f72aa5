/**
 * What templates know of a kind of objects before they read one: plain data, since templates are filled in by processes that have no
 * definitions of resources.
 */
export type Kind = {
  /** The address of its list. */
  path: string
  /** Its short name in codes, such as `stockitem`. */
  model: string | undefined
  /** The fields that refer to another object which templates reach: the address of its kind, by field. */
  references: Readonly<Record<string, string>>
  /** Lists of objects that belong to one: the address of their kind, by name. */
  lists: Readonly<Record<string, string>>
  /** Types of the fields that are texts and stand for something else: `date`, `datetime`, `decimal`. */
  types: Readonly<Record<string, string>>
  /** Every field, empty or zero as its type is, as samples have it. */
  empty: Readonly<Record<string, unknown>>
}

/** What all templates know, the same for each print. */
export type World = {
  /** The kinds of objects by their address. */
  kinds: Readonly<Record<string, Kind>>
  /** The kind of the caller's own account, which no other object leads to. */
  account: Kind
  /** The keys of all global settings, those that are confidential apart. */
  settings: { open: readonly string[]; confidential: readonly string[] }
}

let world: World | undefined

/** Makes it known to this process, before its first template is read. */
export function setWorld(known: World): void {
  world = known
}

/** @throws Error before `setWorld` */
export function theWorld(): World {
  if (!world) throw new Error('The data for templates is not available yet.')
  return world
}

/** A kind of objects that templates reach, by its address. */
export function kindAt(path: string): Kind | undefined {
  const { kinds } = theWorld()
  return Object.hasOwn(kinds, path) ? kinds[path] : undefined
}
