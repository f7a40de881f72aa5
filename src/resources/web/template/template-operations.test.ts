import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInTemplates } from '../../../printing/defaults/built-in.ts'
import { createFilesFolder, encodeForm } from '../../../testing/files.ts'
import { assertCallers, type Client, testService } from '../../../testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, nobody, viewer } = service

const toDataUri = (text: string) => `data:text/html;name=text.html,${encodeURIComponent(text)}`
const BUILT_IN = { origin: 'shipped', name: 'Part Label', width: 70, height: 24 }
const readTemplate = async (pk: number) => {
  const { origin, name, width, height } = (await member.get(`/api/label/part/${pk}/`)).body
  return { origin, name, width, height }
}
const change = { label: toDataUri('{{ part.IPN }}'), name: 'Mine', width: 30 }

describe('the origin of a template', () => {
  it('is built in, changed once its text is, or own', async () => {
    assert.deepEqual(await readTemplate(1), BUILT_IN)
    await member.patch('/api/label/part/1/', { width: 71 })
    assert.equal((await readTemplate(1)).origin, 'shipped')
    for (const text of ['one', 'two']) {
      const { body } = await member.patch('/api/label/part/1/', { label: toDataUri(text) })
      assert.equal(body.origin, 'changed')
    }
    const { body } = await member.post('/api/label/part/', { name: 'New', label: toDataUri('x') })
    assert.equal(body.origin, 'own')
    await member.post('/api/label/part/1/reset/')
  })
})

describe('POST /api/label/part/{id}/reset/', () => {
  it('restores the text, name, description and size, and keeps filters and whether it is enabled', async () => {
    await member.patch('/api/label/part/1/', { ...change, description: 'x', filters: 'active=true', enabled: false })
    const { status, body } = await member.post('/api/label/part/1/reset/')
    assert.equal(status, 200)
    assert.deepEqual(await readTemplate(1), BUILT_IN)
    const builtIn = builtInTemplates.find(({ name }) => name === BUILT_IN.name)
    assert.deepEqual([body.description, body.filters, body.enabled], [builtIn?.description, 'active=true', false])
    const source = await member.get('/api/web/template/source/?kind=label/part&template=1')
    assert.equal(source.body.text, builtIn?.text)
    await member.patch('/api/label/part/1/', { filters: '', enabled: true })
  })

  it('is a security event with the values before and after', async () => {
    const { body } = await member.patch('/api/label/part/1/', { label: change.label, name: 'Mine' })
    await member.post('/api/label/part/1/reset/')
    const [event] = await service.rows('select kind, actor, details from security_event order by pk desc limit 1')
    const { template_kind, pk, name, label } = event.details
    assert.deepEqual([event.kind, event.actor, template_kind, pk], ['template_changed', service.getPk('member'), 'label/part', 1])
    assert.deepEqual(name, { before: 'Mine', after: 'Part Label' })
    assert.equal(label.after, 'label/inventree/part/part_label.html')
    assert.ok(body.label.endsWith(label.before))
  })

  it('restores reports, and counts the revision', async () => {
    await member.patch('/api/report/bom/1/', { template: toDataUri('x'), landscape: true })
    const { body } = await member.post('/api/report/bom/1/reset/')
    assert.deepEqual([body.origin, body.landscape], ['shipped', false])
    assert.deepEqual(await service.rows('select revision from bom_report where pk = 1'), [{ revision: 3 }])
  })

  it('rejects a template that does not come with the service, and a version that is not the current one', async () => {
    const { body: own } = await member.post('/api/label/part/', { name: 'Own', label: toDataUri('x') })
    const rejected = await member.post(`/api/label/part/${own.pk}/reset/`, {}, { accept: 'application/problem+json' })
    assert.deepEqual([rejected.status, rejected.body.field_errors?.[0]?.code], [400, 'template_not_shipped'])
    const stale = await member.get('/api/label/part/1/')
    await member.patch('/api/label/part/1/', change)
    const headers = { 'if-match': String(stale.headers.etag) }
    assert.equal((await member.post('/api/label/part/1/reset/', {}, headers)).status, 412)
    assert.equal((await readTemplate(1)).origin, 'changed')
    await member.post('/api/label/part/1/reset/')
    assert.equal((await member.post('/api/label/part/999/reset/')).status, 404)
  })

  it('requires the permission to change parts', () =>
    assertCallers(service, (client) => client.post('/api/label/part/1/reset/'), ['member', 'superuser']))
})

describe('GET /api/web/template/source/', () => {
  const read = (query: string, client: Client = member) =>
    client.get(`/api/web/template/source/?${query}`, { accept: 'application/problem+json' })

  it('returns the text of a template and of a snippet', async () => {
    const { body: own } = await member.post('/api/report/po/', {
      name: 'Own',
      description: 'x',
      template: toDataUri('Ω{{ x }}\n'),
    })
    assert.deepEqual((await read(`kind=report/po&template=${own.pk}`)).body, { text: 'Ω{{ x }}\n' })
    const snippet = await upload('snippet', 'foot.html', '<p>Foot</p>')
    assert.deepEqual((await read(`kind=report/snippet&template=${snippet}`)).body, { text: '<p>Foot</p>' })
  })

  it('rejects unknown kinds and keys, and a missing file', async () => {
    for (const [query, status] of [
      ['kind=label/none&template=1', 400],
      ['kind=label/part', 400],
      ['kind=label/part&template=x', 400],
      ['kind=label/part&template=999', 404],
    ] as const)
      assert.equal((await read(query)).status, status, query)
    await service.rows(`update part_label set label = 'label/template/part/gone.html' where pk = 2`)
    const { status, body } = await read('kind=label/part&template=2')
    assert.deepEqual([status, body.field_errors[0].code], [400, 'template_file_gone'])
    await service.rows(`update part_label set label = 'label/inventree/part/part_label_code128.html' where pk = 2`)
  })

  it('requires the permission to view parts', () =>
    assertCallers(service, (client) => read('kind=label/part&template=1', client), ['viewer', 'member', 'superuser']))
})

describe('GET /api/web/template/shipped/', () => {
  it('returns every template that comes with the service, even if it was deleted', async () => {
    const { body } = await viewer.get('/api/web/template/shipped/')
    assert.deepEqual(
      body.map(({ kind, name, text }: any) => [kind, name, text]),
      builtInTemplates.map(({ kind, name, text }) => [kind, name, text]),
    )
  })

  it('returns only those of kinds that the account can view', async () =>
    assert.deepEqual((await nobody.get('/api/web/template/shipped/')).body, []))

  it('requires an account', () =>
    assertCallers(service, (client) => client.get('/api/web/template/shipped/'), [
      'nobody',
      'viewer',
      'member',
      'staff',
      'superuser',
    ]))
})

/** Uploads a file to the library; returns its key. */
async function upload(field: 'asset' | 'snippet', name: string, content: string): Promise<number> {
  const { body, headers } = encodeForm({ description: name, [field]: { name, content } })
  const created = await member.send('POST', `/api/report/${field}/`, body, headers)
  assert.equal(created.status, 201, created.text)
  return created.body.pk
}

describe('GET /api/web/template/uses/', () => {
  it('returns the templates and snippets that name each file', async () => {
    const logo = await upload('asset', 'logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    await upload('asset', 'other.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const head = await upload('snippet', 'head.html', `<img src="{{ "logo.svg" | asset }}">`)
    const { body: label } = await member.post('/api/label/part/', {
      name: 'Headed',
      label: toDataUri(`{% include 'snippets/head.html' %}`),
    })
    // the names alone, and similar ones, are not uses
    await member.post('/api/label/part/', { name: 'No', label: toDataUri('logo.svg "xlogo.svg" "logoXsvg" "head.html"') })
    const { body } = await member.get('/api/web/template/uses/')
    assert.deepEqual(body, [
      { library: 'asset', pk: logo, kind: 'report/snippet', template: head, name: 'head.html' },
      { library: 'snippet', pk: head, kind: 'label/part', template: label.pk, name: 'Headed' },
    ])
    const { body: forNobody } = await nobody.get('/api/web/template/uses/')
    assert.deepEqual(
      forNobody.map(({ kind }: any) => kind),
      ['report/snippet'],
    )
  })
})

describe('the file name of an asset', () => {
  it('is changed, unless another asset has it or it has slashes or quotes', async () => {
    const [first, second] = [await upload('asset', 'a.txt', 'a'), await upload('asset', 'b.txt', 'b')]
    const rename = (filename: string) => member.patch(`/api/report/asset/${second}/`, { filename })
    for (const filename of ['a.txt', '../b.txt', 'b"c.txt', "b'.txt", ''])
      assert.equal((await rename(filename)).status, 400, filename)
    assert.equal((await member.get(`/api/report/asset/${second}/`)).body.filename, 'b.txt')
    assert.equal((await rename('c.txt')).body.filename, 'c.txt')
    assert.equal((await member.get(`/api/report/asset/${first}/`)).body.filename, 'a.txt')
  })
})

describe('GET /api/web/template/language/', () => {
  it('returns variables, fields, tags and filters', async () => {
    const { body } = await nobody.get('/api/web/template/language/?kind=label/stock')
    const names = body.variables.map(({ name }: any) => name)
    for (const name of ['item', 'part', 'qr_data', 'base_url']) assert.ok(names.includes(name), name)
    for (const { name, about } of body.variables) assert.match(about, /^[A-Z].*\.$/, name)
    assert.equal(body.objects['/api/stock/'].references.location, '/api/stock/location/')
    assert.ok(body.objects['/api/part/'].fields.includes('IPN'))
    const { liquid, django } = body.languages
    for (const [list, name] of [
      [liquid.tags, 'for'],
      [liquid.tags, 'endfor'],
      [liquid.filters, 'qrcode'],
      [django.tags, 'load'],
      [django.filters, 'floatformat'],
    ])
      assert.ok(list.includes(name), name)
    assert.ok(!liquid.filters.includes('raw'))
  })

  it('rejects an unknown kind', async () =>
    assert.equal((await nobody.get('/api/web/template/language/?kind=label/none')).status, 400))
})
