import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPENAPI, ROOT } from './paths.ts'

/**
 * Compares the description that is published (`generated/openapi.json`) with others of the same interface:
 *
 *     node src/compare-descriptions.ts FILE...
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

/** Items of the reference description that ours lacks, such as `GET /api/part/ ?search`, `POST /api/part/ body name`, `... answer pk`. */
function missingFrom(actual: Description, reference: Description): string[] {
  const ownOperations = operationsOf(actual)
  const missing: string[] = []
  for (const [key, operation] of operationsOf(reference)) {
    const own = ownOperations.get(key)
    if (!own) {
      missing.push(key)
      continue
    }
    for (const [part, names] of Object.entries(partsOf(operation, reference))) {
      const there = partsOf(own, actual)[part as keyof Parts]
      for (const name of names) if (!there.has(name)) missing.push(`${key} ${part === 'query' ? '?' : `${part} `}${name}`)
    }
  }
  return missing
}

type Parts = { query: Set<string>; body: Set<string>; answer: Set<string> }

function partsOf({ parameters = [], requestBody, responses = {} }: DescribedOperation, description: Description): Parts {
  const success = Object.entries(responses).filter(([status]) => /^[23]/.test(status))
  return {
    query: new Set(
      parameters.flatMap(({ in: parameterLocation, name }) => (parameterLocation === 'query' && name ? [name] : [])),
    ),
    body: fieldsOf(requestBody?.content, description, ({ readOnly }) => !readOnly),
    answer: new Set(success.flatMap(([, { content }]) => [...fieldsOf(content, description, ({ writeOnly }) => !writeOnly)])),
  }
}

/** Operations by method and path, whatever the names of path parameters. */
const operationsOf = ({ paths }: Description): Map<string, DescribedOperation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      METHODS.flatMap((method) =>
        methods[method] ? [[`${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`, methods[method]] as const] : [],
      ),
    ),
  )

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

type Counts = (property: Schema) => boolean

/** The names of the fields of any of the media types, of an object or of the objects of a list, as far as they count. */
function fieldsOf(content: Content | undefined, description: Description, counts: Counts): Set<string> {
  const names = new Set<string>()
  const schemas = description.components?.schemas ?? {}
  for (const { schema } of Object.values(content ?? {})) collect(schema, { schemas, counts }, names, new Set())
  return names
}

type CollectContext = { schemas: Record<string, Schema>; counts: Counts }

function collect(schema: Schema | undefined, context: CollectContext, names: Set<string>, visited: Set<Schema>): void {
  if (!schema || visited.has(schema)) return
  visited.add(schema)
  const { $ref, properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema
  const referred = $ref && context.schemas[$ref.split('/').at(-1) ?? '']
  for (const child of [referred || undefined, items, ...allOf, ...anyOf, ...oneOf]) collect(child, context, names, visited)
  // looks into the envelope of a list
  if (properties.count && properties.results) collect(properties.results, context, names, visited)
  else for (const [name, property] of Object.entries(properties)) if (context.counts(property)) names.add(name)
}

/** An intended difference: a regular expression for such a line, and the reason. */
type Exception = { where: string; why: string }

const read = <Content>(file: string): Content => JSON.parse(readFileSync(file, 'utf8'))
const ownDescription = read<Description>(OPENAPI)
const exceptions = read<Exception[]>(join(ROOT, 'docs/description-differences.json')).map(({ where }) => new RegExp(where))
const references = process.argv.slice(2)
if (references.length === 0) throw new Error('name the descriptions to compare with')

const missingLines = new Set(references.flatMap((file) => missingFrom(ownDescription, read(file))))
const missing = [...missingLines].filter((line) => !exceptions.some((exception) => exception.test(line))).sort()
const unusedExceptions = exceptions.filter((exception) => ![...missingLines].some((line) => exception.test(line)))
for (const line of missing) console.log(`missing: ${line}`)
for (const { source } of unusedExceptions) console.log(`nothing is missing any more that fits ${source}`)
console.log(
  `${operationsOf(ownDescription).size} operations are described; ${missing.length} operations, parameters and fields are missing`,
)
process.exitCode = missing.length + unusedExceptions.length > 0 ? 1 : 0
