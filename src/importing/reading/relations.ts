import { toSortInteger } from '../../kit/values/sort-integer.ts'
import { buildUnitRegistry, type CustomUnit } from '../../notation/units/physical-units.ts'
import { SECOND_FACTOR_MODELS } from '../second-factors.ts'
import { type DumpRecord, InvalidRecord, isKey, normalizeModelName } from './record.ts'

/** Whether BOMs, by part, and BOM lines were validated. */
export type Validations = { parts: Map<number, boolean>; lines: Map<number, boolean> }

/** Relations between the records of a dump, in any order in the file. */
export class Relations {
  private readonly users = new Map<string, number>()
  private readonly groups = new Map<string, number>()
  /** The template of each variant. */
  private readonly templates = new Map<number, number>()
  private readonly customUnits: (CustomUnit & { pk: unknown })[] = []
  private unreadableUnits: Set<unknown> | undefined
  /** The names of tags, by their keys. */
  readonly tagNames = new Map<unknown, string>()
  /** Tags of a record, as names or keys, by model and key. */
  private readonly tags = new Map<string, Map<unknown, unknown[]>>()
  /** Number of tags whose records were read. */
  takenTags = 0
  /** Used serial numbers in each tree of templates and variants, by the part at its root. */
  private readonly serials = new Map<number, Set<string>>()
  /** The highest number in a reference, by order type. */
  private readonly highestOrders = new Map<string, number>()

  /** Items and names of the tests of results, in dumps whose results name them. */
  private readonly namedTestResults: { item: number; test: string }[] = []

  /** The primary supplier part of each part. */
  private readonly primarySupplierParts = new Map<unknown, unknown>()

  /** Of dumps that say so. */
  readonly validations: Validations = { parts: new Map(), lines: new Map() }
  /** Accounts with a second factor, by the name or key that the dump has. */
  readonly secondFactors = new Set<string>()
  /** The roles for which the dump has permissions of groups. */
  readonly roles = new Set<string>()

  add(model: string, pk: unknown, fields: Record<string, unknown>): void {
    if (model === 'auth.user') this.users.set(String(fields.username), pk as number)
    else if (model === 'auth.group') this.groups.set(String(fields.name), pk as number)
    else if (model === 'part.part') {
      if (typeof fields.variant_of === 'number') this.templates.set(pk as number, fields.variant_of)
      if (typeof fields.bom_validated === 'boolean') this.validations.parts.set(pk as number, fields.bom_validated)
    } else if (model === 'company.supplierpart' && fields.primary === true) this.primarySupplierParts.set(fields.part, pk)
    else if (model === 'part.bomitem' && fields.setup_quantity !== undefined)
      this.validations.lines.set(pk as number, fields.validated === true)
    else if (/^order\.\w+order$/.test(model))
      this.highestOrders.set(
        model,
        Math.max(this.highestOrders.get(model) ?? 0, Number(fields.reference_int) || 0, toSortInteger(String(fields.reference))),
      )
    else if (model === 'stock.stockitemtestresult' && typeof fields.test === 'string' && isKey(fields.stock_item))
      this.namedTestResults.push({ item: fields.stock_item, test: fields.test })
    else if (SECOND_FACTOR_MODELS.has(model)) this.addSecondFactor(fields.user)
    else if (model === 'users.ruleset') this.roles.add(String(fields.name))
    else if (model === 'common.customunit')
      this.customUnits.push({
        pk,
        name: String(fields.name),
        symbol: fields.symbol ? String(fields.symbol) : null,
        definition: String(fields.definition),
      })
    else if (model === 'taggit.tag') this.tagNames.set(pk, String(fields.name))
    else if (model === 'taggit.taggeditem') this.addTag(fields)
  }

  /** Rejects a custom unit whose definition cannot be read with all other units of the dump. */
  requireUnit(pk: number, definition: unknown): void {
    this.unreadableUnits ??= new Set(
      buildUnitRegistry(this.customUnits).unreadable.map((unit) => (unit as (typeof this.customUnits)[number]).pk),
    )
    if (this.unreadableUnits.has(pk)) throw new InvalidRecord(`definition ${JSON.stringify(definition)} is not a unit of measure`)
  }

  /** The key of an account or group that a record identifies by name. */
  resolveKey(column: string, name: unknown[]): number {
    const key = (column === 'group' || column === 'primary_group' ? this.groups : this.users).get(String(name[0]))
    if (key === undefined || name.length !== 1) throw new InvalidRecord(`${column} ${JSON.stringify(name)} does not exist`)
    return key
  }

  getPrimarySupplierPart(part: number): unknown {
    return this.primarySupplierParts.get(part)
  }

  /** The keys of an account's groups. */
  getGroupKeys(user: DumpRecord): number[] {
    const groups = Array.isArray(user.fields.groups) ? user.fields.groups : []
    return groups.map((group) => {
      if (Array.isArray(group)) return this.resolveKey('group', group)
      if (isKey(group)) return group
      throw new InvalidRecord(`groups: ${JSON.stringify(group)} is not a primary key`)
    })
  }

  /** Items and names of the tests of results that name them. */
  listNamedTestResults(): readonly { item: number; test: string }[] {
    return this.namedTestResults
  }

  /** The names of a record's tags. */
  getTagNames({ model, pk }: DumpRecord): string[] {
    const tags = this.tags.get(model)?.get(pk) ?? []
    const names = tags.flatMap((tag) => (Array.isArray(tag) ? String(tag[0]) : (this.tagNames.get(tag) ?? [])))
    this.takenTags += names.length
    return names
  }

  /** Rejects a serial number that another item of the same part, its template or a variant has. */
  claimSerial({ fields }: DumpRecord): void {
    if (fields.serial === null || fields.serial === undefined || fields.serial === '') return
    const serial = String(fields.serial)
    let root = fields.part as number
    for (let steps = 0; steps < 100 && this.templates.has(root); steps++) root = this.templates.get(root) as number
    const usedSerials = this.serials.get(root) ?? new Set()
    this.serials.set(root, usedSerials)
    if (usedSerials.has(serial))
      throw new InvalidRecord(`serial ${serial} is already used by an item of the same part or a variant`)
    usedSerials.add(serial)
  }

  /** The number of the order with the highest reference of its type, incremented by each call. */
  takeHighestOrderNumber(model: string): number {
    const highest = this.highestOrders.get(model) ?? 0
    this.highestOrders.set(model, highest + 1)
    return highest
  }

  /** The keys of all groups. */
  listGroups(): number[] {
    return [...this.groups.values()]
  }

  /** The names of the accounts with a second factor, sorted. */
  listSecondFactors(): string[] {
    const names = new Map([...this.users].map(([name, pk]) => [String(pk), name]))
    return [...this.secondFactors].map((account) => names.get(account) ?? account).sort()
  }

  private addSecondFactor(user: unknown): void {
    if (Array.isArray(user)) this.secondFactors.add(String(user[0]))
    else if (user !== undefined && user !== null) this.secondFactors.add(String(user))
  }

  private addTag({ tag, content_type, object_id }: Record<string, unknown>): void {
    const model = normalizeModelName(content_type)
    const tags = this.tags.get(model) ?? new Map<unknown, unknown[]>()
    this.tags.set(model, tags)
    tags.set(object_id, [...(tags.get(object_id) ?? []), tag])
  }
}
