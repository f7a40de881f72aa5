// Over 400 lines: tests every way of printing labels on one service and its browser.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import sharp from 'sharp'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { assertCallers, type Client, PASSWORD, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { sweep } from '../background-task/housekeeping.ts'

const { DATA_DIR } = await preparePrinting()
addPlugin(
  'printer',
  `labels: {
  async print(job, { log }) {
    if (job.options.fail) throw new Error('no paper')
    const { pdf, filename, template, items, options, copies } = job
    const kind = String.fromCharCode(...pdf.slice(0, 5))
    return { message: JSON.stringify({ kind, filename, template: template.name, items: items.map(({ name }) => name), options, copies }) }
  },
}`,
)
addPlugin(
  'variables',
  `report: { variables: (template, item) => ({ extra: template.name + ' of ' + item.name, name: 'hidden' }) }`,
)
const disk = { isLow: false }
const service = await testService({ DATA_DIR, CORS_ORIGINS: 'https://shop.example' }, { disk })
const { member, superuser, viewer } = service
const { services } = service.app.routes

/** Adds a plugin in its own folder. */
function addPlugin(slug: string, hooks: string): void {
  const folder = join(DATA_DIR, 'plugins', slug)
  mkdirSync(folder, { recursive: true })
  const manifest = `slug: '${slug}', name: '${slug}', title: '${slug}', version: '1.0.0', description: 'To try.', author: 'Tests'`
  writeFileSync(join(folder, 'index.js'), `export default { ${manifest}, ${hooks} }`)
}

const toDataUri = (text: string) => `data:text/html,${encodeURIComponent(text)}`
const PATH = '/api/label/part/'

const parts: number[] = []
let template: number
before(async () => {
  const { body: category } = await superuser.post('/api/part/category/', { name: 'Parts' })
  for (const name of ['One', 'Two', 'Three'])
    parts.push((await superuser.post('/api/part/', { name, category: category.pk })).body.pk)
  template = await create({ label: toDataUri('<p>{{ part.name }}: {{ qr_data }}</p>') })
})

async function create(fields: object = {}, path = PATH): Promise<number> {
  const createdLabel = await superuser.post(path, { name: 'A label', width: 60, height: 30, ...fields })
  assert.equal(createdLabel.status, 201, createdLabel.text)
  return createdLabel.body.pk
}

/** Downloads the file that a response names, and returns its pages. */
async function readPages({ body }: { body: { file: string } }, client: Client = member) {
  const path = body.file.startsWith('/') ? body.file : new URL(body.file).pathname
  const fileResponse = await service.app.inject({ method: 'GET', url: path, headers: await createAuthorizationHeader(client) })
  assert.equal(fileResponse.statusCode, 200, fileResponse.payload)
  assert.equal(fileResponse.headers['content-type'], 'application/pdf')
  return readPdf(fileResponse.rawPayload)
}

async function createAuthorizationHeader(client: Client) {
  const { body } = await client.get('/api/user/token/')
  return { authorization: `Token ${body.token}` }
}

const print = (query: string, client: Client = member, pk = template) => client.get(`${PATH}${pk}/print/${query}`)

describe('GET /api/label/part/{id}/print/', { skip: printingUnsupported }, () => {
  it('makes one PDF with a label for each part, in the requested order', async () => {
    const [one, two, three] = parts
    const response = await print(`?parts=${three},${one}&parts=${two}`)
    const { file, ...rest } = response.body
    assert.deepEqual([response.status, rest], [200, { success: true, message: '3 labels generated' }])
    assert.equal(response.headers.plugin, 'inventreelabel')
    assert.match(file, /^http:\/\/.*\/media\/label\/output\/\w+\.pdf$/)
    const pages = await readPages(response)
    assert.deepEqual(
      pages.map(({ text }) => text),
      [`Three: {"part": ${three}}`, `One: {"part": ${one}}`, `Two: {"part": ${two}}`],
    )
    for (const { width, height } of pages) {
      assert.ok(Math.abs(width - 60) < 0.5, `${width} mm`)
      assert.ok(Math.abs(height - 30) < 0.5, `${height} mm`)
    }
  })

  it('prints the requested copies, each next to its original', async () => {
    const pages = await readPages(await print(`?part=${parts[0]}&part=${parts[1]}&copies=2`))
    assert.deepEqual(
      pages.map(({ text }) => text.split(':')[0]),
      ['One', 'One', 'Two', 'Two'],
    )
    for (const copies of ['0', '101', 'x', '1.5']) {
      const { status, body } = await print(`?part=${parts[0]}&copies=${copies}`)
      assert.deepEqual([status, Object.keys(body)], [400, ['copies']], copies)
    }
  })

  it('prints one sample when no part is named, and states that it is a sample', async () => {
    const response = await print('')
    assert.equal(response.body.message, '1 sample label generated')
    assert.deepEqual(
      (await readPages(response)).map(({ text }) => text),
      ['Sample part: {"part": 0}'],
    )
    assert.equal((await print(`?part=${parts[0]}`)).body.message, '1 label generated')
  })

  it('prints no sample for an empty list', async () => {
    for (const query of ['parts=', 'part[]=', 'part=,']) {
      const { status, body } = await print(`?${query}`)
      assert.deepEqual([status, Object.keys(body)], [400, [query.split('=')[0]]], query)
    }
  })

  it('shows the thumbnail of a part that was never requested before', async () => {
    const bytes = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const image = `data:image/png;base64,${bytes.toString('base64')}`
    const { pk, thumbnail } = (await superuser.patch(`/api/part/${parts[0]}/`, { image })).body
    const picture = await create({ label: toDataUri('<img src="{{ part | thumbnail }}" style="width: 60mm; height: 60mm">') })
    const thumbnailResponse = await service.app.inject({
      method: 'GET',
      url: `${PATH}${picture}/preview/?part=${pk}`,
      headers: await createAuthorizationHeader(member),
    })
    const { dominant } = await sharp(thumbnailResponse.rawPayload).stats()
    assert.ok(dominant.r > 240 && dominant.g < 20, JSON.stringify({ dominant, thumbnail }))
  })

  it("stores the template as the account's default", async () => {
    await print(`?part=${parts[0]}`, viewer)
    const { body } = await viewer.get('/api/settings/user/DEFAULT_PART_LABEL_TEMPLATE/')
    assert.equal(Number(body.value), template)
  })

  it('rejects missing objects, naming the field', async () => {
    for (const query of ['part=99999', `parts[]=${parts[0]},99999`, 'part=x']) {
      const { status, body } = await print(`?${query}`)
      assert.deepEqual([status, Object.keys(body)], [400, [query.split('=')[0]]], query)
    }
    assert.equal((await print('', member, 99_999)).status, 404)
  })

  it('rejects a disabled template and one that does not apply, naming it', async () => {
    const disabledTemplate = await create({ name: 'Old one', label: toDataUri('x'), enabled: false })
    const disabled = await print(`?part=${parts[0]}`, member, disabledTemplate)
    assert.match(disabled.body.non_field_errors[0], /"Old one" is disabled/)
    const filteredTemplate = await create({ name: 'Picky', label: toDataUri('x'), filters: 'name=Two' })
    const mismatchResponse = await print(`?parts=${parts.join()}`, member, filteredTemplate)
    assert.equal(mismatchResponse.status, 400)
    assert.match(
      mismatchResponse.body.non_field_errors[0],
      new RegExp(`"Picky" does not apply to part ${parts[0]}, ${parts[2]}: its filters are name=Two`),
    )
    assert.equal((await print(`?part=${parts[1]}`, member, filteredTemplate)).status, 200)
  })

  it('rejects a template with unknown tags, and names them', async () => {
    const odd = await create({ label: toDataUri('{% teleport %}') })
    const { status, body } = await print(`?part=${parts[0]}`, member, odd)
    assert.equal(status, 400)
    assert.match(body.non_field_errors.join(' '), /teleport/)
  })

  it('fetches templates only from the configured hosts', async () => {
    const remoteTemplate = await create({ label: 'http://127.0.0.1:9/label.html' })
    const { status, body } = await print(`?part=${parts[0]}`, member, remoteTemplate)
    assert.deepEqual([status, Object.keys(body)], [400, ['label']])
    assert.match(body.label[0], /FILE_HOSTS/)
  })

  it('includes snippets, and rejects a missing one', async () => {
    const snippet = `data:text/html;name=mark.html,${encodeURIComponent('of {{ part.name }} by {{ who }}')}`
    await superuser.post('/api/report/snippet/', { snippet, description: 'to try' })
    const pk = await create({ label: toDataUri(`Label {% render 'snippets/mark.html', part: part, who: 'us' %}`) })
    const [page] = await readPages(await print(`?part=${parts[0]}`, member, pk))
    assert.equal(page?.text, 'Label of One by us')
    const brokenTemplate = await create({
      label: toDataUri(`{% extends "label/nosuch.html" %}\n{% include 'snippets/lost.html' %}{% include 'snippets/mark.html' %}`),
    })
    assert.deepEqual((await member.get(`${PATH}${brokenTemplate}/`)).body.problems, [
      'The template "label/nosuch.html" to include or extend does not exist. (line 1, column 1)',
      'The template "snippets/lost.html" to include or extend does not exist. (line 2, column 1)',
    ])
    const { status, body } = await print(`?part=${parts[0]}`, member, brokenTemplate)
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
  })

  it('rejects a template whose file is missing, whatever path an import gave it', async () => {
    const pk = await create({ label: toDataUri('x') })
    for (const path of ['label/template/part/gone.html', '../../etc/passwd', '', '/etc/passwd', 'label/../../x.html']) {
      await service.rows('update part_label set label = $1 where pk = $2', [path, pk])
      const { status, body } = await print(`?part=${parts[0]}`, member, pk)
      assert.deepEqual([status, Object.keys(body)], [400, ['label']], path)
    }
    await service.rows(`insert into report_snippet (snippet, filename, description) values ('../../etc/passwd', 'odd.html', '')`)
    const odd = await create({ label: toDataUri(`{% include 'snippets/odd.html' %}`) })
    assert.equal((await print(`?part=${parts[0]}`, member, odd)).status, 400)
  })

  it('stores nothing while the disk is nearly full, and reports that', async () => {
    disk.isLow = true
    const count = await countFiles()
    assert.equal((await print(`?part=${parts[0]}`)).status, 507)
    disk.isLow = false
    assert.equal(await countFiles(), count)
  })

  it('rejects requests from another site, with any credentials', async () => {
    const [session, token] = [{ cookie: await signIn('member') }, await createAuthorizationHeader(member)]
    const printWith = (credentials: Record<string, string>, headers: Record<string, string>) =>
      service.anonymous.get(`${PATH}${template}/print/`, { ...credentials, ...headers })
    for (const credentials of [session, token]) {
      assert.equal((await printWith(credentials, { 'sec-fetch-site': 'cross-site' })).status, 403)
      assert.equal(
        (await printWith(credentials, { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' })).status,
        403,
      )
      assert.equal((await printWith(credentials, { 'sec-fetch-site': 'cross-site', origin: 'https://shop.example' })).status, 200)
      assert.equal((await printWith(credentials, { 'sec-fetch-site': 'same-origin' })).status, 200)
      assert.equal((await printWith(credentials, { 'sec-fetch-site': 'none' })).status, 200)
    }
  })

  it('requires the permission to view parts', () =>
    assertCallers(service, (client) => print(`?part=${parts[0]}`, client), ['viewer', 'member', 'superuser'], countFiles))
})

const countFiles = async () => (await service.rows('select count(*) from printed_file'))[0].count

/** Signs in and returns the session's cookie. */
async function signIn(username: string): Promise<string> {
  const response = await service.anonymous.post('/api/auth/login/', { username, password: PASSWORD })
  assert.equal(response.status, 200, response.text)
  const [cookie = ''] = [response.headers['set-cookie']].flat() as string[]
  return cookie.split(';')[0] as string
}

describe('a printed file', { skip: printingUnsupported }, () => {
  it('is available to the account that printed it, and to staff', async () => {
    const { body } = await print(`?part=${parts[0]}`)
    const { pathname } = new URL(body.file)
    for (const [name, status] of Object.entries({
      member: 200,
      staff: 200,
      superuser: 200,
      viewer: 404,
      nobody: 404,
      anonymous: 401,
    }))
      assert.equal((await service[name as 'member'].get(pathname)).status, status, name)
  })

  it('is deleted after the configured number of days, with its row', async () => {
    const [old, fresh] = [await print(`?part=${parts[0]}`), await print(`?part=${parts[0]}`)]
    const getFilePath = ({ body }: { body: { file: string } }) => new URL(body.file).pathname.slice('/media/'.length)
    await service.rows(`update printed_file set created = now() - interval '5 days 1 minute' where file = $1`, [getFilePath(old)])
    await sweep(services)
    await waitUntil(async () => (await services.files.find(getFilePath(old))) === undefined, 'the file is removed')
    assert.equal((await member.get(`/media/${getFilePath(old)}`)).status, 404)
    assert.equal((await member.get(`/media/${getFilePath(fresh)}`)).status, 200)
  })
})

describe('POST /api/label/part/{id}/print/', { skip: printingUnsupported }, () => {
  const send = (query: string, body: object = {}) => member.post(`${PATH}${template}/print/${query}`, body)

  it('reads the copies from the body', async () => {
    assert.equal((await readPages(await send(`?part=${parts[0]}`, { copies: 3 }))).length, 3)
    assert.deepEqual(Object.keys((await send(`?part=${parts[0]}`, { copies: 0 })).body), ['copies'])
  })

  it('rejects a body that names objects to print', async () => {
    for (const body of [{ parts: [parts[0]] }, { part: parts[0] }, { 'parts[]': [] }]) {
      const response = await send('', body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, Object.keys(body)])
    }
  })

  it('prints through the requested plugin', async () => {
    assert.equal((await send(`?part=${parts[0]}&plugin=nobody`)).status, 404)
    const inactiveResponse = await send(`?part=${parts[0]}&plugin=printer`)
    assert.match(inactiveResponse.body.non_field_errors[0], /printer is not enabled/)
    assert.equal((await superuser.patch('/api/plugins/activate/', { plugin: 'printer', active: true })).status, 200)
    const response = await send(`?parts=${parts[1]},${parts[0]}&plugin=printer`, { copies: 2, tray: 'upper' })
    assert.equal(response.status, 200, response.text)
    assert.equal(response.headers.plugin, 'printer')
    const { message, ...rest } = response.body
    assert.deepEqual(rest, { success: true })
    assert.deepEqual(JSON.parse(message), {
      kind: '%PDF-',
      filename: 'label.pdf',
      template: 'A label',
      items: ['Two', 'One'],
      options: { copies: 2, tray: 'upper' },
      copies: 2,
    })
    assert.equal((await send(`?part=${parts[0]}&plugin=printer`, { fail: true })).status, 503)
    const errorResponse = await send(`?part=${parts[0]}&plugin=inventreecurrencyexchange`)
    assert.match(errorResponse.body.non_field_errors[0], /does not print labels/)
  })

  describe('printing on sheets', () => {
    const printOnSheets = (body: object, query = `?parts=${parts}`) => send(`${query}&plugin=inventreelabelsheet`, body)
    const listLabelPositions = (page: { lines: { text: string; x: number; y: number }[] } | undefined) =>
      page?.lines
        .filter(({ text }) => /^(One|Two|Three):/.test(text))
        .map(({ text, x, y }) => [text.split(':')[0], Math.round(x), Math.round(y)])

    /** Position of a label's text on a page of its own. */
    const readPositionAlone = async () =>
      (await readPages(await send(`?part=${parts[0]}`)))[0]?.lines[0] as { x: number; y: number }

    it('puts as many labels on a sheet as fit, each in its place and unchanged', async () => {
      const { x, y } = await readPositionAlone()
      const response = await printOnSheets({ copies: 12 })
      assert.equal(response.body.message, '36 labels generated')
      assert.equal(response.headers.plugin, 'inventreelabelsheet')
      const pages = await readPages(response)
      // three of 60 mm side by side on 210, nine of 30 one below another on 297
      assert.deepEqual(
        pages.map(({ width, height, lines }) => [
          Math.round(width),
          Math.round(height),
          lines.filter(({ text }) => text.includes(':')).length,
        ]),
        [
          [210, 297, 27],
          [210, 297, 9],
        ],
      )
      const [first, second] = listLabelPositions(pages[0]) ?? []
      assert.deepEqual(first, ['One', Math.round(x), Math.round(y)])
      assert.deepEqual(second, ['One', Math.round(x + 60), Math.round(y)])
      assert.deepEqual(listLabelPositions(pages[0])?.[12], ['Two', Math.round(x), Math.round(y + 4 * 30)])
    })

    it('applies paper, columns, rows, margins and gaps, and skips used labels', async () => {
      const layout = {
        page_size: 'Letter',
        landscape: true,
        columns: 2,
        rows: 2,
        margin_top: 10,
        margin_left: '6',
        column_gap: 3,
        row_gap: 4,
        skip: 3,
        border: true,
      }
      const { x, y } = await readPositionAlone()
      for (const response of [
        await printOnSheets(layout),
        await member.get(
          `${PATH}${template}/print/?parts=${parts}&plugin=inventreelabelsheet&${new URLSearchParams(layout as never)}`,
        ),
      ]) {
        const pages = await readPages(response)
        assert.deepEqual(
          pages.map(({ width, height }) => [Math.round(width), Math.round(height)]),
          [
            [279, 216],
            [279, 216],
          ],
        )
        const lines = [listLabelPositions(pages[0]), listLabelPositions(pages[1])]
        assert.deepEqual(lines, [
          [['One', Math.round(x + 6 + 63), Math.round(y + 10 + 34)]],
          [
            ['Two', Math.round(x + 6), Math.round(y + 10)],
            ['Three', Math.round(x + 6 + 63), Math.round(y + 10)],
          ],
        ])
      }
    })

    it('rejects what does not fit on the paper, naming the field, and stores nothing', async () => {
      const before = await service.rows('select count(*) from printed_file')
      for (const [body, key] of [
        [{ columns: 4 }, 'columns'],
        [{ rows: 10 }, 'rows'],
        [{ skip: 27 }, 'skip'],
        [{ skip: -1 }, 'skip'],
        [{ page_size: 'A9' }, 'page_size'],
        [{ margin_left: 'x' }, 'margin_left'],
        [{ border: 'perhaps' }, 'border'],
        [{ margin_top: 280 }, 'non_field_errors'],
      ] as const) {
        const response = await printOnSheets(body)
        assert.deepEqual([response.status, Object.keys(response.body)], [400, [key]], JSON.stringify(body))
      }
      assert.deepEqual(await service.rows('select count(*) from printed_file'), before)
    })

    it('marks a label that cannot be rendered while others can', async () => {
      const faulty = await create({
        label: toDataUri(
          `{% if part.name == 'Two' %}{% for n in (1..9000000) %}{{ n }}{% endfor %}{% endif %}{{ part.name }}: ok`,
        ),
      })
      const response = await member.get(`${PATH}${faulty}/print/?parts=${parts}&plugin=inventreelabelsheet`)
      const [page] = await readPages(response)
      assert.deepEqual(
        listLabelPositions(page)?.map(([name]) => name),
        ['One', 'Three'],
      )
      for (const query of [`?part=${parts[1]}&plugin=inventreelabelsheet`, `?parts=${parts}`]) {
        const errorResponse = await member.get(`${PATH}${faulty}/print/${query}`)
        assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [400, ['non_field_errors']], query)
      }
    })
  })

  it('makes HTML instead of a PDF if the plugin is set to', async () => {
    const setting = '/api/plugins/settings/inventreelabel/DEBUG/'
    assert.equal((await superuser.patch(setting, { value: true })).status, 200)
    const { body } = await send(`?parts=${parts[0]},${parts[1]}`)
    assert.equal((await superuser.patch(setting, { value: false })).status, 200)
    assert.match(body.file, /\.html$/)
    const file = await member.get(new URL(body.file).pathname)
    assert.match(String(file.headers['content-disposition']), /^attachment; filename="label\.html"/)
    assert.match(String(file.headers['content-type']), /octet-stream/)
    assert.match(file.text, /One: .*Two: /s)
  })

  it("lets plugins add variables without hiding the service's own", async () => {
    assert.equal((await superuser.patch('/api/plugins/activate/', { plugin: 'variables', active: true })).status, 200)
    const pk = await create({ name: 'Tag', label: toDataUri('{{ extra }}, {{ name }}') })
    const response = await member.post(`${PATH}${pk}/print/?parts=${parts[0]},${parts[1]}`)
    assert.deepEqual(
      (await readPages(response)).map(({ text }) => text),
      ['Tag of One, One', 'Tag of Two, Two'],
    )
  })
})

describe('GET /api/label/part/{id}/preview/', { skip: printingUnsupported }, () => {
  it('returns a picture of the label, even for a disabled template', async () => {
    const pk = await create({ label: toDataUri('{{ name }}'), enabled: false, filters: 'name=Nothing' })
    for (const query of ['', `?part=${parts[0]}`]) {
      const response = await member.get(`${PATH}${pk}/preview/${query}`)
      assert.deepEqual([response.status, response.headers['content-type']], [200, 'image/png'])
    }
    const count = await countFiles()
    assert.equal((await member.get(`${PATH}${pk}/preview/?part=99999`)).status, 400)
    assert.equal(await countFiles(), count)
  })
})
