import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { readPdf } from '../../../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../../../testing/printing.ts'
import { assertCallers, type Client, PASSWORD, testService } from '../../../../testing/service.ts'

const service = await testService(await preparePrinting())
const { member, superuser, nobody } = service
const PATH = '/api/web/template/preview/'
const SOURCE = '<b>{{ part.name }}</b>'

let part: number
before(async () => {
  const { body: category } = await superuser.post('/api/part/category/', { name: 'Parts' })
  part = (await superuser.post('/api/part/', { name: 'Flux capacitor', category: category.pk })).body.pk
})

const preview = (body: object, client: Client = member) =>
  client.post(PATH, { kind: 'label/part', template: 1, ...body }, { accept: 'application/problem+json' })

/** A preview as a file. */
async function readFile(body: object) {
  const response = await service.app.inject({
    method: 'POST',
    url: PATH,
    headers: { authorization: `Basic ${btoa(`member:${PASSWORD}`)}` },
    payload: { kind: 'label/part', template: 1, ...body },
  })
  assert.equal(response.statusCode, 200, response.payload)
  return { type: response.headers['content-type'], headers: response.headers, bytes: response.rawPayload }
}

/** The errors of a text with their lines. */
async function readErrors(source: string) {
  const { status, body } = await preview({ source })
  assert.equal(status, 400)
  return body.field_errors.map(({ pointer, code, parameters }: any) => [pointer, code, parameters.line, parameters.column])
}

describe('POST /api/web/template/preview/', { skip: printingUnsupported }, () => {
  it('shows a label as a picture of its size, with values that are not saved', async () => {
    const { type, bytes } = await readFile({ source: SOURCE, item: part, width: 100, height: 30 })
    assert.equal(type, 'image/png')
    const { width = 0, height = 1 } = await sharp(bytes).metadata()
    assert.ok(Math.abs(width / height - 100 / 30) < 0.05, `${width} × ${height}`)
    const [stored] = await service.rows('select label, width::float from part_label where pk = 1')
    assert.deepEqual(stored, { label: 'label/inventree/part/part_label.html', width: 70 })
    assert.deepEqual(await service.rows('select from printed_file'), [])
  })

  it('shows a report as a PDF, of one object or of sample data, with its size and file name', async () => {
    const report = { kind: 'report/bom', source: '<p>{{ part.name }} {{ report_name }}</p>', name: 'Draft' }
    const { type, headers, bytes } = await readFile({
      ...report,
      item: part,
      page_size: 'A3',
      landscape: true,
      filename_pattern: '{{ part.name }}.pdf',
    })
    assert.deepEqual([type, headers['content-disposition']], ['application/pdf', 'inline; filename="Flux capacitor.pdf"'])
    const [page] = await readPdf(bytes)
    assert.deepEqual([page?.text.trim(), Math.round(page?.width ?? 0)], ['Flux capacitor Draft', 420])
    const [sample] = await readPdf((await readFile({ ...report, item: null })).bytes)
    assert.match(sample?.text ?? '', /Sample assembly/)
  })

  it('returns every error with its line', async () => {
    assert.deepEqual(await readErrors('<p>\n  {{ part.name'), [['/source', 'template_line_error', 2, 3]])
    assert.deepEqual(await readErrors('<p>\n{% teleport part %}\n{{ part.name | shout }}'), [
      ['/source', 'template_line_error', 2, 1],
      ['/source', 'template_line_error', 3, 14],
    ])
    assert.deepEqual(await readErrors('x\n{% include "snippets/none.html" %}'), [['/source', 'template_line_error', 2, 1]])
    assert.deepEqual(await readErrors('{{ "" | asset }}').then(([[pointer]]: any) => pointer), '/source')
  })

  it('rejects invalid input, naming the field', async () => {
    for (const [field, body] of [
      ['kind', { kind: 'label/none' }],
      ['kind', { kind: undefined }],
      ['template', { template: undefined }],
      ['source', { source: undefined }],
      ['source', { source: 7 }],
      ['source', { source: 'x'.repeat(1_000_001) }],
      ['item', { item: 99_999 }],
      ['width', { width: 1 }],
      ['height', { height: 'x' }],
      ['page_size', { page_size: 'A9' }],
    ] as const) {
      const response = await preview({ source: SOURCE, ...body })
      const pointers = response.body.field_errors?.map(({ pointer }: { pointer: string }) => pointer)
      assert.deepEqual([response.status, pointers], [400, [`/${field}`]], JSON.stringify(body).slice(0, 100))
    }
    assert.equal((await preview({ source: SOURCE, template: 99_999 })).status, 404)
  })

  it('requires the permission to change templates of the kind, and to view the object', async () => {
    await assertCallers(service, (client) => preview({ source: SOURCE }, client), ['member', 'superuser'])
    const [{ pk: group }] = await service.rows(`insert into user_group (name) values ('locations') returning pk`)
    await service.rows(
      `update rule_set set can_view = name = 'stock_location', can_change = name = 'stock_location' where "group" = $1`,
      [group],
    )
    await service.rows(`insert into user_group_member ("user", "group") values ($1, $2)`, [service.getPk('nobody'), group])
    service.app.routes.services.accounts.invalidate()
    const location = { kind: 'label/location', source: '{{ location.name }}' }
    assert.equal((await preview(location, nobody)).status, 200)
    assert.equal((await preview({ source: SOURCE }, nobody)).status, 403)
    // it shows stock, too
    assert.equal((await preview({ kind: 'report/slr', source: 'x' }, nobody)).status, 403)
    await service.rows('delete from user_group where pk = $1', [group])
    service.app.routes.services.accounts.invalidate()
  })
})

describe('the preview of a hostile text', { skip: printingUnsupported }, () => {
  /** A server in the internal network, which must not be reached. */
  let server: Server
  let url: string
  let connectionCount = 0
  before(async () => {
    server = createServer((_request, response) => response.end('the-secret'))
    server.on('connection', () => connectionCount++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())
  beforeEach(() => {
    connectionCount = 0
  })

  it('reaches no server', async () => {
    const source = `<link rel="stylesheet" href="${url}/a"><style>@import "${url}/b"; p { background: url(${url}/c) }</style>
      <p>Text</p><img src="${url}/d"><iframe src="${url}"></iframe><script>fetch('${url}')</script>`
    const [page] = await readPdf((await readFile({ kind: 'report/bom', source })).bytes)
    assert.deepEqual([page?.text.trim(), connectionCount], ['Text', 0])
  })

  it('reads no file', async () => {
    for (const source of [
      `{% include '/etc/passwd' %}`,
      `{% render '../../../etc/passwd' %}`,
      `<img src="{{ '/etc/passwd' | asset }}">`,
      `{% include 'snippets/../../etc/passwd' %}`,
    ]) {
      const { status, text } = await preview({ source })
      assert.equal(status, 400, source)
      assert.doesNotMatch(text, /root:/)
    }
    const source = '<iframe src="file:///etc/passwd"></iframe><object data="file:///etc/passwd"></object>Text'
    const [page] = await readPdf((await readFile({ kind: 'report/bom', source })).bytes)
    assert.equal(page?.text.trim(), 'Text')
  })

  it('is rejected when it takes too much time, memory or output', async () => {
    for (const source of [
      '{% for i in (1..100000000000) %}x{% endfor %}',
      `${'{% for i in (1..1000) %}'.repeat(8)}x${'{% endfor %}'.repeat(8)}`,
      `{% assign a = "aaaaaaaaaa" %}${'{% assign a = a | append: a %}'.repeat(60)}{{ a }}`,
      '<b></b>'.repeat(6_000),
    ]) {
      const { status, body } = await preview({ source })
      const pointers = body.field_errors?.map(({ pointer }: { pointer: string }) => pointer)
      assert.deepEqual([status, pointers], [400, ['/source']], source.slice(0, 60))
    }
    assert.equal((await preview({ source: SOURCE })).status, 200)
  })
})

describe('a preview whose client closes the connection', { skip: printingUnsupported }, () => {
  const send = (source: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`member:${PASSWORD}`)}` },
      body: JSON.stringify({ kind: 'label/part', template: 1, source }),
      signal,
    })

  // two of an account run at the same time: a third waits until one of them ends
  for (const [place, source] of [
    // nested loops within the limit of iterations, with a slow filter
    ['worker', `{% for i in (1..100000) %}{% assign x = i | qrcode %}{% endfor %}`],
    // Chromium takes minutes for it
    ['browser', '<table><tr><td>'.repeat(1_600)],
  ] as const)
    it(`frees its ${place}: the next preview is done before another slow one`, async () => {
      const finished: string[] = []
      const controllers = [new AbortController(), new AbortController()]
      const [aborted, slow] = controllers.map(({ signal }, index) =>
        send(source, signal).then(
          () => finished.push(`slow ${index}`),
          () => finished.push('aborted'),
        ),
      )
      // another account gets a worker and a browser of its own: when its preview is done, those of both slow ones are busy
      assert.equal((await preview({ source: SOURCE }, superuser)).status, 200)
      const quick = send(SOURCE).then(({ status }) => finished.push(`quick ${status}`))
      assert.equal((await preview({ source: SOURCE }, superuser)).status, 200)
      assert.deepEqual(finished, [])
      controllers[0]?.abort()
      await Promise.all([aborted, quick])
      assert.deepEqual(finished, ['aborted', 'quick 200'])
      controllers[1]?.abort()
      await slow
    })
})
