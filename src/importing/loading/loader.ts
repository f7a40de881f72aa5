import { getTableName } from 'drizzle-orm'
import type { PoolClient } from 'pg'
import { outdatedConditions } from '../../resources/background-task/housekeeping.ts'
import { getUnitRegistry } from '../../resources/units/unit-registry.ts'
import { type GlobalValues, globalSettings } from '../../settings/registry.ts'
import { type SettingRow, snapshot } from '../../settings/store.ts'
import type { Dump, IndexedRecord } from '../reading/dump.ts'
import type { Problems } from '../report.ts'
import { describeAbsence, RowErrors } from './constraint-violations.ts'
import { getQuotedTable, type RecordKind } from './kinds.ts'
import { RowWriter } from './one-by-one.ts'
import type { Context, ExistingCounts, Presets } from './presets.ts'
import { buildPresets, buildRow, listUnknownFields } from './row.ts'

/** Number of rows that are written one by one if they cannot be written together. */
const MAX_ROWS_ONE_BY_ONE = 32

type Row = { record: IndexedRecord; values: Record<string, unknown> }

/** Loads a dump into a database, kind by kind and in batches, inside the transaction of the client. */
export class Loader {
  private readonly client: PoolClient
  private readonly dump: Dump
  private readonly existing: ExistingCounts
  private readonly problems: Problems
  private readonly rowErrors: RowErrors
  private readonly oneByOne: RowWriter
  private readonly onProgress: (records: number) => void
  /** Positions of the records that were not loaded, by model. */
  private readonly rejected = new Map<string, Set<number>>()
  /** The lines of the first rejected records, by table and key. */
  private readonly rejectedLines = new Map<string, number>()
  /** Number of loaded records older than their retention time, by model. */
  private readonly outdated = new Map<string, number>()
  /** Number of values in fields that no column takes, by model and field. */
  private readonly unknownFields = new Map<string, Map<string, number>>()
  /** Number of valid records that were left out, by model and reason. */
  private readonly leftOut = new Map<string, Map<string, number>>()
  private readonly pendingColumns: { kind: RecordKind; name: string }[] = []

  constructor(
    client: PoolClient,
    dump: Dump,
    existing: ExistingCounts,
    problems: Problems,
    onProgress: (records: number) => void,
  ) {
    this.client = client
    this.dump = dump
    this.existing = existing
    this.problems = problems
    this.rowErrors = new RowErrors(client, (table, pk) => this.findRejected(table, pk))
    this.oneByOne = new RowWriter(client)
    this.onProgress = onProgress
  }

  /** Number of loaded records of a model; undefined for a model that is not loaded. */
  getLoadedCount(model: string): number | undefined {
    const rejected = this.rejected.get(model)
    return rejected && this.dump.index(model).size - rejected.size
  }

  /** Number of loaded records of a model that are older than their retention time. */
  getOutdatedCount(model: string): number {
    return this.outdated.get(model) ?? 0
  }

  /** Number of values that were not loaded, by field, of the loaded records of a model. */
  getUnknownFields(model: string): ReadonlyMap<string, number> {
    return this.unknownFields.get(model) ?? new Map()
  }

  /** Number of valid records of a model that were left out, by reason. */
  getLeftOut(model: string): ReadonlyMap<string, number> {
    return this.leftOut.get(model) ?? new Map()
  }

  /** Counts the records that the service will delete for their age, possibly in its first minutes. */
  async countOutdated(kinds: readonly RecordKind[]): Promise<void> {
    const { settings } = await this.readContext()
    const conditions = outdatedConditions(settings.get('STOCKTAKE_DELETE_REPORT_DAYS') as number)
    for (const kind of kinds) {
      const condition = conditions[getTableName(kind.table)]
      if (condition === undefined) continue
      const { rows } = await this.client.query(
        `select count(*)::integer as count from ${getQuotedTable(kind)} where pk <= $1 and (${condition})`,
        [this.dump.index(kind.model).highestKey],
      )
      this.outdated.set(kind.model, rows[0].count)
    }
  }

  /** Loads all records of a kind. Reports records that break a rule as problems. */
  async load(kind: RecordKind): Promise<void> {
    const { model } = kind
    this.rejected.set(model, new Set())
    if (this.dump.count(model) > 0) await this.loadRecords(kind)
    for (const name of kind.deferredColumns ?? []) this.pendingColumns.push({ kind, name })
    if (model === 'auth.user') await this.loadGroupMembers(kind)
  }

  /** Fills in references to records that were loaded later than the records that refer to them. */
  async fillDeferredColumns(): Promise<void> {
    for (const { kind, name } of this.pendingColumns) {
      for await (const records of this.readLoadedRecords(kind)) {
        const rows = records
          .map((record) => ({ record, value: record.fields[name] ?? kind.deferredValues?.(record, this.dump.relations)[name] }))
          .filter(({ value }) => typeof value === 'number')
          .map(({ record, value }) => ({ record, values: { pk: record.pk, [name]: value } }))
        await this.writeInHalves(kind, rows, [
          `update ${getQuotedTable(kind)} old set "${name}" = new."${name}" from json_populate_recordset(null::${getQuotedTable(kind)}, $1) new
           where old.pk = new.pk`,
        ])
      }
    }
  }

  private async loadRecords(kind: RecordKind): Promise<void> {
    const { model } = kind
    const index = this.dump.index(model)
    const context = await this.readContext()
    const presets = await buildPresets(kind, context)
    const { generations, inCycle } = index.groupIntoGenerations()
    const cycle = `${kind.parentColumns?.join(' or ')}: it is below itself`
    for (const ordinal of inCycle) this.reject(kind, { model, ordinal, ...index.at(ordinal) }, cycle)
    for (const ordinals of generations) {
      for await (const records of this.dump.records(model, ordinals)) {
        const rows: Row[] = []
        for (const record of records) rows.push(...(await this.prepare(kind, record, context, presets)))
        const ownedRows = await this.leaveOutOrphans(kind, rows)
        // Rows of one statement have the same columns.
        for (const sameColumnRows of Map.groupBy(ownedRows, ({ values }) => Object.keys(values).join()).values())
          await this.insert(kind, sameColumnRows)
        this.onProgress(records.length)
      }
    }
  }

  /** Reads the current context for defaults and checks. */
  private async readContext(): Promise<Context> {
    const query: Context['query'] = async (text, values) => (await this.client.query(text, values)).rows
    const settings = snapshot<GlobalValues>(globalSettings, await query<SettingRow>('select pk, key, value from setting', []))
    const units = await getUnitRegistry({ query })
    const hasStrictUrls = settings.get('INVENTREE_STRICT_URLS') !== false
    return { query, settings, relations: this.dump.relations, existing: this.existing, units, hasStrictUrls }
  }

  /** Adds accounts to their groups. */
  private async loadGroupMembers(kind: RecordKind): Promise<void> {
    for await (const users of this.readLoadedRecords(kind)) {
      const rows = users.map((record) => ({
        record,
        values: { user: record.pk, groups: this.dump.relations.getGroupKeys(record) },
      }))
      await this.writeInHalves(kind, rows, [
        `insert into user_group_member ("user", "group")
         select "user", "group" from json_to_recordset($1) member ("user" integer, groups integer[]), unnest(groups) "group"`,
      ])
    }
  }

  /** Yields the loaded records of a kind. */
  private async *readLoadedRecords({ model }: RecordKind): AsyncGenerator<IndexedRecord[]> {
    const rejected = this.rejected.get(model)
    for await (const records of this.dump.records(model)) yield records.filter(({ ordinal }) => !rejected?.has(ordinal))
  }

  /** Builds the rows of a record; returns none, and reports a problem, if the record breaks a rule. */
  private async prepare(kind: RecordKind, record: IndexedRecord, context: Context, presets: Presets): Promise<Row[]> {
    const reason = kind.explainLeftOut?.(record)
    if (reason !== undefined) {
      this.leave(record, reason)
      return []
    }
    const { values, errors } = buildRow(kind, record, context, presets)
    if (values && errors.length === 0) {
      this.countUnknownFields(kind, record)
      return [{ record, values }]
    }
    // skipped if there are very many problems: it is slow, and few of them are listed
    const furtherErrors = this.problems.hasMany || !values ? [] : await this.rowErrors.findErrors(kind, values)
    this.reject(kind, record, [...errors, ...furtherErrors].join('; '))
    return []
  }

  private countUnknownFields(kind: RecordKind, record: IndexedRecord): void {
    const counts = this.unknownFields.get(kind.model) ?? new Map<string, number>()
    this.unknownFields.set(kind.model, counts)
    for (const name of listUnknownFields(kind, record)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }

  /** Returns the rows whose objects exist. */
  private async leaveOutOrphans(kind: RecordKind, rows: Row[]): Promise<Row[]> {
    const { findOwner } = kind
    if (!findOwner) return rows
    const existing = new Set<string>()
    const owners = rows.map(({ values }) => findOwner(values))
    for (const [table, ofTable] of Map.groupBy(owners, ({ table }) => table)) {
      const found = await this.client.query(`select pk from "${table}" where pk = any($1)`, [ofTable.map(({ pk }) => pk)])
      for (const { pk } of found.rows) existing.add(`${table} ${pk}`)
    }
    return rows.filter(({ record }, index) => {
      const { table, pk } = owners[index] as { table: string; pk: unknown }
      const isOwned = existing.has(`${table} ${pk}`)
      if (isOwned) return true
      const rejectedLine = this.findRejected(table, pk)
      if (typeof rejectedLine === 'number') this.reject(kind, record, `its object ${describeAbsence(rejectedLine)}`)
      else this.leave(record, 'of objects that do not exist')
      return false
    })
  }

  private async insert(kind: RecordKind, rows: Row[]): Promise<void> {
    const table = getQuotedTable(kind)
    const columns = Object.keys(rows[0]?.values ?? {})
      .map((name) => `"${name}"`)
      .join(', ')
    const insert = `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`
    // only rows that are not from the dump have keys beyond it, so no record of the dump replaces another
    const clear = `delete from ${table} old using json_populate_recordset(null::${table}, $1) new
      where old.pk > ${this.dump.index(kind.model).highestKey} and (${kind.replaces})`
    await this.writeInHalves(kind, rows, kind.replaces ? [clear, insert] : [insert], true)
  }

  /**
   * Writes rows with one statement. If that fails, writes each half separately, and so on, until few are left, which are written one by
   * one. Reports those that break a rule as problems.
   * @param statements the statements that write them; $1 is the list of rows as JSON
   * @param areNewRows whether the rows are new ones, which are rejected, and not just values of rows already loaded
   */
  private async writeInHalves(kind: RecordKind, rows: Row[], statements: readonly string[], areNewRows = false): Promise<void> {
    if (rows.length === 0 || (await this.tryWrite(rows, statements))) return
    if (rows.length > MAX_ROWS_ONE_BY_ONE) {
      const middle = Math.ceil(rows.length / 2)
      await this.writeInHalves(kind, rows.slice(0, middle), statements, areNewRows)
      await this.writeInHalves(kind, rows.slice(middle), statements, areNewRows)
      return
    }
    const values = rows.map((row) => row.values)
    for (const [rowIndex, writeError] of await this.oneByOne.write(statements, values)) {
      const { record, values } = rows[rowIndex] as Row
      const errors = await this.rowErrors.describe(kind, values, writeError, areNewRows && !this.problems.hasMany)
      if (areNewRows) this.reject(kind, record, errors.join('; '))
      else this.report(record, errors.join('; '))
    }
  }

  /** Writes all of the rows. Returns false if one of them is invalid: nothing is written then, and the transaction continues. */
  private async tryWrite(rows: Row[], statements: readonly string[]): Promise<boolean> {
    const values = JSON.stringify(rows.map((row) => row.values))
    await this.client.query('savepoint attempt')
    try {
      for (const statement of statements) await this.client.query(statement, [values])
      await this.client.query('release savepoint attempt')
      return true
    } catch (error) {
      if (!/^2[23]/.test((error as { code?: string }).code ?? '')) throw error
      await this.client.query('rollback to savepoint attempt; release savepoint attempt')
      return false
    }
  }

  /** Leaves out a valid record. */
  private leave({ model, ordinal }: RejectedRecord, reason: string): void {
    this.rejected.get(model)?.add(ordinal)
    const counts = this.leftOut.get(model) ?? new Map<string, number>()
    this.leftOut.set(model, counts.set(reason, (counts.get(reason) ?? 0) + 1))
  }

  private reject({ table }: RecordKind, record: RejectedRecord, reason: string): void {
    this.rejected.get(record.model)?.add(record.ordinal)
    if (!this.problems.hasMany) this.rejectedLines.set(`${getTableName(table)} ${record.pk}`, record.line)
    this.report(record, reason)
  }

  /** The line on which a record was rejected; null if there are too many of them to know. */
  private findRejected(table: string, pk: unknown): number | undefined | null {
    return this.rejectedLines.get(`${table} ${pk}`) ?? (this.problems.hasMany ? null : undefined)
  }

  private report({ line, model, pk }: RejectedRecord, reason: string): void {
    this.problems.add({ line, record: { model, pk }, reason })
  }
}

type RejectedRecord = Pick<IndexedRecord, 'line' | 'model' | 'pk' | 'ordinal'>
