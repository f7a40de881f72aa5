import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.ts'

/** The comments on a table in `src/`: the one above it, and those above its columns. */
export type TableComment = { path: string; purpose: string; columns: ReadonlyMap<string, string> }

/** A comment, and a table that begins behind it: its name is the first argument of the function that makes it. */
const TABLE_PATTERN = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export const \w+ = \w+\(\s*'(\w+)'/g

/** A comment, and the column behind it, which has the name of its property. */
const COLUMN_PATTERN = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n\s+(\w+):/g

/** The comments of all tables that `*.table.ts` files define, by the name of the table. */
export function readTableComments(): Map<string, TableComment> {
  const comments = new Map<string, TableComment>()
  for (const path of globSync('src/**/*.table.ts', { cwd: ROOT }).sort()) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const tables = [...text.matchAll(TABLE_PATTERN)]
    for (const [index, { 1: comment = '', 2: name = '', index: start }] of tables.entries()) {
      // the comment of the next table belongs to no column of this one
      const definition = text.slice(start + comment.length, tables[index + 1]?.index)
      const columns = [...definition.matchAll(COLUMN_PATTERN)].map(([, of = '', column = '']) => [column, joinLines(of)] as const)
      comments.set(name, { path, purpose: joinLines(comment), columns: new Map(columns) })
    }
  }
  return comments
}

/** The text of a comment in one line. */
const joinLines = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trim())
    .join(' ')
    .trim()
