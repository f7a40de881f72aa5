import type { PoolClient } from 'pg'
import { type GlobalValues, globalSettings } from '../../resources/settings/registry.ts'
import { type SettingRow, snapshot } from '../../resources/settings/store.ts'
import type { Dump, PlacedRecord } from '../reading/dump.ts'
import { InvalidRecord } from '../reading/record.ts'
import type { Problems } from '../report.ts'
import { type Kind, tableOf } from './kinds.ts'
import type { Context, Presets } from './presets.ts'
import { presetsOf, rowOf } from './row.ts'

type Row = { record: PlacedRecord; values: Record<string, unknown> }

/** Loads a dump into a database, kind by kind, inside the transaction of the client, some records at a time. */
export class Loader {
  private readonly client: PoolClient
  private readonly dump: Dump
  private readonly problems: Problems
  private readonly onProgress: (records: number) => void
  /** The places of the records that were not loaded, by model. */
  private readonly refused = new Map<string, Set<number>>()
  private readonly pending: { kind: Kind; name: string }[] = []

  constructor(client: PoolClient, dump: Dump, problems: Problems, onProgress: (records: number) => void) {
    this.client = client
    this.dump = dump
    this.problems = problems
    this.onProgress = onProgress
  }

  /** How many records of a model were loaded; undefined for a model that is not. */
  loaded(model: string): number | undefined {
    const refused = this.refused.get(model)
    return refused && this.dump.count(model) - refused.size
  }

  /** Loads all records of a kind. What breaks a rule becomes a problem. */
  async load(kind: Kind): Promise<void> {
    const { model } = kind
    this.refused.set(model, new Set())
    if (this.dump.count(model) > 0) await this.loadRecords(kind)
    for (const name of kind.later ?? []) this.pending.push({ kind, name })
    if (model === 'auth.user') await this.loadMembers(kind)
  }

  /** Fills in references to records that were loaded after those that refer to them. */
  async tie(): Promise<void> {
    for (const { kind, name } of this.pending) {
      for await (const records of this.loadedRecords(kind)) {
        const rows = records
          .filter(({ fields }) => typeof fields[name] === 'number')
          .map((record) => ({ record, values: { pk: record.pk, [name]: record.fields[name] } }))
        await this.insistently(kind, rows, (values) =>
          this.client.query(
            `update ${tableOf(kind)} old set "${name}" = new."${name}" from json_populate_recordset(null::${tableOf(kind)}, $1) new
             where old.pk = new.pk`,
            [values],
          ),
        )
      }
    }
  }

  private async loadRecords(kind: Kind): Promise<void> {
    const { model } = kind
    const index = this.dump.index(model)
    const context = await this.readContext()
    const presets = await presetsOf(kind, context)
    const { generations, onCircle } = index.generations()
    for (const place of onCircle) this.refuse({ model, place, ...index.at(place) }, 'it lies below itself')
    for (const places of generations) {
      for await (const records of this.dump.records(model, places)) {
        const rows = records.flatMap((record) => this.prepare(kind, record, context, presets))
        // Rows of one statement have the same columns.
        for (const alike of Map.groupBy(rows, ({ values }) => Object.keys(values).join()).values()) await this.insert(kind, alike)
        this.onProgress(records.length)
      }
    }
  }

  /** What defaults and checks look at, as it is now. */
  private async readContext(): Promise<Context> {
    const query: Context['query'] = async (text, values) => (await this.client.query(text, values)).rows
    const settings = snapshot<GlobalValues>(globalSettings, await query<SettingRow>('select pk, key, value from setting', []))
    return { query, settings, relations: this.dump.relations }
  }

  /** Puts accounts into their groups. */
  private async loadMembers(kind: Kind): Promise<void> {
    for await (const users of this.loadedRecords(kind)) {
      const rows = users.map((record) => ({
        record,
        values: { user: record.pk, groups: this.dump.relations.groupsOf(record) },
      }))
      await this.insistently(kind, rows, (values) =>
        this.client.query(
          `insert into user_group_member ("user", "group")
           select "user", "group" from json_to_recordset($1) member ("user" integer, groups integer[]), unnest(groups) "group"`,
          [values],
        ),
      )
    }
  }

  /** The records of a kind that were loaded. */
  private async *loadedRecords({ model }: Kind): AsyncGenerator<PlacedRecord[]> {
    const refused = this.refused.get(model)
    for await (const records of this.dump.records(model)) yield records.filter(({ place }) => !refused?.has(place))
  }

  /** The row that a record becomes; none, and a problem, when it breaks a rule. */
  private prepare(kind: Kind, record: PlacedRecord, context: Context, presets: Presets): Row[] {
    try {
      return [{ record, values: rowOf(kind, record, context, presets) }]
    } catch (error) {
      if (!(error instanceof InvalidRecord)) throw error
      this.refuse(record, error.message)
      return []
    }
  }

  private async insert(kind: Kind, rows: Row[]): Promise<void> {
    const table = tableOf(kind)
    const columns = Object.keys(rows[0]?.values ?? {})
      .map((name) => `"${name}"`)
      .join(', ')
    const write = async (values: string) => {
      if (kind.replaces) {
        // rows that are not of the dump have keys beyond it: one record of the dump never takes the place of another
        await this.client.query(
          `delete from ${table} old using json_populate_recordset(null::${table}, $1) new where old.pk > $2 and (${kind.replaces})`,
          [values, this.dump.index(kind.model).highestKey],
        )
      }
      await this.client.query(
        `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
        [values],
      )
    }
    await this.insistently(kind, rows, write, ({ model, place }) => this.refused.get(model)?.add(place))
  }

  /**
   * Writes rows with one statement. If that fails, writes each half by itself, and so on, until the rows that break a rule
   * stand alone; these become problems, and `onRefused` is told of them.
   */
  private async insistently(
    kind: Kind,
    rows: Row[],
    write: (values: string) => Promise<unknown>,
    onRefused: (record: PlacedRecord) => void = () => {},
  ): Promise<void> {
    if (rows.length === 0) return
    try {
      await this.trying(() => write(JSON.stringify(rows.map(({ values }) => values))))
    } catch (error) {
      const [row] = rows
      if (rows.length === 1 && row) {
        this.report(row.record, `${await this.columnAtFault(kind, row)}${ruleOf(error)}`)
        onRefused(row.record)
        return
      }
      const middle = Math.ceil(rows.length / 2)
      await this.insistently(kind, rows.slice(0, middle), write, onRefused)
      await this.insistently(kind, rows.slice(middle), write, onRefused)
    }
  }

  /** Runs a statement after whose failure the transaction goes on. */
  private async trying(statement: () => Promise<unknown>): Promise<void> {
    await this.client.query('savepoint attempt')
    try {
      await statement()
      await this.client.query('release savepoint attempt')
    } catch (error) {
      await this.client.query('rollback to savepoint attempt; release savepoint attempt')
      throw error
    }
  }

  /** The name of the column for which a row has no fitting value, which PostgreSQL does not tell. */
  private async columnAtFault(kind: Kind, { values }: Row): Promise<string> {
    for (const [name, value] of Object.entries(values)) {
      const fits = `select json_populate_record(null::${tableOf(kind)}, $1)`
      try {
        await this.trying(() => this.client.query(fits, [JSON.stringify({ [name]: value })]))
      } catch {
        return `${name}: `
      }
    }
    return ''
  }

  private refuse(record: Refusable, reason: string): void {
    this.refused.get(record.model)?.add(record.place)
    this.report(record, reason)
  }

  private report({ line, model, pk }: Refusable, reason: string): void {
    this.problems.add({ line, record: { model, pk }, reason })
  }
}

type Refusable = Pick<PlacedRecord, 'line' | 'model' | 'pk' | 'place'>

/** What PostgreSQL says about a row that it refuses. Anything but the row's fault goes on as the error that it is. */
function ruleOf(error: unknown): string {
  const {
    code = '',
    message,
    detail,
    constraint,
  } = error as { code?: string; message: string; detail?: string; constraint?: string }
  // Class 22: a value that does not fit its column. Class 23: a constraint.
  if (!code.startsWith('22') && !code.startsWith('23')) throw error
  // For references and unique columns the detail names the values. For others it repeats the whole row.
  return code === '23503' || code === '23505' ? `${detail?.replace(/\.$/, '')} (${constraint})` : message
}
