import type { Problem } from './reading/record.ts'

/** The result for the records of one kind. */
export type KindReport = { model: string; read: number; loaded: number; leftOut: number; reason: string }

/** Maximum number of listed problems; the rest is only counted. */
const MAX_LISTED_PROBLEMS = 100

/** The problems of a dump, however many there are. */
export class Problems {
  count = 0
  private problems: Problem[] = []

  add(problem: Problem): void {
    this.count++
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
    const lines = this.listFirst().map(
      ({ line, record, reason }) => `line ${line}: ${record ? `${record.model} ${record.pk}: ` : ''}${reason}`,
    )
    const unlistedCount = this.count - lines.length
    return unlistedCount > 0 ? [...lines, `and ${unlistedCount} more`] : lines
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
