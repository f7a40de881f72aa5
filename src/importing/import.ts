import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { getTableName } from 'drizzle-orm'
import type { Pool, PoolClient } from 'pg'
import type { Config } from '../config.ts'
import { withDatabase } from '../database/with-database.ts'
import { createDownload } from '../kit/services/download.ts'
import { openFiles } from '../kit/services/open-files.ts'
import { Database } from '../kit/sql/tx.ts'
import { OperatorError } from '../operator-error.ts'
import { BuiltInTemplateFiles } from '../printing/built-in-files.ts'
import { Progress } from '../progress.ts'
import { findOmissionReason } from './comparison/changes.ts'
import { storeBomValidations } from './loading/bom-validations.ts'
import { assignCodes, describeShared, type SharedCode } from './loading/codes.ts'
import { type ClearedNumber, clearDanglingNumbers, clearUnknownStates, describeCleared } from './loading/earlier-references.ts'
import { countExistingRecords } from './loading/existing-records.ts'
import { explainUnsupported, getQuotedTable, kinds, type RecordKind, tagModels } from './loading/kinds.ts'
import { Loader } from './loading/loader.ts'
import type { ExistingCounts } from './loading/presets.ts'
import { deferTotals } from './loading/sums.ts'
import { loadTags } from './loading/tags.ts'
import { copyMedia, describeMedia, type Media, type MediaReport, resolveMediaFolder } from './media.ts'
import { Dump } from './reading/dump.ts'
import { MAX_KEY } from './reading/record.ts'
import { nameRelease } from './reading/release.ts'
import { describeOmitted, describeReport, type KindReport, Problems } from './report.ts'
import { copyRightsOnParts, describeSecondFactors } from './second-factors.ts'
import { describeTemplateProblems, findTemplateProblems } from './template-problems.ts'

export type ImportOptions = {
  /** Loads valid records and leaves out those that break a rule, instead of loading nothing. */
  skipInvalid: boolean
  /** The files that the dump names; without them only its records are loaded. */
  media?: Media
  /** A file for all problems, if there are more than are listed. */
  problemsFile?: string
}

type RunOptions = {
  skipInvalid: boolean
  /** The media folder of InvenTree. */
  media?: string
}

/** The result of an import. */
export type ImportReport = {
  /** The InvenTree that wrote the dump, if it is known. */
  release: string | undefined
  /** Whether it was imported before: only kinds whose tables were empty are loaded. */
  isRepeated: boolean
  kinds: KindReport[]
  /** The accounts whose second factors are not imported. */
  secondFactors: string[]
  problems: Problems
  /** Numbers that an earlier import stored for objects that do not exist. */
  cleared: ClearedNumber[]
  /** Objects that share a barcode with another object, which is the one that a scan finds. */
  shared: SharedCode[]
  media: MediaReport
}

/**
 * Loads a dump of an existing InvenTree, with no service running, and prints the result.
 * @throws OperatorError when nothing was loaded
 */
export async function runImport(config: Config, file: string, { skipInvalid, media }: RunOptions): Promise<void> {
  const progress = new Progress('Importing')
  const started = performance.now()
  const [report, templates] = await withDatabase(config, async (pool, log) => {
    try {
      const files = openFiles(config, log)
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
      const options = {
        skipInvalid,
        problemsFile: join(config.dataDir, 'import-problems.txt'),
        media: media === undefined ? undefined : { sourceFolder: media, files, onProgress: progress.createReporter('files') },
      }
      const report = await importDump(pool, file, options, progress.createReporter('records'))
      if (media === undefined) return [report, []] as const
      const download = createDownload({ allowedHosts: config.fetchAllowedHosts })
      const services = { database: new Database(pool), files: new BuiltInTemplateFiles(files), config, log, download }
      return [report, await findTemplateProblems(services)] as const
    } finally {
      progress.stop()
    }
  })
  for (const line of report.problems.describe()) console.error(line)
  for (const line of [...describeImport(report), ...describeTemplateProblems(templates)]) console.log(line)
  console.log(`Done in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

/** Describes the result of an import, line by line. */
export function describeImport({ release, isRepeated, kinds, cleared, shared, secondFactors, media }: ImportReport): string[] {
  const repeatedMessage =
    'The database already has objects of this dump: they remain unchanged, and only kinds without objects are imported.'
  return [
    ...(release === undefined ? [] : [`The dump is from InvenTree ${release}.`]),
    ...(isRepeated ? [repeatedMessage] : []),
    describeReport(kinds),
    ...describeOmitted(kinds),
    ...describeCleared(cleared),
    ...describeShared(shared),
    ...describeSecondFactors(secondFactors),
    ...describeMedia(media),
  ]
}

/**
 * Loads a dump completely or not at all, into a fresh database, or into the database that it was imported into before, where it loads only
 * kinds whose tables are empty.
 * @param file the path of the dump
 * @param onProgress called with the number of records checked, and their total
 * @throws OperatorError when nothing was loaded: the file is not a dump, the database already has other objects, a record breaks a rule, or
 *   there is no record to load
 */
export async function importDump(
  pool: Pool,
  file: string,
  { skipInvalid, media, problemsFile }: ImportOptions,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<ImportReport> {
  if (media) await resolveMediaFolder(media.sourceFolder)
  const problems = new Problems(problemsFile)
  const dump = await Dump.open(file, kinds, problems).catch((error) => {
    problems.close()
    throw error
  })
  try {
    return await runInTransaction(pool, async (client) => {
      await client.query(`select pg_advisory_xact_lock(hashtext('import'), 0)`)
      const existing = await countExistingRecords(client, dump)
      await renumberExistingRows(client, dump, existing)

      await loadTags(client, dump.relations.tagNames)

      const cleared: ClearedNumber[] = []
      const shared: SharedCode[] = []
      let done = 0
      const loader = new Loader(client, dump, existing, problems, (addedCount) => {
        done += addedCount
        onProgress(done, dump.size)
      })
      await deferTotals(client, async () => {
        for (const kind of selectKindsToLoad(existing)) {
          await loader.load(kind)
          if (dump.count(kind.model) > 0) cleared.push(...(await clearDanglingNumbers(client, kind.model)))
        }
        cleared.push(...(await clearUnknownStates(client)))
        await loader.fillDeferredColumns()
        if (!existing.has('part.bomitem')) await storeBomValidations(client, dump.relations.validations)
        for (const name of ['bom', 'stocktake'] as const)
          if (!existing.has('auth.group') && !dump.relations.roles.has(name))
            await copyRightsOnParts(client, name, dump.relations.listGroups())
        await loader.countOutdated(selectKindsToLoad(existing))
        shared.push(...(await assignCodes(client, selectKindsToLoad(existing))))
      })
      onProgress(dump.size, dump.size)

      if (problems.count > 0 && !skipInvalid) {
        const list = problems.describe().join('\n')
        throw new OperatorError(
          `${list}\nNothing was imported. With --skip-invalid, the valid records are imported without these.`,
        )
      }
      const kindReports = countKinds(dump, loader, existing)
      rejectEmptyImport(kindReports, problems)
      await advanceSequences(client, existing)
      await verifySums(client)
      const usedTables = new Set(kinds.filter(({ model }) => existing.has(model)).map(({ table }) => getTableName(table)))
      const release = nameRelease(dump.release, dump.models())
      const secondFactors = dump.relations.listSecondFactors()
      const report = { release, isRepeated: existing.size > 0, kinds: kindReports, problems, cleared, shared, secondFactors }
      return { ...report, media: await copyMedia(client, pool, media, usedTables) }
    })
  } finally {
    await dump.close()
    problems.close()
  }
}

/** Rejects an import that loads nothing: it failed, even if invalid records may be skipped. */
function rejectEmptyImport(kindReports: KindReport[], problems: Problems): void {
  if (kindReports.some(({ model, loaded }) => loaded > 0 && !tagModels.includes(model))) return
  const reason = problems.count > 0 ? 'no valid record' : 'no record of a supported kind'
  throw new OperatorError(
    [...problems.describe(), describeReport(kindReports), `Nothing was imported: the dump contains ${reason}.`].join('\n'),
  )
}

async function runInTransaction(pool: Pool, work: (client: PoolClient) => Promise<ImportReport>): Promise<ImportReport> {
  const client = await pool.connect()
  try {
    await client.query(
      'begin; set local stockroom.events = off; set local stockroom.prices = off; set local stockroom.replacements = off',
    )
    const report = await work(client)
    await client.query('commit')
    await client.query('analyze')
    return report
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const selectKindsToLoad = (existing: ExistingCounts): RecordKind[] => kinds.filter(({ model }) => !existing.has(model))

/** SQL for the last key that a table assigned, in a database that was in use: keys of deleted objects are not assigned again. */
const buildLastKeySql = (kind: RecordKind, existing: ExistingCounts): string =>
  existing.size > 0 ? `pg_sequence_last_value(pg_get_serial_sequence('${getQuotedTable(kind)}', 'pk')::regclass)` : 'null'

/** Moves the rows of a fresh database to keys beyond those of the dump, as well as the rows that triggers are about to create. */
async function renumberExistingRows(client: PoolClient, dump: Dump, existing: ExistingCounts): Promise<void> {
  for (const kind of selectKindsToLoad(existing).filter(({ replaces }) => replaces !== undefined)) {
    const highest = dump.index(kind.model).highestKey
    if (highest === 0) continue
    await rejectIfKeysExhausted(client, kind, highest)
    await client.query(
      `update ${getQuotedTable(kind)} set pk = pk + greatest($1, (select max(pk) from ${getQuotedTable(kind)}))
       where $1 >= (select min(pk) from ${getQuotedTable(kind)})`,
      [highest],
    )
    await client.query(
      `select setval(pg_get_serial_sequence($1, 'pk'), greatest($2, (select max(pk) from ${getQuotedTable(kind)}), ${buildLastKeySql(kind, existing)}))`,
      [getQuotedTable(kind), highest],
    )
  }
}

/** Rejects a dump that would move rows of a fresh database beyond the highest possible key. */
async function rejectIfKeysExhausted(client: PoolClient, kind: RecordKind, highest: number): Promise<void> {
  const { rows } = await client.query<{ lowest: number | null; last: number }>(
    `select min(pk) lowest, max(pk) last from ${getQuotedTable(kind)}`,
  )
  const { lowest = null, last = 0 } = rows[0] ?? {}
  if (lowest === null || highest < lowest || Math.max(highest, last) + last <= MAX_KEY) return
  throw new OperatorError(
    `nothing was imported: ${kind.model} ${highest} leaves too few primary keys for the existing rows of ${getQuotedTable(kind)}`,
  )
}

/** Advances the sequences, so that the next object of each kind gets a key that the dump did not use. */
async function advanceSequences(client: PoolClient, existing: ExistingCounts): Promise<void> {
  for (const kind of selectKindsToLoad(existing)) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, 'pk'), greatest(max(pk), ${buildLastKeySql(kind, existing)}))
       from ${getQuotedTable(kind)} having max(pk) is not null`,
      [getQuotedTable(kind)],
    )
  }
}

/** Checks that the sums that the database maintains agree with a new count. A difference is a bug. */
async function verifySums(client: PoolClient): Promise<void> {
  for (const check of [
    'verify_quantities',
    'verify_line_counts',
    'verify_sales_line_counts',
    'verify_return_line_counts',
    'verify_allocations',
    'verify_build_allocations',
    'verify_trees',
  ]) {
    const { rows } = await client.query(`select * from ${check}() limit 3`)
    if (rows.length > 0) throw new Error(`${check} finds differences: ${JSON.stringify(rows)}`)
  }
}

function countKinds(dump: Dump, loader: Loader, existing: ExistingCounts): KindReport[] {
  return [...dump.counts]
    .map(([model, read]) => {
      const isTag = tagModels.includes(model)
      const loaded = isTag && existing.size === 0 ? countTags(dump, model) : (loader.getLoadedCount(model) ?? 0)
      const leftOut = read - loaded
      const isLoaded = loader.getLoadedCount(model) !== undefined
      const reason = isLoaded
        ? describeRemarks(leftOut, loader.getOutdatedCount(model), loader.getLeftOut(model))
        : isTag
          ? existing.size === 0
            ? 'of objects that are not loaded'
            : 'are deleted with their objects'
          : (describeExisting(model, read, existing) ?? explainUnsupported(model))
      const omitted = [...loader.getUnknownFields(model)].map(([name, count]) => ({
        name,
        count,
        reason: findOmissionReason(model, name),
      }))
      return { model, read, loaded, leftOut, reason: leftOut === 0 && !isLoaded ? '' : reason, omitted }
    })
    .toSorted((one, other) => (one.model < other.model ? -1 : 1))
}

/** Number of tags, or of the records that give them to objects, that were loaded with the objects. */
const countTags = (dump: Dump, model: string): number =>
  model === 'taggit.taggeditem' ? Math.min(dump.count(model), dump.relations.takenTags) : dump.count(model)

/** Explains for a kind that is loaded why records are left out, and how many of the others will be deleted for their age. */
function describeRemarks(leftOut: number, outdated: number, reasons: ReadonlyMap<string, number>): string {
  const valid = [...reasons.values()].reduce((sum, count) => sum + count, 0)
  return [
    ...(leftOut > valid ? ['breaks a rule'] : []),
    ...[...reasons].map(([reason, count]) => `${count} ${reason}`),
    ...(outdated > 0 ? [`${outdated} past their retention period: to be deleted`] : []),
  ].join('; ')
}

/** The reason why a kind was not loaded, if its table was in use. The rows that a fresh database starts with do not count. */
function describeExisting(model: string, read: number, existing: ExistingCounts): string | undefined {
  const presentCount = existing.get(model)
  if (presentCount === undefined) return undefined
  const kind = kinds.find((kind) => kind.model === model)
  if (kind?.replaces !== undefined && !kind.identifiedBy) return 'its table is in use'
  return presentCount === read ? 'already present' : `already present, except ${read - presentCount}`
}
