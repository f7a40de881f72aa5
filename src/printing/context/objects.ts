import type { Field } from '../../kit/definition/field.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import type { Reader } from '../../kit/reading/detail.ts'
import { readObjects } from '../../kit/reading/objects.ts'
import type { Expression } from '../../kit/sql/sql.ts'
import { parseJson } from '../../kit/values/json.ts'
import { TemplateError } from '../rendering.ts'
import { MOST_ENTRIES } from '../template/bounds.ts'
import { remember } from './known.ts'

/**
 * An object as templates have it: the answer of the interface, whole, as a plain object. A field that refers to another object is
 * that object, and so is a list of objects that belong to it; each is read when a template first asks for it.
 */
export type TemplateObject = Record<string, unknown> & { pk: number }

/** A kind of object that templates can reach. */
export type Model = {
  resource: Resource
  /** Lists of objects that belong to one, by name: of which kind, and when one belongs to the object whose key is `owner.pk`. */
  lists?: Readonly<Record<string, { address: string; belongs: Expression }>>
  /** Fields that hold keys without describing of what: the addresses of what they refer to. */
  references?: Readonly<Record<string, string>>
}

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
  readonly reader: Reader
  readonly models: ReadonlyMap<string, Model>
  #count = 0

  /** @param models the kinds that can be reached, by the address of their list */
  constructor(reader: Reader, models: ReadonlyMap<string, Model>) {
    this.reader = reader
    this.models = models
  }

  /** The objects with these keys, as far as there are such, by key. */
  async objects(model: Model, keys: readonly number[]): Promise<Map<number, TemplateObject>> {
    const found = await this.read(model, keys, '{pk} = owner.pk', 0)
    return new Map([...found].map(([key, [object]]) => [key, object as TemplateObject]))
  }

  /** The objects of many owners, by the owner's key, in the order of their own keys. */
  async read(
    model: Model,
    owners: readonly number[],
    belongs: Expression,
    depth: number,
  ): Promise<Map<number, TemplateObject[]>> {
    const rows = owners.length
      ? await readObjects(model.resource, { owners, belongs, limit: MOST_ENTRIES - this.#count + 1 }, this.reader)
      : []
    this.#count += rows.length
    if (this.#count > MOST_ENTRIES) throw new TemplateError(`This print would need more than ${MOST_ENTRIES} objects.`)
    const together = new Together(this, model, depth)
    const found = new Map<number, TemplateObject[]>()
    for (const { owner, body } of rows) {
      const object = together.add(remember(parseJson(body) as TemplateObject, model.resource))
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
  readonly #model: Model
  readonly #depth: number
  readonly #references: readonly (readonly [name: string, model: Model])[]
  /** The objects, each with the keys that stood in its fields, which are hidden by what they refer to. */
  readonly #objects: { object: TemplateObject; keys: Map<string, number> }[] = []
  /** What was read of each object's relation, by the relation's name; what is read already needs no waiting. */
  readonly #followed = new Map<string, Promise<Map<number, TemplateObject[]>> | Map<number, TemplateObject[]>>()

  constructor(from: ObjectReader, model: Model, depth: number) {
    this.#from = from
    this.#model = model
    this.#depth = depth
    this.#references = Object.entries(model.resource.fields).flatMap(([name, field]) => {
      const related = from.models.get(model.references?.[name] ?? addressOf(field) ?? '')
      return related ? [[name, related] as const] : []
    })
  }

  /** Takes an object in: its relations become properties that are read when they are asked for. */
  add(object: TemplateObject): TemplateObject {
    const keys = new Map<string, number>()
    this.#objects.push({ object, keys })
    for (const [name, model] of this.#references) {
      const key = object[name]
      if (typeof key !== 'number') continue
      keys.set(name, key)
      const all = () => this.#objects.flatMap((other) => other.keys.get(name) ?? [])
      define(object, name, () => this.#follow(name, { model, belongs: '{pk} = owner.pk', keys: all }, key, ([found]) => found))
    }
    for (const [name, { address, belongs }] of Object.entries(this.#model.lists ?? {})) {
      const model = this.#from.models.get(address)
      const all = () => this.#objects.map((other) => other.object.pk)
      if (model) define(object, name, () => this.#follow(name, { model, belongs, keys: all }, object.pk, (found) => found))
    }
    return object
  }

  /** What one of the objects has under a name; the first to ask has it read for all of them. */
  #follow<T>(
    name: string,
    { model, belongs, keys }: { model: Model; belongs: Expression; keys: () => number[] },
    key: number,
    pick: (found: TemplateObject[]) => T,
  ): T | undefined | Promise<T | undefined> {
    const { caller } = this.#from.reader
    if (!model.resource.access(caller, 'view')) return undefined
    if (this.#depth === DEPTH) throw new TemplateError(`A template goes at most ${DEPTH} steps from the object that is printed.`)
    const chosen = (found: Map<number, TemplateObject[]>) => pick(found.get(key) ?? [])
    const known = this.#followed.get(name)
    if (known instanceof Map) return chosen(known)
    if (known) return known.then(chosen)
    const reading = this.#from.read(model, [...new Set(keys())], belongs, this.#depth + 1)
    this.#followed.set(name, reading)
    return reading.then((found) => {
      this.#followed.set(name, found)
      return chosen(found)
    })
  }
}

/** The address of the kind that a field refers to. */
function addressOf({ options }: Field): string | undefined {
  const { type, api_url: address } = options as { type?: string; api_url?: string }
  return type === 'related field' ? address : undefined
}

const define = (object: TemplateObject, name: string, get: () => unknown): void => {
  Object.defineProperty(object, name, { get, enumerable: false, configurable: true })
}
