import { OperatorError } from '../operator-error.ts'

/** One record of a dump, and the line of the file on which it begins. */
export type DumpRecord = { line: number; model: string; pk: number; fields: Record<string, unknown> }

/** Something in the dump that cannot be loaded. `record` is missing where the file holds no record at all. */
export type Problem = { line: number; record?: DumpRecord; reason: string }

/**
 * Reads a dump in the form of Django: a JSON list of `{ model, pk, fields }`.
 * @throws OperatorError when it is no JSON list
 */
export function readDump(text: string): { records: DumpRecord[]; problems: Problem[] } {
  const records: DumpRecord[] = []
  const problems: Problem[] = []
  for (const { line, source } of elements(text)) {
    const value = parse(source, line)
    if (isRecord(value)) records.push({ line, model: value.model, pk: value.pk, fields: value.fields })
    else problems.push({ line, reason: 'it is no record: it must have a model, a whole number as pk, and fields' })
  }
  return { records, problems }
}

/** Where the elements of a JSON list begin, and their text. */
function* elements(text: string): Generator<{ line: number; source: string }> {
  const first = text.search(/[^\s\uFEFF]/)
  if (text[first] !== '[') throw new OperatorError('the file is no dump: it must hold a JSON list of { model, pk, fields }')
  let line = 1 + [...text.slice(0, first).matchAll(/\n/g)].length
  let start = -1
  let startLine = line
  let depth = 0
  // Only what shapes the list is looked at: whole strings, brackets, commas, line ends, and the first sign of anything else.
  const signs = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},\n]|[^\s"[\]{},]+|"/g
  signs.lastIndex = first
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const [sign] = found
    if (sign === '\n') {
      line++
      continue
    }
    const closes = sign === ']' || sign === '}'
    if (depth === 1 && start < 0 && sign !== ',' && !closes) {
      start = found.index
      startLine = line
    }
    if (depth === 1 && start >= 0 && (sign === ',' || closes)) {
      yield { line: startLine, source: text.slice(start, found.index) }
      start = -1
    }
    if (sign === '[' || sign === '{') depth++
    else if (closes && --depth === 0) return
  }
  throw new OperatorError(`the dump is cut off: the record that begins on line ${startLine} does not end`)
}

function parse(source: string, line: number): unknown {
  try {
    return JSON.parse(source, keepNumbers)
  } catch (error) {
    throw new OperatorError(
      `the dump is damaged: the record that begins on line ${line} is no JSON (${(error as Error).message})`,
    )
  }
}

type RawJson = { rawJSON(text: string): unknown }

/** Keeps a number that JavaScript would write differently, such as 1.10 or one of twenty digits, as it stands in the file. */
function keepNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const changed = typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
  return changed ? (JSON as unknown as RawJson).rawJSON(context.source as string) : value
}

function isRecord(value: unknown): value is Omit<DumpRecord, 'line'> {
  if (typeof value !== 'object' || value === null) return false
  const { model, pk, fields } = value as Record<string, unknown>
  const hasFields = typeof fields === 'object' && fields !== null && !Array.isArray(fields)
  return typeof model === 'string' && Number.isInteger(pk) && hasFields
}
