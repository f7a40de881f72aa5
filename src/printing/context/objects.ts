import { TemplateError } from '../rendering.ts'
import { MAX_LIST_ENTRIES } from '../template/bounds.ts'
import { setObjectKind } from './object-kinds.ts'
import { findKind, getTemplateSchema, type ObjectKind } from './render-context.ts'

/**
 * An object for templates: the complete API response as a plain object. A field that refers to another object is that object, and a list of
 * related objects is a property too; each is read when a template first uses it.
 */
export type TemplateObject = Record<string, unknown> & { pk: number }

/** A request to read objects. */
export type ObjectQuery = {
  /** The URL of their type. */
  kind: string
  /** Without it, the objects have the keys in `owners`; with it, they belong to objects of this type, as the list of this name. */
  list?: { of: string; name: string }
  owners: readonly number[]
}

/** Reads objects, each with its owner's key, in the order of their own keys. */
export type ReadObjects = (query: ObjectQuery) => Promise<readonly OwnedObject[]>

export type OwnedObject = readonly [owner: number, object: TemplateObject]

/** Maximum number of references that a template may follow from a printed object. */
const MAX_DEPTH = 5

/**
 * Reads the objects that the templates of one print use. Objects that were read together form a group: when a template follows a field of
 * one of them, the field is read for all of them in one statement. So a print takes one statement for each different path in its template,
 * however many objects it has.
 *
 * A related object is absent if the caller cannot view its type.
 */
export class ObjectReader {
  readonly #read: ReadObjects
  readonly #viewable: ReadonlySet<string>
  #count = 0

  /** @param viewable the URLs of the types that the caller can view */
  constructor(read: ReadObjects, viewable: ReadonlySet<string>) {
    this.#read = read
    this.#viewable = viewable
  }

  isViewable(path: string): boolean {
    return this.#viewable.has(path)
  }

  /** Returns objects that have already been read, by key. */
  indexRows(path: string, rows: readonly OwnedObject[]): Map<number, TemplateObject> {
    return new Map(
      [...this.#groupByOwner(findKind(path) as ObjectKind, rows, 0)].map(([key, [object]]) => [key, object as TemplateObject]),
    )
  }

  /** The caller's own account. */
  async account(): Promise<TemplateObject | undefined> {
    const { account } = getTemplateSchema()
    const [row] = await this.#read({ kind: account.path, owners: [] })
    return row && setObjectKind(row[1], account)
  }

  /** Reads the objects of many owners, by the owner's key, in the order of their own keys. */
  async read(query: ObjectQuery, depth: number): Promise<Map<number, TemplateObject[]>> {
    const rows = query.owners.length ? await this.#read(query) : []
    return this.#groupByOwner(findKind(query.kind) as ObjectKind, rows, depth)
  }

  #groupByOwner(kind: ObjectKind, rows: readonly OwnedObject[], depth: number): Map<number, TemplateObject[]> {
    this.#count += rows.length
    if (this.#count > MAX_LIST_ENTRIES) throw new TemplateError(`This print would need more than ${MAX_LIST_ENTRIES} objects.`)
    const group = new ObjectGroup(this, kind, depth)
    const result = new Map<number, TemplateObject[]>()
    for (const [owner, row] of rows) {
      const object = group.add(setObjectKind(row, kind))
      const existing = result.get(owner)
      if (existing) existing.push(object)
      else result.set(owner, [object])
    }
    return result
  }
}

/** Objects read in one statement. */
class ObjectGroup {
  readonly #reader: ObjectReader
  readonly #kind: ObjectKind
  readonly #depth: number
  readonly #references: readonly (readonly [name: string, path: string])[]
  readonly #lists: readonly (readonly [name: string, path: string])[]
  /** The objects, each with the original keys of its reference fields, which the referenced objects now hide. */
  readonly #objects: { object: TemplateObject; keys: Map<string, number> }[] = []
  /** The objects read for each relation, by its name; those already read need no waiting. */
  readonly #relations = new Map<string, Promise<Map<number, TemplateObject[]>> | Map<number, TemplateObject[]>>()

  constructor(reader: ObjectReader, kind: ObjectKind, depth: number) {
    this.#reader = reader
    this.#kind = kind
    this.#depth = depth
    this.#references = Object.entries(kind.references)
    this.#lists = Object.entries(kind.lists)
  }

  /** Adds an object: its relations become properties that are read on first use. */
  add(object: TemplateObject): TemplateObject {
    const keys = new Map<string, number>()
    this.#objects.push({ object, keys })
    for (const [name, kind] of this.#references) {
      const key = object[name]
      if (typeof key !== 'number') continue
      keys.set(name, key)
      const query = () => ({ kind, owners: unique(this.#objects.flatMap((other) => other.keys.get(name) ?? [])) })
      defineGetter(object, name, () => this.#follow(name, kind, query, key, ([result]) => result))
    }
    for (const [name, kind] of this.#lists) {
      const list = { of: this.#kind.path, name }
      const query = () => ({ kind, list, owners: unique(this.#objects.map((other) => other.object.pk)) })
      defineGetter(object, name, () => this.#follow(name, kind, query, object.pk, (result) => result))
    }
    return object
  }

  /** The value of a relation of one object; the first use reads it for all of them. */
  #follow<T>(
    name: string,
    kind: string,
    query: () => ObjectQuery,
    key: number,
    pick: (result: TemplateObject[]) => T,
  ): T | undefined | Promise<T | undefined> {
    if (!this.#reader.isViewable(kind)) return undefined
    if (this.#depth === MAX_DEPTH)
      throw new TemplateError(`A template can follow at most ${MAX_DEPTH} references from the printed object.`)
    const pickOwn = (result: Map<number, TemplateObject[]>) => pick(result.get(key) ?? [])
    const existing = this.#relations.get(name)
    if (existing instanceof Map) return pickOwn(existing)
    if (existing) return existing.then(pickOwn)
    const pending = this.#reader.read(query(), this.#depth + 1)
    this.#relations.set(name, pending)
    return pending.then((result) => {
      this.#relations.set(name, result)
      return pickOwn(result)
    })
  }
}

const unique = (keys: readonly number[]): number[] => [...new Set(keys)]

const defineGetter = (object: TemplateObject, name: string, get: () => unknown): void => {
  Object.defineProperty(object, name, { get, enumerable: false, configurable: true })
}
