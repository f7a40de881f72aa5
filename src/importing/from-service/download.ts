import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, mkdir, readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { MediaFolder } from '../../kit/services/files.ts'
import { isObject, parseJson } from '../../kit/values/json.ts'
import { OperatorError } from '../../operator-error.ts'
import { readFileUrl, type SourceFile, type SourceList, sourceLists } from './lists.ts'
import { type Source, SourceError, type SourceRelease, type SourceRow } from './source.ts'

/** Rows of a page. */
const PAGE_SIZE = 200
/** Requests for details and for files that are sent at the same time. */
const MAX_CONCURRENT = 4
/** Maximum number of times that a list is read, if it changes during that. */
const MAX_READS = 3

/** How far the download is, stored after each page. */
type State = {
  source: string
  release: SourceRelease
  lists: Record<string, ListState>
}
type ListState = {
  /** Number of rows that were read, and the number of bytes that their records take in the file of the model. */
  offset: number
  bytes: number
  /** The highest number of rows that a page named. A row that was deleted since may have moved another one to a page read before. */
  count: number
  /** How often the list was read to its end. */
  reads: number
  result?: 'complete' | 'unknown' | 'forbidden' | 'changed'
}

/** Results of lists that the service does not return, by the status of its response. */
const UNREADABLE: Readonly<Record<number, 'unknown' | 'forbidden'>> = { 403: 'forbidden', 404: 'unknown' }

/** The result of a download. */
export type Download = {
  release: SourceRelease
  /** The dump that was made, and the folder of its files. */
  dump: string
  media: string
  /** Number of records. */
  records: number
  /** Models that were left out or are incomplete, with the reason. */
  remarks: string[]
  /** Files that could not be downloaded, with the reason. */
  missingFiles: string[]
}

type Report = (done: number, total: number) => void

/**
 * Reads all lists of a running InvenTree into a dump with its files. Run again after an interruption, it continues with the page that was
 * missing, and reads lists again that were forbidden or changed.
 * @param folder where the dump is made; of one service alone
 * @throws OperatorError when the service cannot be read, or the folder is that of another service
 */
export async function downloadDump(
  source: Source,
  folder: string,
  report: { records?: Report; files?: Report } = {},
): Promise<Download> {
  const release = await source.readRelease()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const state = await readState(source, folder, release)
  // the newer ones first: where they are complete, the older ones have the same records
  const isOlder = ({ newerModel }: SourceList) => newerModel !== undefined
  for (const list of sourceLists.toSorted((one, other) => Number(isOlder(one)) - Number(isOlder(other))))
    if (!hasNewer(state, list)) await downloadList({ source, folder, state, list, report: report.records })
  const dump = join(folder, 'dump.json')
  const media = join(folder, 'media')
  await mkdir(media, { recursive: true })
  const { records, files } = await joinRecords(folder, dump, state)
  const missingFiles = await downloadFiles(source, media, files, report.files)
  return { release, dump, media, records, remarks: describeLists(state), missingFiles }
}

/** Whether the records of a list were read from that of a newer model. */
const hasNewer = ({ lists }: State, { newerModel }: SourceList): boolean =>
  newerModel !== undefined && ['complete', 'changed'].includes(lists[newerModel]?.result ?? '')

const stateFile = (folder: string) => join(folder, 'state.json')
const recordsFile = (folder: string, { model }: Pick<SourceList, 'model'>) => join(folder, `${model}.jsonl`)

async function readState(source: Source, folder: string, release: SourceRelease): Promise<State> {
  const text = await readFile(stateFile(folder), 'utf8').catch(() => undefined)
  if (text === undefined) return { source: source.url.href, release, lists: {} }
  const state = JSON.parse(text) as State
  if (state.source !== source.url.href)
    throw new OperatorError(`${folder} holds the download of ${state.source}; delete it, or use another DATA_DIR`)
  if (state.release.apiVersion !== release.apiVersion)
    throw new OperatorError(`${source.url.href} was updated since this download began; delete ${folder} and start again`)
  // lists that could not be read, or not completely, are read from their beginning
  for (const [model, { result }] of Object.entries(state.lists))
    if (result !== undefined && result !== 'complete') delete state.lists[model]
  return state
}

async function writeState(folder: string, state: State): Promise<void> {
  const file = stateFile(folder)
  await writeFile(`${file}.new`, JSON.stringify(state))
  await rename(`${file}.new`, file)
}

type ListDownload = { source: Source; folder: string; state: State; list: SourceList; report: Report | undefined }

/** Downloads the missing pages of a list. If its rows moved during that, so that some were not on any page, it is read again. */
async function downloadList({ source, folder, state, list, report }: ListDownload): Promise<void> {
  const progress: ListState = state.lists[list.model] ?? { offset: 0, bytes: 0, count: 0, reads: 0 }
  if (progress.result !== undefined) return
  state.lists[list.model] = progress
  const file = recordsFile(folder, list)
  await appendFile(file, '')
  // what a kill left of the page after the last complete one
  await truncate(file, progress.bytes)
  const keys = await readKeys(file)
  try {
    while (progress.result === undefined) {
      const { count, rows } = await source.readPage(list, progress.offset, PAGE_SIZE)
      const lines = await readLines(
        source,
        list,
        rows.filter(({ pk }) => !keys.has(pk)),
      )
      for (const { pk } of rows) keys.add(pk)
      await appendFile(file, lines)
      progress.bytes += Buffer.byteLength(lines)
      progress.offset += rows.length
      progress.count = Math.max(progress.count, count)
      report?.(Math.min(progress.offset, count), count)
      if (rows.length === 0 || progress.offset >= count) finishRead(progress, keys.size >= progress.count)
      await writeState(folder, state)
    }
  } catch (error) {
    const result = error instanceof SourceError ? UNREADABLE[error.status] : undefined
    if (result === undefined) throw error
    progress.result = result
    await writeState(folder, state)
  }
}

function finishRead(progress: ListState, isComplete: boolean): void {
  progress.reads++
  if (isComplete) progress.result = 'complete'
  else if (progress.reads === MAX_READS) progress.result = 'changed'
  else progress.offset = 0
}

async function readKeys(file: string): Promise<Set<unknown>> {
  const keys = new Set<unknown>()
  for await (const line of readFileLines(file)) keys.add((JSON.parse(line) as { key: unknown }).key)
  return keys
}

const readFileLines = (file: string) => createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })

/** The records of rows, a line each, with the key of the row. */
async function readLines(source: Source, list: SourceList, rows: readonly SourceRow[]): Promise<string> {
  const records = rows.flatMap((row) =>
    list.unfold ? list.unfold(row).map((inner) => ({ row: inner, key: row.pk })) : { row, key: row.pk },
  )
  const lines = await mapConcurrently(records, async ({ row, key }) => {
    const fields = list.toFields(await completeRow(source, list, row))
    if (fields === undefined) return ''
    const files: SourceFile[] = []
    for (const name of list.fileFields) {
      if (!(name in fields)) continue
      const file = readFileUrl(fields[name])
      if (file) files.push(file)
      fields[name] = file?.path ?? null
    }
    return `${JSON.stringify({ key, model: list.model, pk: row.pk, fields, files })}\n`
  })
  return lines.join('')
}

/** Adds the fields that only the detail of an object shows. */
async function completeRow(source: Source, { path, detailFields }: SourceList, row: SourceRow): Promise<SourceRow> {
  if (detailFields.every((name) => name in row)) return row
  const detail = await source.get(`${path}${row.pk}/?tags=true`).catch((error) => {
    // deleted since its list was read
    if (error instanceof SourceError && error.status === 404) return row
    throw error
  })
  return isObject(detail) ? { ...row, ...detail } : row
}

/** Writes all records to one dump. Returns their number, and their files. */
async function joinRecords(folder: string, dump: string, state: State): Promise<{ records: number; files: SourceFile[] }> {
  const { release, lists } = state
  const files = new Map<string, SourceFile>()
  let records = 0
  async function* write() {
    const { version, apiVersion } = release
    yield `[${JSON.stringify({ metadata: true, source_version: version, api_version: apiVersion })}`
    for (const list of sourceLists.filter((list) => list.model in lists && !hasNewer(state, list))) {
      for await (const line of readFileLines(recordsFile(folder, list))) {
        const { key: _, files: named, ...record } = parseJson(line) as { key: unknown; files: SourceFile[] }
        for (const file of named) files.set(file.path, file)
        records++
        yield `,\n${JSON.stringify(record)}`
      }
    }
    yield '\n]\n'
  }
  await pipeline(write, createWriteStream(dump, { mode: 0o600 }))
  return { records, files: [...files.values()] }
}

async function downloadFiles(
  source: Source,
  media: string,
  files: readonly SourceFile[],
  report: Report | undefined,
): Promise<string[]> {
  const folder = new MediaFolder(media)
  const missing: string[] = []
  let done = 0
  await mapConcurrently(files, async ({ path, url }) => {
    const isPresent = (await folder.find(path)) !== undefined
    if (!isPresent)
      await source
        .download(url, (content) => folder.write(path, content))
        .catch((error: Error) => missing.push(`${path}: ${error.message}`))
    report?.(++done, files.length)
  })
  return missing
}

const REMARKS = {
  unknown: 'this release does not list them',
  forbidden: 'the account of the token may not see them',
  changed: 'the list changed while it was read, so some may be missing; stop its users and start again',
}

function describeLists({ lists }: State): string[] {
  // an older release has the records in other lists
  const hasOlder = (model: string) =>
    sourceLists.some((list) => list.newerModel === model && lists[list.model]?.result === 'complete')
  return Object.entries(lists).flatMap(([model, { result }]) =>
    result === undefined || result === 'complete' || (result === 'unknown' && hasOlder(model))
      ? []
      : [`${model}: ${REMARKS[result]}`],
  )
}

/** Maps values in order, some of them at the same time. */
async function mapConcurrently<Value, Result>(
  values: readonly Value[],
  map: (value: Value) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(values.length)
  let next = 0
  const work = async () => {
    for (let index = next++; index < values.length; index = next++) results[index] = await map(values[index] as Value)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
  return results
}
