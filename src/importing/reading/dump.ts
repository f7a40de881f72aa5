import { type FileHandle, open } from 'node:fs/promises'
import { isObject } from '../../kit/values/json.ts'
import { OperatorError } from '../../operator-error.ts'
import type { Problems } from '../report.ts'
import { readElements } from './elements.ts'
import { type DumpRecord, isKey, isRecord, MAX_KEY, normalizeModelName, type Problem, parseRecord } from './record.ts'
import { type Position, RecordIndex } from './record-index.ts'
import { Relations } from './relations.ts'
import { parseRelease, type Release } from './release.ts'

/** A record, and its position among those of its model. */
export type IndexedRecord = DumpRecord & { ordinal: number }

/** Maximum number of records in a batch, and of their bytes. */
const MAX_BATCH = { records: 1000, bytes: 8 << 20 }

/** Bytes of the file that are read at a time. */
const WINDOW_BYTES = 1 << 20

/**
 * A dump in Django's format: a JSON list of `{ model, pk, fields }`, of any size and in any order. It is read once to index the positions
 * of the records and their references; then the records of each kind are read when they are requested.
 */
export class Dump {
  /** Number of records of each model. */
  readonly counts = new Map<string, number>()
  readonly relations = new Relations()
  /** The InvenTree that wrote it, if the dump says so. */
  release: Release | undefined
  private readonly indexes: Map<string, RecordIndex>
  private readonly file: FileHandle
  private readonly buffer = Buffer.allocUnsafe(WINDOW_BYTES)
  private window = { start: 0, bytes: this.buffer.subarray(0, 0) }

  private constructor(file: FileHandle, kinds: readonly { model: string; parentColumns?: readonly string[] }[]) {
    this.file = file
    this.indexes = new Map(kinds.map(({ model, parentColumns = [] }) => [model, new RecordIndex(parentColumns)]))
  }

  /**
   * Opens a dump and reads it through. The caller closes it.
   * @param kinds the models whose records will be requested, and their columns that refer to records of the same model
   * @param problems collects entries that are not records, and records without a usable primary key
   * @throws OperatorError when the file cannot be read, or is not a dump
   */
  static async open(
    path: string,
    kinds: readonly { model: string; parentColumns?: readonly string[] }[],
    problems: Problems,
  ): Promise<Dump> {
    const file = await openFile(path)
    try {
      const dump = new Dump(file, kinds)
      await dump.readAll(problems)
      return dump
    } catch (error) {
      await file.close()
      throw error
    }
  }

  close(): Promise<void> {
    return this.file.close()
  }

  /** Number of records of a model. */
  count(model: string): number {
    return this.counts.get(model) ?? 0
  }

  /** The models of the dump's records. */
  models(): string[] {
    return [...this.counts.keys()]
  }

  get size(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** The index of a model's records. */
  index(model: string): RecordIndex {
    const index = this.indexes.get(model)
    if (!index) throw new Error(`records of ${model} were not requested when the dump was opened`)
    return index
  }

  /** Yields the records of a model at these positions, in batches. */
  async *records(model: string, ordinals: readonly number[] = this.index(model).ordinals()): AsyncGenerator<IndexedRecord[]> {
    const index = this.index(model)
    let batch: IndexedRecord[] = []
    let bytes = 0
    for (const ordinal of ordinals) {
      const position = index.at(ordinal)
      const source = await this.readSource(position)
      const { fields } = parseRecord(source, position.line, position.hasInexactNumbers) as DumpRecord
      batch.push({ ordinal, line: position.line, model, pk: position.pk, fields })
      bytes += source.length
      if (batch.length < MAX_BATCH.records && bytes < MAX_BATCH.bytes) continue
      yield batch
      batch = []
      bytes = 0
    }
    if (batch.length > 0) yield batch
  }

  private async readAll(problems: Problems): Promise<void> {
    for await (const elements of readElements(this.file)) {
      for (const element of elements) {
        const { line, source } = element
        const value = parseRecord(source, line, false)
        const release = parseRelease(value)
        if (release) {
          this.release = release
          continue
        }
        if (!isRecord(value)) {
          problems.add({ line, ...nameRecord(value), reason: 'it is not a record: it must have a model, a pk, and fields' })
          continue
        }
        const model = normalizeModelName(value.model)
        const index = this.indexes.get(model)
        this.counts.set(model, this.count(model) + 1)
        if (index && !isKey(value.pk)) {
          problems.add({ line, ...nameRecord(value), reason: `its pk must be a whole number from 1 to ${MAX_KEY}` })
          continue
        }
        index?.add(element, value.pk as number, value.fields)
        this.relations.add(model, value.pk, value.fields)
      }
    }
  }

  private async readSource({ start, end }: Position): Promise<string> {
    if (start < this.window.start || end > this.window.start + this.window.bytes.length) {
      const bytes = end - start > WINDOW_BYTES ? Buffer.allocUnsafe(end - start) : this.buffer
      const { bytesRead } = await this.file.read(bytes, 0, bytes.length, start)
      this.window = { start, bytes: bytes.subarray(0, bytesRead) }
    }
    return this.window.bytes.toString('utf8', start - this.window.start, end - this.window.start)
  }
}

/** The model and key of an element that is no usable record, as far as it has them. */
const nameRecord = (value: unknown): Pick<Problem, 'record'> =>
  isObject(value) && typeof value.model === 'string'
    ? { record: { model: normalizeModelName(value.model), pk: Number.isInteger(value.pk) ? (value.pk as number) : undefined } }
    : {}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path)
    // the file is read twice, which a pipe does not allow
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    throw new OperatorError(`the dump cannot be read: ${(error as Error).message}`)
  }
  throw new OperatorError(`the dump cannot be read: ${path} is not a file`)
}
