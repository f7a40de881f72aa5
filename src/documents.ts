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

/**
 * Writes the documents that are generated from the code: the table of docs/configuration.md, docs/errors.md, generated/callers.json
 * (required permissions by operation), generated/openapi.json and docs/database.md; and removes from package-lock.json what `lockfile` lists.
 * With `--check` it writes nothing, and fails if one of them is stale, except docs/database.md: a test compares that page with the database
 * of the tests. Either way it fails if two decisions have the same number.
 */
const documents: Record<string, () => string | Promise<string>> = {
  'docs/configuration.md': () => replaceBetweenMarkers('docs/configuration.md', formatConfigurationTable()),
  'docs/errors.md': () => replaceBetweenMarkers('docs/errors.md', createErrorTables()),
  'package-lock.json': buildLockfile,
  'generated/callers.json': () => `{\n${listCallersLines().join(',\n')}\n}\n`,
  'generated/openapi.json': () => `${JSON.stringify(createOpenapiDocument(loadConfig({})), null, 1)}\n`,
}

const getPath = (name: string) => join(ROOT, name)

/** Replaces the text between the two markers of a hand-written page. */
function replaceBetweenMarkers(name: string, content: string): string {
  const page = readFileSync(getPath(name), 'utf8')
  const [before, rest] = page.split('<!-- made from the code -->\n') as [string, string]
  const after = rest.split('<!-- end -->')[1] ?? ''
  return `${before}<!-- made from the code -->\n${content}\n<!-- end -->${after}`
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
