import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './paths.ts'

const script = join(ROOT, 'src/compare-descriptions.ts')
const folder = mkdtempSync(join(tmpdir(), 'description-'))

/** Output of the script for a description. */
function compare(paths: object, schemas: object = {}): string[] {
  const file = join(folder, 'reference.json')
  writeFileSync(file, JSON.stringify({ paths, components: { schemas } }))
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' })
  const lines = stdout.split('\n').filter((line) => line.startsWith('missing: '))
  assert.ok(status === 0 || stdout !== '', stderr)
  if (lines.length > 0) assert.equal(status, 1)
  return lines.map((line) => line.replace('missing: ', ''))
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

test('reports operations, query parameters, body fields and response fields that are missing from the published description', () => {
  const Unit = {
    type: 'object',
    properties: { pk: { readOnly: true }, name: {}, colour: {}, secret: { writeOnly: true }, worked_out: { readOnly: true } },
  }
  const unit = { $ref: '#/components/schemas/Unit' }
  const differences = compare(
    {
      '/api/units/': {
        get: {
          parameters: [
            { in: 'query', name: 'search' },
            { in: 'query', name: 'weight' },
          ],
          responses: { 200: json({ properties: { count: {}, results: { type: 'array', items: unit } } }) },
        },
        post: { requestBody: json(unit), responses: { 201: json({ allOf: [unit] }), 400: json({ properties: { other: {} } }) } },
      },
      '/api/units/{unit_pk}/': { get: { responses: { 200: json({ properties: { definition: {} } }) } } },
      '/api/nothing/{id}/': { delete: {} },
    },
    { Unit },
  )
  assert.deepEqual(differences, [
    'DELETE /api/nothing/{}/',
    'GET /api/units/ ?weight',
    'GET /api/units/ answer colour',
    'GET /api/units/ answer worked_out',
    'POST /api/units/ answer colour',
    'POST /api/units/ answer worked_out',
    'POST /api/units/ body colour',
    'POST /api/units/ body secret',
  ])
})
