import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openapiDocument, operationsOf } from './app.ts'
import { configurationTable, loadConfig } from './config.ts'
import { problems, REQUEST_ERRORS_AREA } from './kit/request/problem.ts'
import { errorCodes, fill, type ParameterKind } from './kit/values/message.ts'
import { lockfile } from './lockfile.ts'
import { ROOT } from './paths.ts'
import { callersTable } from './resources/callers.ts'

/**
 * Writes the documents that are generated from the code: the table of docs/configuration.md, docs/errors.md, generated/callers.json
 * (required rights by operation) and generated/openapi.json; and removes from package-lock.json what `lockfile` lists. With `--check` it
 * writes nothing, and fails if one of them is stale. Either way it fails if two decisions have the same number.
 */
const documents: Record<string, () => string> = {
  'docs/configuration.md': () => replaceBetweenMarks('docs/configuration.md', configurationTable()),
  'docs/errors.md': () => replaceBetweenMarks('docs/errors.md', errorTables()),
  'package-lock.json': lockfile,
  'generated/callers.json': () => `{\n${callersLines().join(',\n')}\n}\n`,
  'generated/openapi.json': () => `${JSON.stringify(openapiDocument(loadConfig({})), null, 1)}\n`,
}

const path = (name: string) => join(ROOT, name)

/** Replaces the text between the two markers of a hand-written page. */
function replaceBetweenMarks(name: string, content: string): string {
  const page = readFileSync(path(name), 'utf8')
  const [before, rest] = page.split('<!-- made from the code -->\n') as [string, string]
  const after = rest.split('<!-- end -->')[1] ?? ''
  return `${before}<!-- made from the code -->\n${content}\n<!-- end -->${after}`
}

/** One line for each operation, so that a change of rights is easy to read in a diff. */
const callersLines = () =>
  Object.entries(callersTable(operationsOf(loadConfig({})))).map(
    ([operation, names]) => `  ${JSON.stringify(operation)}: ${JSON.stringify(names).replaceAll(',', ', ')}`,
  )

/** The codes of whole requests with their status, then those of single errors by area. */
function errorTables(): string {
  const rows = Object.entries(problems).map(([code, { status, text }]) => `| \`${code}\` | ${status} | ${text} |`)
  const byArea = Map.groupBy(errorCodes, ([, { area }]) => area)
  byArea.delete(REQUEST_ERRORS_AREA)
  const areas = [...byArea].map(([area, codes]) => {
    const own = codes.map(([code, { template, parameters }]) => {
      const names = parameters.map(({ name, kind }) => `\`${name}\` (${KIND_NAMES[kind]})`).join(', ')
      return `| \`${code}\` | ${names} | ${fill(template, (name) => `{${name}}`)
        .replaceAll('|', '\\|')
        .replaceAll('<', '&lt;')} |`
    })
    return [`### ${area}`, '', '| Code | Parameters | Message |', '|---|---|---|', ...own].join('\n')
  })
  return ['| Code | Status | Meaning |', '|---|---|---|', ...rows, '', '## Codes of single errors', '', areas.join('\n\n')].join(
    '\n',
  )
}

/** JSON type of each kind of parameter. */
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

const stale: string[] = []
for (const [name, make] of Object.entries(documents)) {
  const content = make()
  let currentText = ''
  try {
    currentText = readFileSync(path(name), 'utf8')
  } catch {}
  if (currentText === content) continue
  if (process.argv.includes('--check')) stale.push(name)
  else writeFileSync(path(name), content)
}
const numbers = readdirSync(path('docs/adr')).map((name) => name.slice(0, 4))
const duplicate = numbers.find((number, at) => numbers.indexOf(number) !== at)
if (duplicate !== undefined) {
  console.error(`docs/adr has two decisions with the number ${duplicate}`)
  process.exit(1)
}
if (stale.length) {
  console.error(`stale: ${stale.join(', ')}; run "npm run documents"`)
  process.exit(1)
}
