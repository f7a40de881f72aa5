import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOpenapiDocument, listOperations } from './app.ts'
import { formatConfigurationTable, loadConfig } from './config.ts'
import { formatDatabaseDocument } from './database-document/database-document.ts'
import { withMigratedDatabase } from './database-document/temporary-database.ts'
import { problems, REQUEST_ERRORS_AREA } from './kit/request/problem.ts'
import { errorCodes, fillTemplate, type ParameterKind } from './kit/values/message.ts'
import { buildLockfile } from './lockfile.ts'
import { ROOT } from './paths.ts'
import { createCallersTable } from './resources/callers.ts'
import { formatApiTable, formatFormTable } from './wire.ts'

const MADE_FROM_CODE = '<!-- made from the code -->'

/**
 * Writes the documents that are generated from the code: the tables of docs/configuration.md, docs/errors.md, generated/callers.json
 * (required permissions by operation), generated/openapi.json and docs/database.md; and removes from package-lock.json what `lockfile` lists.
 * With `--check` it writes nothing, and fails if one of them is stale, except docs/database.md: a test compares that page with the database
 * of the tests. Either way it fails if two decisions have the same number.
 */
const documents: Record<string, () => string | Promise<string>> = {
  'docs/configuration.md': () => {
    const page = replaceBetweenMarkers(readPage('docs/configuration.md'), MADE_FROM_CODE, formatConfigurationTable())
    const withForms = replaceBetweenMarkers(page, '<!-- the wire forms, made from the code -->', formatFormTable())
    return replaceBetweenMarkers(withForms, '<!-- the API versions, made from the code -->', formatApiTable())
  },
  'docs/errors.md': () => replaceBetweenMarkers(readPage('docs/errors.md'), MADE_FROM_CODE, createErrorTables()),
  'package-lock.json': buildLockfile,
  'generated/callers.json': () => `{\n${listCallersLines().join(',\n')}\n}\n`,
  'generated/openapi.json': () => `${JSON.stringify(createOpenapiDocument(loadConfig({})), null, 1)}\n`,
}

const getPath = (name: string) => join(ROOT, name)

const readPage = (name: string) => readFileSync(getPath(name), 'utf8')

/** Replaces the text of a hand-written page between a marker and the next `end`. */
function replaceBetweenMarkers(page: string, marker: string, content: string): string {
  const start = page.indexOf(marker)
  if (start < 0) throw new Error(`no ${marker}`)
  return `${page.slice(0, start)}${marker}\n${content}\n${page.slice(page.indexOf('<!-- end -->', start))}`
}

/** One line for each operation, so that a change of permissions is easy to read in a diff. */
const listCallersLines = () =>
  Object.entries(createCallersTable(listOperations(loadConfig({})))).map(
    ([operation, names]) => `  ${JSON.stringify(operation)}: ${JSON.stringify(names).replaceAll(',', ', ')}`,
  )

/** The codes of whole requests with their status, then those of single errors by area. */
function createErrorTables(): string {
  const rows = Object.entries(problems).map(([code, { status, text }]) => `| \`${code}\` | ${status} | ${text} |`)
  const byArea = Map.groupBy(errorCodes, ([, { area }]) => area)
  byArea.delete(REQUEST_ERRORS_AREA)
  const areas = [...byArea].map(([area, codes]) => {
    const codeRows = codes.map(([code, { template, parameters }]) => {
      const names = parameters.map(({ name, kind }) => `\`${name}\` (${KIND_NAMES[kind]})`).join(', ')
      return `| \`${code}\` | ${names} | ${fillTemplate(template, (name) => `{${name}}`)
        .replaceAll('|', '\\|')
        .replaceAll('<', '&lt;')} |`
    })
    return [`### ${area}`, '', '| Code | Parameters | Message |', '|---|---|---|', ...codeRows].join('\n')
  })
  return ['| Code | Status | Meaning |', '|---|---|---|', ...rows, '', '## Codes of single errors', '', areas.join('\n\n')].join(
    '\n',
  )
}

/** Names of the types of parameters, as docs/errors.md has them. */
const KIND_NAMES: Record<ParameterKind, string> = {
  text: 'text',
  integer: 'integer',
  key: 'key',
  decimal: 'decimal',
  texts: 'texts',
  csv: 'texts',
  integers: 'integers',
  errors: 'errors',
}

const isCheck = process.argv.includes('--check')
if (!isCheck) documents['docs/database.md'] = () => withMigratedDatabase(formatDatabaseDocument)

const staleNames: string[] = []
for (const [name, make] of Object.entries(documents)) {
  const content = await make()
  let currentText = ''
  try {
    currentText = readFileSync(getPath(name), 'utf8')
  } catch {}
  if (currentText === content) continue
  if (isCheck) staleNames.push(name)
  else writeFileSync(getPath(name), content)
}
const decisionNumbers = readdirSync(getPath('docs/adr')).map((name) => name.slice(0, 4))
const duplicate = decisionNumbers.find((number, index) => decisionNumbers.indexOf(number) !== index)
if (duplicate !== undefined) {
  console.error(`docs/adr has two decisions with the number ${duplicate}`)
  process.exit(1)
}
if (staleNames.length) {
  console.error(`stale: ${staleNames.join(', ')}; run "npm run documents"`)
  process.exit(1)
}
