import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from './config.ts'
import { OPENAPI, ROOT } from './paths.ts'

/**
 * Compares the published API description (`generated/openapi.json`) with others of the same interface:
 *
 *     node src/compare-descriptions.ts FILE...
 *     node src/compare-descriptions.ts --api 530 FILE...    the description for clients of API 530
 *
 * Every operation of those has to exist, with every query parameter and every field of body and response, except those that
 * `docs/description-differences.json` lists with a reason. Prints missing ones and obsolete entries of that file, and then exits with 1.
 */

type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  readOnly?: boolean
  writeOnly?: boolean
}
type Content = Record<string, { schema?: Schema }>
type DescribedOperation = {
  parameters?: { $ref?: string; name?: string; in?: string }[]
  requestBody?: { $ref?: string; content?: Content }
  responses?: Record<string, { $ref?: string; content?: Content }>
}
type Description = {
  paths: Record<string, Record<string, DescribedOperation>>
  components?: { schemas?: Record<string, Schema> }
}

/** Items of `reference` that ours does not have, such as `GET /api/part/ ?search`, `POST /api/part/ body name`, `... answer pk`. */
function findMissing(actual: Description, reference: Description): string[] {
  const ownOperations = indexOperations(actual)
  const missing: string[] = []
  for (const [key, operation] of indexOperations(reference)) {
    const own = ownOperations.get(key)
    if (!own) {
      missing.push(key)
      continue
    }
    for (const [part, names] of Object.entries(collectParts(operation, reference))) {
      const actualNames = collectParts(own, actual)[part as keyof Parts]
      for (const name of names) if (!actualNames.has(name)) missing.push(`${key} ${part === 'query' ? '?' : `${part} `}${name}`)
    }
  }
  return missing
}

type Parts = { query: Set<string>; body: Set<string>; answer: Set<string> }

function collectParts({ parameters = [], requestBody, responses = {} }: DescribedOperation, description: Description): Parts {
  const success = Object.entries(responses).filter(([status]) => /^[23]/.test(status))
  return {
    query: new Set(
      parameters.flatMap(({ in: parameterLocation, name }) => (parameterLocation === 'query' && name ? [name] : [])),
    ),
    body: collectFields(requestBody?.content, description, ({ readOnly }) => !readOnly),
    answer: new Set(
      success.flatMap(([, { content }]) => [...collectFields(content, description, ({ writeOnly }) => !writeOnly)]),
    ),
  }
}

/** Operations by method and path, whatever the names of path parameters. */
const indexOperations = ({ paths }: Description): Map<string, DescribedOperation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      METHODS.flatMap((method) =>
        methods[method] ? [[`${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`, methods[method]] as const] : [],
      ),
    ),
  )

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

type FieldFilter = (property: Schema) => boolean

/** The names of the fields in all media types, of an object or of the objects of a list, that the filter includes. */
function collectFields(content: Content | undefined, description: Description, isIncluded: FieldFilter): Set<string> {
  const names = new Set<string>()
  const schemas = description.components?.schemas ?? {}
  for (const { schema } of Object.values(content ?? {})) collect(schema, { schemas, isIncluded }, names, new Set())
  return names
}

type CollectContext = { schemas: Record<string, Schema>; isIncluded: FieldFilter }

function collect(schema: Schema | undefined, context: CollectContext, names: Set<string>, visited: Set<Schema>): void {
  if (!schema || visited.has(schema)) return
  visited.add(schema)
  const { $ref, properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema
  const referred = $ref && context.schemas[$ref.split('/').at(-1) ?? '']
  for (const child of [referred || undefined, items, ...allOf, ...anyOf, ...oneOf]) collect(child, context, names, visited)
  // looks into the envelope of a list
  if (properties.count && properties.results) collect(properties.results, context, names, visited)
  else for (const [name, property] of Object.entries(properties)) if (context.isIncluded(property)) names.add(name)
}

/** The description that clients of an API version get. */
async function describeFor(api: string): Promise<Description> {
  const { createOpenapiDocument } = await import('./app.ts')
  return JSON.parse(JSON.stringify(createOpenapiDocument(loadConfig({ WIRE_FORM: 'inventree', INVENTREE_API: api }))))
}

/** An intended difference: a regular expression for such a line, and the reason; `api`: only for this API version. */
type Exception = { where: string; why: string; api?: number }

const read = <Content>(file: string): Content => JSON.parse(readFileSync(file, 'utf8'))
const { values: options, positionals: references } = parseArgs({
  options: { api: { type: 'string' } },
  allowPositionals: true,
})
const ownDescription = options.api ? await describeFor(options.api) : read<Description>(OPENAPI)
const exceptions = read<Exception[]>(join(ROOT, 'docs/description-differences.json'))
  .filter(({ api }) => api === undefined || String(api) === options.api)
  .map(({ where }) => new RegExp(where))
if (references.length === 0) throw new Error('name the descriptions to compare with')

const missingLines = new Set(references.flatMap((file) => findMissing(ownDescription, read(file))))
const missing = [...missingLines].filter((line) => !exceptions.some((exception) => exception.test(line))).sort()
const unusedExceptions = options.api
  ? []
  : exceptions.filter((exception) => ![...missingLines].some((line) => exception.test(line)))
for (const line of missing) console.log(`missing: ${line}`)
for (const { source } of unusedExceptions) console.log(`${source} matches no missing item any more`)
console.log(
  `${indexOperations(ownDescription).size} operations are described; ${missing.length} operations, parameters and fields are missing`,
)
process.exitCode = missing.length > 0 || unusedExceptions.length > 0 ? 1 : 0
