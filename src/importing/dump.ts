import type { DumpRecord } from './read-dump.ts'

/** A record that breaks a rule which the database cannot check. */
export class InvalidRecord extends Error {}

/** A dump as a whole: what a record says about others, and what others say about it. */
export class Dump {
  readonly records: Map<string, DumpRecord[]>
  private readonly users: Map<string, number>
  private readonly groups: Map<string, number>
  private readonly templates: Map<number, unknown>
  private readonly tags = new Map<string, string[]>()
  private readonly serials = new Set<string>()

  constructor(records: DumpRecord[]) {
    this.records = Map.groupBy(records, ({ model }) => model)
    this.users = this.names('auth.user', 'username')
    this.groups = this.names('auth.group', 'name')
    this.templates = new Map(this.of('part.part').map(({ pk, fields }) => [pk, fields.variant_of]))
    this.readTags()
  }

  /** The records of a model. */
  of(model: string): DumpRecord[] {
    return this.records.get(model) ?? []
  }

  /** The highest key of a model's records; 0 without any. */
  highestKey(model: string): number {
    return this.of(model).reduce((most, { pk }) => Math.max(most, pk), 0)
  }

  /** The key of the account or group that a record names rather than numbers. */
  keyOf(column: string, name: unknown[]): number {
    const key = (column === 'group' ? this.groups : this.users).get(String(name[0]))
    if (key === undefined || name.length !== 1) throw new InvalidRecord(`${column} ${JSON.stringify(name)} does not exist`)
    return key
  }

  /** The keys of an account's groups. */
  groupsOf(user: DumpRecord): number[] {
    const groups = Array.isArray(user.fields.groups) ? user.fields.groups : []
    return groups.map((group) => (Array.isArray(group) ? this.keyOf('group', group) : group))
  }

  /** The names of a record's tags. */
  tagsOf({ model, pk }: DumpRecord): string[] {
    return this.tags.get(`${model} ${pk}`) ?? []
  }

  /** Refuses a serial number that another item of the same part, its template or a variant has. */
  claimSerial({ fields }: DumpRecord): void {
    if (fields.serial === null || fields.serial === undefined || fields.serial === '') return
    let root = fields.part
    for (let steps = 0; steps < 100 && typeof this.templates.get(root as number) === 'number'; steps++) {
      root = this.templates.get(root as number)
    }
    const serial = `${root} ${fields.serial}`
    if (this.serials.has(serial))
      throw new InvalidRecord(`serial ${fields.serial} is taken by an item of the same part or a variant`)
    this.serials.add(serial)
  }

  private names(model: string, column: string): Map<string, number> {
    return new Map(this.of(model).map(({ pk, fields }) => [String(fields[column]), pk]))
  }

  private readTags(): void {
    const tags = new Map(this.of('taggit.tag').map(({ pk, fields }) => [pk, String(fields.name)]))
    for (const { fields } of this.of('taggit.taggeditem')) {
      const tag = Array.isArray(fields.tag) ? String(fields.tag[0]) : tags.get(fields.tag as number)
      const model = Array.isArray(fields.content_type) ? fields.content_type.join('.') : ''
      if (tag === undefined) continue
      const item = `${model} ${fields.object_id}`
      this.tags.set(item, [...(this.tags.get(item) ?? []), tag])
    }
  }
}
