import type { PoolClient } from 'pg'
import { type Dump, InvalidRecord } from './dump.ts'
import { type Kind, rowOf, tableOf } from './kinds.ts'
import type { DumpRecord, Problem } from './read-dump.ts'

type Row = { record: DumpRecord; values: Record<string, unknown> }

/** How many rows go into one statement. */
const batchSize = 1000

/** Loads a dump into a database, kind by kind, inside the transaction of the client. */
export class Loader {
  readonly problems: Problem[] = []
  /** The keys that were loaded, by model. */
  readonly loaded = new Map<string, Set<number>>()
  private readonly pending: { kind: Kind; name: string }[] = []
  private readonly client: PoolClient
  private readonly dump: Dump
  private readonly onProgress: (records: number) => void

  constructor(client: PoolClient, dump: Dump, onProgress: (records: number) => void) {
    this.client = client
    this.dump = dump
    this.onProgress = onProgress
  }

  /** Loads all records of a kind. What breaks a rule becomes a problem. */
  async load(kind: Kind): Promise<void> {
    this.loaded.set(kind.model, new Set())
    const onCircle = (record: DumpRecord) => this.report(record, 'it lies below itself')
    for (const generation of generations(this.dump.of(kind.model), kind.above ?? [], onCircle)) {
      const rows = generation.map((record) => this.prepare(kind, record)).filter((row) => row !== undefined)
      // Rows of one statement have the same columns.
      const alike = Map.groupBy(rows, ({ values }) => Object.keys(values).join())
      for (const batch of [...alike.values()].flatMap(inBatches)) await this.insert(kind, batch)
    }
    for (const name of kind.later ?? []) this.pending.push({ kind, name })
    if (kind.model === 'auth.user') await this.loadMembers(kind)
  }

  /** Fills in references to records that were loaded after those that refer to them. */
  async tie(): Promise<void> {
    for (const { kind, name } of this.pending) {
      const rows = this.dump
        .of(kind.model)
        .filter(({ pk, fields }) => this.loaded.get(kind.model)?.has(pk) && typeof fields[name] === 'number')
        .map((record) => ({ record, values: { pk: record.pk, [name]: record.fields[name] } }))
      for (const batch of inBatches(rows)) {
        await this.insistently(kind, batch, (values) =>
          this.client.query(
            `update ${tableOf(kind)} old set "${name}" = new."${name}" from json_populate_recordset(null::${tableOf(kind)}, $1) new
             where old.pk = new.pk`,
            [values],
          ),
        )
      }
    }
  }

  /** Puts accounts into their groups. */
  private async loadMembers(kind: Kind): Promise<void> {
    const users = this.dump.of(kind.model).filter(({ pk }) => this.loaded.get(kind.model)?.has(pk))
    const rows = users.map((record) => ({ record, values: { user: record.pk, groups: this.dump.groupsOf(record) } }))
    await this.insistently(kind, rows, (values) =>
      this.client.query(
        `insert into user_group_member ("user", "group")
         select "user", "group" from json_to_recordset($1) member ("user" integer, groups integer[]), unnest(groups) "group"`,
        [values],
      ),
    )
  }

  private prepare(kind: Kind, record: DumpRecord): Row | undefined {
    try {
      return { record, values: rowOf(kind, record, this.dump) }
    } catch (error) {
      if (!(error instanceof InvalidRecord)) throw error
      this.report(record, error.message)
      return undefined
    }
  }

  private async insert(kind: Kind, rows: Row[]): Promise<void> {
    const table = tableOf(kind)
    const columns = Object.keys(rows[0]?.values ?? {})
      .map((name) => `"${name}"`)
      .join(', ')
    const loaded = await this.insistently(kind, rows, async (values) => {
      if (kind.replaces) {
        // rows that are not of the dump have keys beyond it: one record of the dump never takes the place of another
        await this.client.query(
          `delete from ${table} old using json_populate_recordset(null::${table}, $1) new where old.pk > $2 and (${kind.replaces})`,
          [values, this.dump.highestKey(kind.model)],
        )
      }
      await this.client.query(
        `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
        [values],
      )
    })
    for (const { record } of loaded) this.loaded.get(kind.model)?.add(record.pk)
    this.onProgress(rows.length)
  }

  /**
   * Writes rows with one statement. If that fails, writes each half by itself, and so on, until the rows that break a rule
   * stand alone.
   * @returns the rows that were written
   */
  private async insistently(kind: Kind, rows: Row[], write: (values: string) => Promise<unknown>): Promise<Row[]> {
    if (rows.length === 0) return []
    try {
      await this.trying(() => write(JSON.stringify(rows.map(({ values }) => values))))
      return rows
    } catch (error) {
      const [row] = rows
      if (rows.length === 1 && row) {
        this.report(row.record, `${await this.columnAtFault(kind, row)}${ruleOf(error)}`)
        return []
      }
      const middle = Math.ceil(rows.length / 2)
      return [
        ...(await this.insistently(kind, rows.slice(0, middle), write)),
        ...(await this.insistently(kind, rows.slice(middle), write)),
      ]
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

  private report(record: DumpRecord, reason: string): void {
    this.problems.push({ line: record.line, record, reason })
  }
}

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

/**
 * Parts records so that those to which others refer by these columns are in an earlier part. Circles are reported and left out.
 */
function generations(records: DumpRecord[], columns: string[], onCircle: (record: DumpRecord) => void): DumpRecord[][] {
  if (columns.length === 0) return [records]
  const parts: DumpRecord[][] = []
  let waiting = new Map(records.map((record) => [record.pk, record]))
  const waits = ({ fields }: DumpRecord) => columns.some((column) => waiting.has(fields[column] as number))
  while (waiting.size > 0) {
    const { ready = [], bound = [] } = Object.groupBy(waiting.values(), (record) => (waits(record) ? 'bound' : 'ready'))
    if (ready.length === 0) {
      bound.forEach(onCircle)
      break
    }
    parts.push(ready)
    waiting = new Map(bound.map((record) => [record.pk, record]))
  }
  return parts
}

function inBatches<Item>(items: Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / batchSize) }, (_, n) => items.slice(n * batchSize, (n + 1) * batchSize))
}
