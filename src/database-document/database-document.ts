import type { Pool } from 'pg'
import { type Column, type DatabaseFunction, type Relation, readFunctions, readRelations } from './catalog.ts'
import { FUNCTIONS, OTHER_RELATIONS } from './functions.ts'
import { readTableComments, type TableComment } from './table-comments.ts'

/** A function that is a trigger of more tables than this is shown with their number, not their names. */
const MAX_LISTED_TABLES = 12

/**
 * The text of docs/database.md for a migrated database.
 * @throws Error if a table or a function has no purpose, or a purpose belongs to none
 */
export async function formatDatabaseDocument(pool: Pool): Promise<string> {
  const [relations, functions] = [await readRelations(pool), await readFunctions(pool)]
  const comments = readTableComments()
  const missing = findMissingPurposes(relations, functions, comments)
  if (missing.length > 0) throw new Error(`docs/database.md: ${missing.join('; ')}`)
  const byArea = Map.groupBy(relations, ({ name }) => getArea(comments.get(name)?.path))
  const areas = [...byArea].sort(([one], [other]) => (one < other ? -1 : 1))
  return [
    INTRODUCTION,
    '| Area | Tables |',
    '|---|---|',
    ...areas.map(([area, members]) => `| ${area} | ${members.map(({ name }) => `[${name}](#${name})`).join(', ')} |`),
    '',
    ...areas.flatMap(([area, members]) => [
      `## Tables: ${area}`,
      '',
      ...members.flatMap((relation) => formatRelation(relation, comments.get(relation.name))),
    ]),
    FUNCTIONS_INTRODUCTION,
    ...Object.entries(FUNCTIONS).flatMap(([topic, purposes]) => [
      `### ${topic}`,
      '',
      '| Function | Purpose |',
      '|---|---|',
      ...functions.filter(({ name }) => purposes[name]).map((one) => formatFunction(one, purposes[one.name] ?? '', relations)),
      '',
    ]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

const INTRODUCTION = `# Database

The tables of a migrated database, what its triggers keep, and its functions. \`npm run documents\` writes this page from
the database that the migrations make, the comments in \`src/**/*.table.ts\`, and \`src/database-document/functions.ts\`; a
test fails if it is outdated. Types of columns and naming: [development.md](development.md#columns). Order of locks:
[locks.md](locks.md). The schema \`pgboss\` belongs to pg-boss, which runs background jobs.

A column may be null where its type says so. An arrow names the table that a column refers to.
`

const FUNCTIONS_INTRODUCTION = `## Functions and what triggers keep

Triggers keep sums, paths, counters and queues in the transaction that changes their sources, so a sum is never computed
from outdated rows. Each trigger calls one of these functions; the tables and events are listed with it. The functions
\`verify_...\` compare what is kept with a fresh count: \`npm run verify\` runs them.
`

/** The problems of the purposes: relations, columns and functions without one, and purposes without an object. */
function findMissingPurposes(
  relations: readonly Relation[],
  functions: readonly DatabaseFunction[],
  comments: ReadonlyMap<string, TableComment>,
): string[] {
  const relationNames = new Set(relations.map(({ name }) => name))
  const functionNames = new Set(functions.map(({ name }) => name))
  const described = Object.values(FUNCTIONS).flatMap((purposes) => Object.keys(purposes))
  return [
    ...relations
      .filter(({ name }) => !comments.get(name)?.purpose && !OTHER_RELATIONS[name])
      .map(({ name }) => `the table ${name} has no comment in its *.table.ts`),
    ...[...functionNames].filter((name) => !described.includes(name)).map((name) => `${name}() has no purpose in functions.ts`),
    ...described.filter((name) => !functionNames.has(name)).map((name) => `there is no function ${name}()`),
    ...described.filter((name, index) => described.indexOf(name) !== index).map((name) => `${name}() has two purposes`),
    ...Object.keys(OTHER_RELATIONS)
      .filter((name) => !relationNames.has(name) || comments.has(name))
      .map((name) => `${name} needs no purpose in functions.ts`),
  ]
}

/** The folder of the area that a table belongs to, below `src/`. */
function getArea(path: string | undefined): string {
  const [, layer = 'database', area = ''] = path?.split('/') ?? []
  return layer === 'resources' && !area.endsWith('.ts') ? area : layer
}

function formatRelation({ name, columns, triggers }: Relation, comment: TableComment | undefined): string[] {
  const source = comment ? ` ([source](../${comment.path}))` : ''
  return [
    `### ${name}`,
    '',
    `${comment?.purpose || OTHER_RELATIONS[name]}${source}`,
    '',
    '| Column | Type | Meaning |',
    '|---|---|---|',
    ...columns.map(
      (column) => `| \`${column.name}\` | ${formatType(column)} | ${escapeCell(comment?.columns.get(column.name) ?? '')} |`,
    ),
    '',
    ...(triggers.length > 0 ? [`Triggers: ${triggers.map((one) => `\`${one.function}\``).join(', ')}`, ''] : []),
  ]
}

function formatType({ type, isNullable, isComputed, defaultValue, references }: Column): string {
  return [
    type,
    isNullable ? ' or null' : '',
    isComputed ? ', computed' : '',
    defaultValue === null ? '' : `, default \`${escapeCell(defaultValue)}\``,
    references === null ? '' : ` → [${references}](#${references})`,
  ].join('')
}

function formatFunction(
  { name, parameters, result, isTrigger }: DatabaseFunction,
  purpose: string,
  relations: readonly Relation[],
): string {
  const uses = relations.flatMap(({ name: table, triggers }) =>
    triggers.filter((trigger) => trigger.function === name).map(({ events }) => ({ table, events })),
  )
  if (!isTrigger)
    return `| \`${name}(${escapeCell(parameters)})\` returns ${escapeCell(formatResult(result))} | ${escapeCell(purpose)} |`
  const tables =
    uses.length > MAX_LISTED_TABLES
      ? [`${uses.length} tables`]
      : uses.map(({ table, events }) => `[${table}](#${table}) (${shortenEvents(events)})`)
  return `| \`${name}\`, trigger of ${tables.join(', ')} | ${escapeCell(purpose)} |`
}

const EVENT_ORDER = ['insert', 'update', 'delete', 'truncate']

/** "after delete, after insert" becomes "after insert, delete". */
function shortenEvents(events: string): string {
  const byTiming = Map.groupBy(events.split(', '), (event) => event.split(' ')[0])
  return [...byTiming]
    .map(([timing, all]) => `${timing} ${EVENT_ORDER.filter((event) => all.includes(`${timing} ${event}`)).join(', ')}`)
    .join('; ')
}

const formatResult = (result: string): string => (result === 'void' ? 'nothing' : `\`${result}\``)

const escapeCell = (text: string): string => text.replaceAll('|', '\\|')
