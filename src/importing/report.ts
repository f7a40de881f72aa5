import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Problem } from './reading/record.ts'

/** The result for the records of one kind. */
export type KindReport = {
  model: string
  read: number
  loaded: number
  leftOut: number
  reason: string
  /** Fields of the loaded records that are not imported. */
  omitted: OmittedField[]
}

/** A field that is not imported, with the number of its values other than null, empty, false and zero, and the reason if it is intended. */
export type OmittedField = { name: string; count: number; reason: string | undefined }

/** Maximum number of listed problems; the rest is only counted. */
const MAX_LISTED_PROBLEMS = 100

const describeProblem = ({ line, record, reason }: Problem): string => {
  const name = record ? `${record.model}${record.pk === undefined ? '' : ` ${record.pk}`}: ` : ''
  return `line ${line}: ${name}${reason}`
}

/** The problems of a dump, however many there are. */
export class Problems {
  count = 0
  private problems: Problem[] = []
  private readonly path: string | undefined
  private file: number | undefined

  /** @param path the file for all problems, if there are more than are listed */
  constructor(path?: string) {
    this.path = path
  }

  add(problem: Problem): void {
    this.count++
    if (this.path !== undefined) {
      this.file ??= openSync(this.path, 'w', 0o600)
      writeSync(this.file, `${describeProblem(problem)}\n`)
    }
    this.problems.push(problem)
    if (this.problems.length >= 20 * MAX_LISTED_PROBLEMS) this.problems = this.listFirst()
  }

  /** Whether there are far more of them than are listed. */
  get hasMany(): boolean {
    return this.count >= 20 * MAX_LISTED_PROBLEMS
  }

  /** The first problems, in the order of the file. */
  listFirst(): Problem[] {
    return this.problems.toSorted((one, other) => one.line - other.line).slice(0, MAX_LISTED_PROBLEMS)
  }

  /** One line for each of the first problems, and the number of further ones. */
  describe(): string[] {
    const lines = this.listFirst().map(describeProblem)
    const unlistedCount = this.count - lines.length
    const place = this.path === undefined ? '' : `; ${this.path} has all, as they were found`
    return unlistedCount > 0 ? [...lines, `and ${unlistedCount} more${place}`] : lines
  }

  /** Closes the file, and deletes it if all problems are listed. */
  close(): void {
    if (this.path === undefined || this.file === undefined) return
    closeSync(this.file)
    if (this.count <= MAX_LISTED_PROBLEMS) rmSync(this.path)
  }
}

/** A table of records that were read, loaded and left out. */
export function describeReport(kinds: KindReport[]): string {
  const sumCounts = (count: 'read' | 'loaded' | 'leftOut') => kinds.reduce((total, kind) => total + kind[count], 0)
  const rows = [
    ['kind', 'read', 'loaded', 'skipped', 'why'],
    ...kinds.map(({ model, read, loaded, leftOut, reason }) => [model, `${read}`, `${loaded}`, `${leftOut}`, reason]),
    ['total', `${sumCounts('read')}`, `${sumCounts('loaded')}`, `${sumCounts('leftOut')}`, ''],
  ]
  const getWidth = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows
    .map(([model = '', ...cells]) => {
      const numbers = cells.slice(0, 3).map((cell, n) => cell.padStart(getWidth(n + 1)))
      return [model.padEnd(getWidth(0)), ...numbers, cells[3]].join('  ').trimEnd()
    })
    .join('\n')
}

/** Names the fields that are not imported: those without a reason with the number of their values, and the others by reason. */
export function describeOmitted(kinds: readonly KindReport[]): string[] {
  const fields = kinds.flatMap(({ model, omitted }) => omitted.map((field) => ({ model, ...field })))
  const unknown = fields.filter(({ reason }) => reason === undefined)
  const intended = fields.filter(({ reason }) => reason !== undefined)
  const names = (list: typeof fields) => [...new Set(list.map(({ name }) => name))].sort().join(', ')
  return [
    ...(unknown.length > 0 ? ['Fields that are not imported, with the number of values that are not empty:'] : []),
    ...unknown.map(({ model, name, count }) => `  ${model} ${name}: ${count}`),
    ...(intended.length > 0 ? ['Fields that are not imported on purpose:'] : []),
    ...[...Map.groupBy(intended, ({ reason }) => reason)].map(([reason, list]) => `  ${names(list)}: ${reason}`),
  ]
}
