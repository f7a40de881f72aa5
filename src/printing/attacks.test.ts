import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { readPdf } from '../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../testing/printing.ts'
import { PASSWORD, testService } from '../testing/service.ts'
import { scaleTimeout } from '../testing/slowness.ts'

// Attacks by users who can write templates, or only the data that is printed: from the API request to the finished PDF.

const { DATA_DIR } = await preparePrinting()
process.env.STOCKROOM_TEST_SECRET = 'the-secret-of-the-process'
const service = await testService({ DATA_DIR, PRINT_SECONDS: '5', PRINT_MEMORY_MB: '768' })
const { superuser } = service
const SECRET = /the-secret|root:|function|native code/

/** A server in the internal network, which must not be reached. */
let server: Server
let internalUrl: string
let connectionCount = 0
let category: number
let innocentPart: number
before(async () => {
  server = createServer((_request, response) => response.end('the-secret-of-the-network'))
  server.on('connection', () => connectionCount++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  internalUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  writeFileSync(join(DATA_DIR, 'secret.txt'), 'the-secret-of-a-file')
  category = (await superuser.post('/api/part/category/', { name: 'Parts' })).body.pk
  innocentPart = await createPart({ name: 'Innocent' })
})
after(() => server.close())
beforeEach(() => {
  connectionCount = 0
})

/** Creates a part with texts that bypass validation, as an imported dump may contain them. */
async function createPart({ name, notes }: { name: string; notes?: string }): Promise<number> {
  const created = await superuser.post('/api/part/', { category, name: `Part ${++partCount}` })
  assert.equal(created.status, 201, created.text)
  await service.rows('update part set name = $1, description = $1, notes = $2 where pk = $3', [name, notes, created.body.pk])
  return created.body.pk
}
let partCount = 0

type PrintResult = { status: number; text: string; file?: string }

/** Prints a label of a part with this template: returns the text of the PDF, or the error. */
async function print(label: string, part = innocentPart, fields: object = {}): Promise<PrintResult> {
  const file = `data:text/html;base64,${Buffer.from(label).toString('base64')}`
  const created = await superuser.post('/api/label/part/', { name: 'Attack', width: 200, height: 100, label: file, ...fields })
  if (created.status !== 201) return created
  const printed = await superuser.get(`/api/label/part/${created.body.pk}/print/?part=${part}`)
  if (printed.status !== 200) return printed
  const url = new URL(printed.body.file).pathname
  const headers = { authorization: `Basic ${btoa(`superuser:${PASSWORD}`)}` }
  const { rawPayload } = await service.app.inject({ method: 'GET', url, headers })
  return { status: 200, text: (await readPdf(rawPayload)).map(({ text }) => text).join('\n'), file: url }
}

const assertPrints = async () => assert.equal((await print('<p>{{ part.name }}</p>')).text, 'Innocent')

/** Uploads an asset, and returns its name in templates. */
async function uploadAsset(name: string, body: Buffer | string): Promise<string> {
  const form = new FormData()
  form.set('description', name)
  form.set('asset', new Blob([Buffer.from(body)]), name)
  const request = new Request('http://x/', { method: 'POST', body: form })
  const created = await superuser.send('POST', '/api/report/asset/', Buffer.from(await request.arrayBuffer()) as never, {
    'content-type': request.headers.get('content-type') as string,
  })
  assert.equal(created.status, 201, created.text)
  return `{{ "${name}" | asset }}`
}

describe('a template', { skip: printingUnsupported }, () => {
  it('accesses nothing of the program', async () => {
    const expressions = [
      'part.constructor',
      'part.constructor.constructor("return process.env")',
      'part.__proto__',
      'part.name["constructor"]["constructor"]',
      'part | map: "constructor"',
      'process.env.STOCKROOM_TEST_SECRET',
      'global.process.env',
      'this.constructor',
      'config.secretKey',
      'request.headers',
      'user.password',
      'user.token',
    ]
    const { status, text } = await print(expressions.map((one) => `<p>[{{ ${one} }}]</p>`).join(''))
    if (status === 200) assert.match(text.replaceAll(/\s/g, ''), /^(\[\])+$/)
    assert.doesNotMatch(text, SECRET)
    for (const filter of ['json', 'inspect', 'raw', 'constructor', '__proto__', 'toString'])
      assert.equal((await print(`{{ part | ${filter} }}`)).status, 400, filter)
  })

  it('reads no files', async () => {
    const secret = join(DATA_DIR, 'secret.txt')
    const paths = ['/etc/passwd', '../../../../../../etc/passwd', secret, `snippets/../../${secret}`, pathToFileURL(secret).href]
    const templates = paths.flatMap((path) => [
      ...['include', 'render', 'layout', 'extends'].map((tag) => `{% ${tag} '${path}' %}`),
      `<img src="{{ '${path}' | asset }}">`,
    ])
    for (const template of templates) {
      const { status, text } = await print(template)
      assert.equal(status, 400, template)
      assert.doesNotMatch(text, SECRET)
    }
  })

  it('reaches no server and no file through its content', async () => {
    const file = pathToFileURL(join(DATA_DIR, 'secret.txt')).href
    for (const url of [
      internalUrl,
      internalUrl.replace('127.0.0.1', 'localhost'),
      internalUrl.replace('127.0.0.1', '0x7f.1'),
      file,
    ]) {
      const { status, text } = await print(`<link rel="stylesheet" href="${url}/a"><link rel="preconnect" href="${url}">
        <style>@import "${url}/b"; .x { background: url(${url}/c) } @font-face { font-family: q; src: url(${url}/d) } p { font-family: q }</style>
        <p class="x">Text</p><img src="${url}/e"><iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}">
        <meta http-equiv="refresh" content="0; url=${url}"><script>fetch('${url}'); document.body.append('the-secret')</script>`)
      assert.deepEqual([status, text, connectionCount], [200, 'Text', 0], url)
    }
  })

  it('shows only stored files that it references by their proper names', async () => {
    const name = await uploadAsset(
      'other.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text y="20">the-secret</text></svg>',
    )
    const { text: printedText } = await print(`<img src="${name}">`)
    assert.match(printedText, SECRET, 'a named asset is not shown, so this test proves nothing')
    const { body } = await superuser.get('/api/report/asset/?limit=1')
    const path = new URL(body.results[0].asset).pathname
    for (const address of [path, path.slice(1), `https://stockroom.invalid${path}`, `${path}?x`, `//stockroom.invalid${path}`])
      assert.doesNotMatch((await print(`<img src="${address}">`)).text, SECRET, address)
  })

  it('writes only its PDF, under a name chosen by the service', async () => {
    const { file } = await print('x', innocentPart, { filename_pattern: '../../../../evil{{ "/../evil" }}.html' })
    assert.match(file ?? '', /^\/media\/label\/output\/[^/]+\.pdf$/)
    assert.ok(!existsSync(join(DATA_DIR, 'evil.html')))
  })
})

/** A list with thousands of entries that are the same long string. */
const HUGE_LIST = `{% assign long = "Ω" %}{% for i in (1..17) %}{% assign long = long | append: long %}{% endfor %}{% assign list = "a,b" | split: "," %}{% for i in (1..60) %}{% assign list = list | push: long %}{% endfor %}{% for i in (1..6) %}{% assign list = list | concat: list %}{% endfor %}{{ list }}`

describe('a template that needs too many resources', { skip: printingUnsupported }, () => {
  const bombs: Record<string, string | (() => Promise<string>)> = {
    'a loop without end': '{% for i in (1..100000000000) %}x{% endfor %}',
    'nested loops': `${'{% for i in (1..1000) %}'.repeat(8)}x${'{% endfor %}'.repeat(8)}`,
    'a number of a billion digits': '{{ "1e999999999" | plus: 1 }}{{ "1e3000000" | times: 2 | number }}',
    'a number of a billion digits, in Django syntax':
      '{% load report %}{% add "1e999999999" 1 %}{{ "1e3000000"|floatformat:2 }}{{ "1e99999999"|add:1 }}',
    'strings that take gigabytes together': HUGE_LIST,
    'a string that keeps growing': `{% assign a = "aaaaaaaaaa" %}${'{% assign a = a | append: a %}'.repeat(60)}{{ a }}`,
    'thousands of pages': '{% for i in (1..60000) %}<p style="break-before: page">x</p>{% endfor %}',
    'an endless page': '<div style="height: 1e9mm; width: 1e9mm; background: red">x</div>'.repeat(50),
    'nested elements': '<div>'.repeat(200_000),
    'nested tables': '<table><tr><td>'.repeat(20_000),
    'a grid of millions':
      '<div style="display: grid; grid-template: repeat(10000, 1px) / repeat(10000, 1px)"><p style="grid-area: 9999 / 9999">x</div>',
    'a picture that is huge in memory': async () => {
      const create = { width: 16_000, height: 16_000, channels: 3, background: 'red' } as const
      const picture = await sharp({ create, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer()
      const name = await uploadAsset('bomb.png', picture)
      return Array.from({ length: 4 }, (_, index) => `<img src="${name}#${index}" style="width: ${20 + index}mm">`).join('')
    },
    'entities of entities': async () => {
      const entities = Array.from({ length: 12 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`).join('')
      const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e0 "lol">${entities}]><svg xmlns="http://www.w3.org/2000/svg"><text>&e12;</text></svg>`
      return `<img src="${await uploadAsset('lol.svg', svg)}">`
    },
    'shapes of shapes': async () => {
      const level = (index: number) => `<g id="g${index + 1}">${`<use href="#g${index}"/>`.repeat(10)}</g>`
      const svg = `<svg xmlns="http://www.w3.org/2000/svg"><g id="g0"><rect width="1" height="1"/></g>${Array.from({ length: 9 }, (_, index) => level(index)).join('')}</svg>`
      return svg
    },
  }
  for (const [name, bomb] of Object.entries(bombs))
    it(`is rejected or printed in time (${name}), while other requests are served and printed afterwards`, {
      timeout: scaleTimeout(90_000),
    }, async () => {
      const label = typeof bomb === 'string' ? bomb : await bomb()
      let isDone = false
      const printed = print(label).finally(() => {
        isDone = true
      })
      let slowest = 0
      while (!isDone) {
        const startTime = performance.now()
        await pause(5)
        assert.equal((await service.app.inject({ method: 'GET', url: '/livez' })).statusCode, 200)
        slowest = Math.max(slowest, performance.now() - startTime)
      }
      const { status, text } = await printed
      assert.ok(status === 200 || status === 400, `${status} ${text.slice(0, 200)}`)
      assert.ok(slowest < 3_000, `the service was blocked for ${slowest} ms`)
      await assertPrints()
    })
})

describe('printed data', { skip: printingUnsupported }, () => {
  it('is shown literally, whatever it contains', async () => {
    const names = [
      '<script>document.body.append("the-secret")</script>',
      `"><img src="x" onerror="document.body.append('the-secret')">`,
      '{{ process.env.STOCKROOM_TEST_SECRET }}{% include "/etc/passwd" %}',
      '</style></div></body><h1>',
      "'; } body { display: none } a { content: '",
    ]
    for (const name of names) {
      const part = await createPart({ name })
      const { status, text } = await print(
        '<style>p::after { content: "{{ part.name }}" }</style><p title="{{ part.name }}">{{ part.name }}</p>',
        part,
      )
      assert.equal(status, 200, text)
      assert.ok(text.replaceAll(/\s/g, '').startsWith(name.replaceAll(/\s/g, '')), `${name}: ${text}`)
      assert.doesNotMatch(text.replaceAll(name, '').replaceAll(/\s/g, ''), /the-secret-of|root:/)
    }
  })

  it('loads and runs nothing if an InvenTree template outputs it unescaped', async () => {
    const notes = `<script>document.body.append('the-secret')</script><img src="${internalUrl}/a" onerror="document.body.append('the-secret')"><b>Text</b>`
    const part = await createPart({ name: 'With HTML', notes })
    const { status, text } = await print(
      '{% load report %}<p>{{ part.notes|safe }}{% autoescape off %}{{ part.notes }}{% endautoescape %}</p>',
      part,
    )
    assert.deepEqual([status, text.replaceAll(/\s/g, ''), connectionCount], [200, 'TextText', 0])
  })

  it('loads nothing through notes', async () => {
    const notes = `![x](${internalUrl}/a) <img src="${internalUrl}/b"> [x](javascript:alert(1)) <script>document.body.append('the-secret')</script> Text`
    const part = await createPart({ name: 'With notes', notes })
    const { status, text } = await print('<div>{{ part.notes | markdown }}</div>', part)
    assert.deepEqual([status, connectionCount], [200, 0], text)
  })
})

describe('one account with many prints', { skip: printingUnsupported }, () => {
  const dataUri = (html: string) => `data:text/html;base64,${Buffer.from(html).toString('base64')}`
  /** Chromium takes minutes to render it. */
  const heavyHtml = '<table><tr><td>'.repeat(1_600)
  let [slowLabel, quickLabel, report] = [0, 0, 0]
  before(async () => {
    const create = async (path: string, body: object) => (await superuser.post(path, body)).body.pk
    const size = { width: 60, height: 30 }
    slowLabel = await create('/api/label/part/', { name: 'Slow', ...size, label: dataUri(heavyHtml) })
    quickLabel = await create('/api/label/part/', { name: 'Quick', ...size, label: dataUri('{{ part.name }}') })
    report = await create('/api/report/bom/', { name: 'Slow', description: 'x', template: dataUri(heavyHtml.repeat(20)) })
  })

  /** Asserts that others can print before all of these prints are done. */
  async function assertOthersPrint(flood: Promise<{ status: number; text: string }>[]): Promise<void> {
    let doneCount = 0
    for (const request of flood) void request.finally(() => doneCount++)
    for (const path of ['print', 'preview', 'print']) {
      const { status, text } = await service.member.get(`/api/label/part/${quickLabel}/${path}/?part=${innocentPart}`)
      assert.equal(status, 200, text)
    }
    assert.ok(doneCount < flood.length, 'others waited for the whole flood')
    for (const request of flood) {
      const { status, text } = await request
      assert.ok(status === 400 || status === 503, `${status} ${text.slice(0, 200)}`)
    }
  }

  it('does not block others with labels, previews or reports', { timeout: 240_000 }, async () => {
    const label = (path: string) => superuser.get(`/api/label/part/${slowLabel}/${path}/?part=${innocentPart}`)
    await assertOthersPrint([...Array.from({ length: 6 }, () => label('print')), label('preview'), label('preview')])
    await assertOthersPrint(
      Array.from({ length: 6 }, () => superuser.get(`/api/report/bom/${report}/print/?part=${innocentPart}`)),
    )
  })

  it('is rejected for labels of 50,000 elements, however many are waiting', { timeout: 120_000 }, async () => {
    const nested = '{% for i in (1..50000) %}<div>{% endfor %}'
    for (const { status, text } of await Promise.all(Array.from({ length: 6 }, () => print(nested)))) {
      assert.equal(status, 400)
      assert.match(text, /at most 5000 elements/)
    }
  })
})
