import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder, encodeForm } from '../testing/files.ts'
import { testService } from '../testing/service.ts'

/** Templates as existing clients send them: docs/configuration.md#wire-form. */
const { dataDir } = createFilesFolder()
const service = await testService({ DATA_DIR: dataDir, WIRE_FORM: 'inventree' })
const { superuser } = service

/** Uploads a template's file as existing clients do: as multipart, together with text fields. */
const sendFile = (method: 'POST' | 'PATCH', path: string, field: string, text: string, texts: Record<string, string> = {}) => {
  const { body, headers } = encodeForm({ ...texts, [field]: { name: 'a.html', content: text } })
  return superuser.send(method, path, body, headers)
}

async function create(path: string, fields: object): Promise<number> {
  const response = await superuser.post(path, fields)
  assert.equal(response.status, 201, response.text)
  return response.body.pk
}

describe('WIRE_FORM=inventree: a template with a syntax error', () => {
  const broken = '<p>\n{% if part %}'

  for (const [path, field, item] of [
    ['/api/label/stock/', 'label', 'item'],
    ['/api/report/slr/', 'template', 'location'],
  ] as const)
    it(`is stored by ${path}, and printing it reports the error and its line`, async () => {
      const location = await create('/api/stock/location/', { name: `Shelf ${item}` })
      const category = await create('/api/part/category/', { name: `Bolts ${item}` })
      const part = await create('/api/part/', { name: `Bolt ${item}`, category })
      const pk = item === 'item' ? await create('/api/stock/', { part, location, quantity: 1 }) : location
      const response = await sendFile('POST', path, field, broken, { name: 'Broken', description: 'To try.' })
      assert.equal(response.status, 201, response.text)
      assert.match(response.body.problems[0], /line 2, column 1/)
      assert.equal((await superuser.get(response.body[field])).text, broken)
      const templateUrl = `${path}${response.body.pk}/`
      const printed = await superuser.get(`${templateUrl}print/?${item}=${pk}`)
      assert.equal(printed.status, 400, printed.text)
      assert.match(printed.body.non_field_errors.join(' '), /"Broken" cannot be printed.*line 2, column 1/)
      const repaired = await sendFile('PATCH', templateUrl, field, '<p>Mended</p>')
      assert.deepEqual([repaired.status, repaired.body.problems], [200, []])
      assert.equal((await sendFile('PATCH', templateUrl, field, broken)).status, 200)
    })

  it('is stored as a snippet too', async () => {
    const response = await sendFile('POST', '/api/report/snippet/', 'snippet', broken, { description: 'To try.' })
    assert.equal(response.status, 201, response.text)
    assert.match(response.body.problems[0], /line 2, column 1/)
  })
})
