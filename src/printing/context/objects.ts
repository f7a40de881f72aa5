import { TemplateError } from '../rendering.ts'
import { MOST_ENTRIES } from '../template/bounds.ts'
import { remember } from './object-kinds.ts'
import { type Kind, kindAt, theWorld } from './world.ts'

/**
 * An object as templates have it: the answer of the interface, whole, as a plain object. A field that refers to another object is
 * that object, and so is a list of objects that belong to it; each is read when a template first asks for it.
 */
export type TemplateObject = Record<string, unknown> & { pk: number }

/** Objects that are to be read. */
export type Wanted = {
  /** The address of their kind. */
  kind: string
  /** Without it the owners' own keys are those of the objects; with it they belong to objects of this kind, as the list of this name. */
  list?: { of: string; name: string }
  owners: readonly number[]
}

/** Reads objects, each with its owner's key, in the order of their own keys. */
export type ReadObjects = (wanted: Wanted) => Promise<readonly OwnedObject[]>

export type OwnedObject = readonly [owner: number, object: TemplateObject]

/** How many steps a template may go from an object that is printed. */
const DEPTH = 5

/**
 * Reads what the templates of one print ask for. Objects that were read together stay together: when a template follows a field of
 * one of them, it is followed for all of them, in one statement. So a print takes as many statements as there are different ways that
 * its template goes, however many objects it is about.
 *
 * A related object whose kind the caller may not view is absent.
 */
export class ObjectReader {
  readonly #read: ReadObjects
  readonly #viewable: ReadonlySet<string>
  #count = 0

  /** @param viewable the addresses of the kinds that the caller may view */
  constructor(read: ReadObjects, viewable: ReadonlySet<string>) {
    this.#read = read
    this.#viewable = viewable
  }

  isViewable(path: string): boolean {
    return this.#viewable.has(path)
  }

  /** Objects that were read already, by key. */
  known(path: string, rows: readonly OwnedObject[]): Map<number, TemplateObject> {
    return new Map([...this.#together(kindAt(path) as Kind, rows, 0)].map(([key, [object]]) => [key, object as TemplateObject]))
  }

  /** The caller's own account. */
  async account(): Promise<TemplateObject | undefined> {
    const { account } = theWorld()
    const [row] = await this.#read({ kind: account.path, owners: [] })
    return row && remember(row[1], account)
  }

  /** The objects of many owners, by the owner's key, in the order of their own keys. */
  async read(wanted: Wanted, depth: number): Promise<Map<number, TemplateObject[]>> {
    const rows = wanted.owners.length ? await this.#read(wanted) : []
    return this.#together(kindAt(wanted.kind) as Kind, rows, depth)
  }

  #together(kind: Kind, rows: readonly OwnedObject[], depth: number): Map<number, TemplateObject[]> {
    this.#count += rows.length
    if (this.#count > MOST_ENTRIES) throw new TemplateError(`This print would need more than ${MOST_ENTRIES} objects.`)
    const together = new Together(this, kind, depth)
    const found = new Map<number, TemplateObject[]>()
    for (const [owner, read] of rows) {
      const object = together.add(remember(read, kind))
      const known = found.get(owner)
      if (known) known.push(object)
      else found.set(owner, [object])
    }
    return found
  }
}

/** Objects that were read in one statement. */
class Together {
  readonly #from: ObjectReader
  readonly #kind: Kind
  readonly #depth: number
  readonly #references: readonly (readonly [name: string, path: string])[]
  readonly #lists: readonly (readonly [name: string, path: string])[]
  /** The objects, each with the keys that stood in its fields, which are hidden by what they refer to. */
  readonly #objects: { object: TemplateObject; keys: Map<string, number> }[] = []
  /** What was read of each object's relation, by the relation's name; what is read already needs no waiting. */
  readonly #followed = new Map<string, Promise<Map<number, TemplateObject[]>> | Map<number, TemplateObject[]>>()

  constructor(from: ObjectReader, kind: Kind, depth: number) {
    this.#from = from
    this.#kind = kind
    this.#depth = depth
    this.#references = Object.entries(kind.references)
    this.#lists = Object.entries(kind.lists)
  }

  /** Takes an object in: its relations become properties that are read when they are asked for. */
  add(object: TemplateObject): TemplateObject {
    const keys = new Map<string, number>()
    this.#objects.push({ object, keys })
    for (const [name, kind] of this.#references) {
      const key = object[name]
      if (typeof key !== 'number') continue
      keys.set(name, key)
      const wanted = () => ({ kind, owners: unique(this.#objects.flatMap((other) => other.keys.get(name) ?? [])) })
      define(object, name, () => this.#follow(name, kind, wanted, key, ([found]) => found))
    }
    for (const [name, kind] of this.#lists) {
      const list = { of: this.#kind.path, name }
      const wanted = () => ({ kind, list, owners: unique(this.#objects.map((other) => other.object.pk)) })
      define(object, name, () => this.#follow(name, kind, wanted, object.pk, (found) => found))
    }
    return object
  }

  /** What one of the objects has under a name; the first to ask has it read for all of them. */
  #follow<T>(
    name: string,
    kind: string,
    wanted: () => Wanted,
    key: number,
    pick: (found: TemplateObject[]) => T,
  ): T | undefined | Promise<T | undefined> {
    if (!this.#from.isViewable(kind)) return undefined
    if (this.#depth === DEPTH)
      throw new TemplateError(`A template can follow at most ${DEPTH} references from the printed object.`)
    const chosen = (found: Map<number, TemplateObject[]>) => pick(found.get(key) ?? [])
    const known = this.#followed.get(name)
    if (known instanceof Map) return chosen(known)
    if (known) return known.then(chosen)
    const reading = this.#from.read(wanted(), this.#depth + 1)
    this.#followed.set(name, reading)
    return reading.then((found) => {
      this.#followed.set(name, found)
      return chosen(found)
    })
  }
}

const unique = (keys: readonly number[]): number[] => [...new Set(keys)]

const define = (object: TemplateObject, name: string, get: () => unknown): void => {
  Object.defineProperty(object, name, { get, enumerable: false, configurable: true })
}
