type ObjectKind =
  | 'address'
  | 'build'
  | 'category'
  | 'company'
  | 'contact'
  | 'line'
  | 'location'
  | 'location type'
  | 'manufacturer part'
  | 'order'
  | 'owner'
  | 'parameter template'
  | 'part'
  | 'project'
  | 'return order'
  | 'sales order'
  | 'shipment'
  | 'supplier part'

/** The primary keys of the objects that the demo has created, by their names in the demo data. */
export class Keys {
  readonly #keys = new Map<string, number>()

  set(kind: ObjectKind, name: string, { pk }: { pk: number }): void {
    this.#keys.set(`${kind} ${name}`, pk)
  }

  get(kind: ObjectKind, name: string): number {
    const pk = this.#keys.get(`${kind} ${name}`)
    if (pk === undefined) throw new Error(`the data refers to ${kind} ${name} before it exists`)
    return pk
  }

  /** Like `get`, but returns undefined without a name, so that the field is omitted. */
  find(kind: ObjectKind, name: string | undefined): number | undefined {
    return name === undefined ? undefined : this.get(kind, name)
  }
}
