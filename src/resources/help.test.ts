import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from '../paths.ts'

type Schema = {
  $ref?: string
  description?: string
  readOnly?: boolean
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}
type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } }
type Document = { paths: Record<string, Record<string, Operation>> }

const document = JSON.parse(readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8')) as Document

/** Wording for API clients, which does not belong in a form. */
const API_WORDING = [
  /`/,
  /\/api\//,
  /\bnull\b/i,
  /\b(true|false)\b/i,
  /\b[a-z]+_[a-z_]+\b/,
  /\b[A-Z]{2,}_[A-Z_]+\b/,
  /\bprimary keys?\b/i,
  /\bby (its|their) (number|key)s?\b/,
  /\bISO 8601\b/,
  /\b(JSON|URIs?|HTTP|API)\b/,
  /\b(OPTIONS|POST|PUT|PATCH|DELETE)\b|\bGET\b/,
  /\b(400|401|403|404|412)\b/,
  /\b(request|response|body)\b/,
  /(^|[,;.] )left out[,;.]/i,
]
const usesApiWording = (help: string): boolean => API_WORDING.some((pattern) => pattern.test(help))

/** Collects the help of every writable field, by operation and field path. */
function collectFieldHelp(): Map<string, string> {
  const helpByField = new Map<string, string>()
  const resolve = (schema: Schema): Schema =>
    schema.$ref
      ? resolve(
          schema.$ref
            .split('/')
            .slice(1)
            .reduce((node: any, name) => node[name.replaceAll('~1', '/')], document),
        )
      : schema
  const walk = (schemaOrRef: Schema, fieldPath: string, depth: number): void => {
    if (depth > 6) return
    const schema = resolve(schemaOrRef)
    for (const part of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) walk(part, fieldPath, depth + 1)
    if (schema.items) walk(schema.items, fieldPath, depth + 1)
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const fieldSchema = resolve(field)
      if (fieldSchema.readOnly) continue
      const help = field.description ?? fieldSchema.description
      if (help !== undefined) helpByField.set(`${fieldPath} ${name}`, help)
      walk(field, `${fieldPath} ${name}`, depth + 1)
    }
  }
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, { requestBody }] of Object.entries(operations))
      for (const { schema } of Object.values(requestBody?.content ?? {})) walk(schema, `${method} ${path}`, 0)
  return helpByField
}

describe('the help of writable fields', () => {
  const fieldHelp = collectFieldHelp()

  it('exists for the fields of every form', () => {
    assert.ok(fieldHelp.size > 1000, `${fieldHelp.size} fields`)
  })

  it('is written for people who fill in a form', () => {
    assert.deepEqual(
      [...new Map([...fieldHelp].map(([fieldPath, help]) => [help, fieldPath]))].filter(([help]) => usesApiWording(help)),
      [],
    )
  })

  it('is distinguished from help for API clients', () => {
    for (const help of [
      'The location; null to go by them.',
      'Its state, by the numbers of /api/stock/status/.',
      'The currency of purchase_price.',
      'The build order, by its primary key.',
      'Whether it is on: true or false.',
      'When it began, in ISO 8601.',
      'It fits the setting PART_IPN_REGEX.',
      'Anything else is answered 412.',
      'The price. Left out, the default.',
    ])
      assert.ok(usesApiWording(help), help)
    for (const help of [
      'How much of it, in units of its part.',
      'Such as 1-5, 7+ (and on), ~ (the next free one); empty for none.',
    ])
      assert.ok(!usesApiWording(help), help)
  })
})
