import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder, encodeForm } from '../../testing/files.ts'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, viewer } = service

const ASSET = '/api/report/asset/'
const SNIPPET = '/api/report/snippet/'
const readFilename = async (table: string, pk: number) =>
  (await service.rows(`select filename from ${table} where pk = $1`, [pk]))[0].filename

/** Sends a multipart form. */
function upload(path: string, name: string, content: string, more: Record<string, string> = {}) {
  const field = path === ASSET ? 'asset' : 'snippet'
  const { body, headers } = encodeForm({ description: 'to try', ...more, [field]: { name, content } })
  return member.send('POST', path, body, headers)
}

describe('POST /api/report/asset/', () => {
  it('stores a file under the name that templates use, and rejects a second one of that name', async () => {
    const created = await upload(ASSET, 'logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    assert.equal(created.status, 201, created.text)
    assert.match(created.body.asset, /\/media\/report\/assets\/logo_\w+\.svg$/)
    assert.equal(await readFilename('report_asset', created.body.pk), 'logo.svg')
    const second = await upload(ASSET, 'logo.svg', 'other')
    assert.deepEqual([second.status, Object.keys(second.body)], [400, ['asset']])
    const changed = await member.patch(`${ASSET}${created.body.pk}/`, { asset: 'data:image/svg+xml;name=logo.svg,%3Csvg/%3E' })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(await readFilename('report_asset', created.body.pk), 'logo.svg')
  })

  it('stores any number of URLs and files without a name', async () => {
    const names: unknown[] = []
    for (const asset of [
      'data:text/plain,one',
      'data:text/plain,two',
      'https://files.example/a.png',
      'https://files.example/a.png',
    ]) {
      const created = await member.post(ASSET, { asset, description: 'to try' })
      assert.equal(created.status, 201, created.text)
      names.push(await readFilename('report_asset', created.body.pk))
    }
    assert.deepEqual(names, ['asset.txt', null, null, null])
  })

  it('stores a long URL unchanged, and rejects one that is too long', async () => {
    const createUrl = (length: number) => 'https://files.example/'.padEnd(length, 'x')
    const created = await member.post(ASSET, { asset: createUrl(2000), description: 'to try' })
    assert.equal(created.body.asset, createUrl(2000))
    assert.deepEqual(Object.keys((await member.post(ASSET, { asset: createUrl(2001), description: 'to try' })).body), ['asset'])
  })

  it('requires the permission to change anything', () =>
    assertCallers(service, (client) => client.post(ASSET, { asset: 'https://files.example/a.png', description: 'x' }), [
      'member',
      'superuser',
    ]))
})

describe('GET /api/report/asset/', () => {
  it('requires only an account, also for the files', async () => {
    await assertCallers(service, (client) => client.get(ASSET), ['nobody', 'viewer', 'member', 'staff', 'superuser'])
    const created = await upload(ASSET, 'paper.txt', 'A4')
    const file = await service.nobody.get(new URL(created.body.asset).pathname)
    assert.deepEqual([file.status, file.text], [200, 'A4'])
  })
})

describe('POST /api/report/snippet/', () => {
  it('rejects a syntax error, another file type, and a name in use', async () => {
    const created = await upload(SNIPPET, 'closing.html', '{{ reference }} {% teleport %}')
    assert.equal(created.status, 201, created.text)
    assert.match(created.body.problems[0], /teleport/)
    for (const [name, text] of [
      ['broken.html', '{% if %}'],
      ['picture.png', 'x'],
      ['closing.html', 'again'],
    ] as const) {
      const { status, body } = await upload(SNIPPET, name, text)
      assert.deepEqual([status, Object.keys(body)], [400, ['snippet']], name)
    }
    assert.equal((await viewer.get(`${SNIPPET}${created.body.pk}/`)).status, 200)
  })
})
