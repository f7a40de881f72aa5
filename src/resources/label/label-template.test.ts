import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-labels-'))
after(() => rmSync(folder, { recursive: true }))
const service = await testService({ DATA_DIR: folder })
const { member, superuser, viewer } = service

const toDataUri = (text: string) => `data:text/html,${encodeURIComponent(text)}`
const PATH = '/api/label/part/'
const EXTERNAL_URL = 'https://files.example/label.html'

async function create(fields: object = {}, path = PATH) {
  const created = await member.post(path, { name: 'A label', label: EXTERNAL_URL, ...fields })
  assert.equal(created.status, 201, created.text)
  return created.body
}

const parts: number[] = []
before(async () => {
  const { body: category } = await superuser.post('/api/part/category/', { name: 'Parts' })
  for (const name of ['One', 'Two', 'Three'])
    parts.push((await superuser.post('/api/part/', { name, category: category.pk })).body.pk)
})

describe('POST /api/label/part/', () => {
  it('creates a template with its defaults', async () => {
    const { pk, ...created } = await create()
    assert.deepEqual(created, {
      name: 'A label',
      description: null,
      label: EXTERNAL_URL,
      filters: '',
      width: 50,
      height: 20,
      filename_pattern: 'label.pdf',
      enabled: true,
      problems: [],
      origin: 'own',
    })
  })

  it('rejects invalid input, naming the field', async () => {
    const wrong: [string, object][] = [
      ['name', { name: '' }],
      ['label', { label: undefined }],
      ['label', { label: 'label.html' }],
      ['label', { label: toDataUri('') }],
      ['label', { label: 'data:image/png,x' }],
      ['width', { width: 1.9 }],
      ['height', { height: 'x' }],
      ['filters', { filters: 'name' }],
      ['filters', { filters: 'colour=red' }],
      ['filters', { filters: 'active=perhaps' }],
      ['filters', { filters: 'x'.repeat(251) }],
    ]
    const { count } = (await member.get(PATH)).body
    for (const [field, body] of wrong) {
      const response = await member.post(PATH, { name: 'A label', label: EXTERNAL_URL, ...body })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
    }
    assert.equal((await member.get(PATH)).body.count, count)
  })

  it('stores the file, and shows its URL to callers who can view templates', async () => {
    const { label } = await create({ label: toDataUri('<b>{{ part.name }}</b>') })
    const { pathname } = new URL(label)
    assert.match(pathname, /^\/media\/label\/template\/part\/\w+\.html$/)
    const file = await viewer.get(pathname)
    assert.deepEqual([file.status, file.text], [200, '<b>{{ part.name }}</b>'])
    assert.equal((await service.nobody.get(pathname)).status, 403)
  })

  it('rejects a syntax error with its line and column', async () => {
    for (const [text, position] of [
      ['<p>\n  {{ part.name', 'line 2, column 3'],
      ['<p>\n\n{% if part %}', 'line 3, column 1'],
      ['{% endfor %}', 'line 1, column 1'],
    ] as const) {
      const { status, body } = await member.post(PATH, { name: 'A label', label: toDataUri(text) })
      assert.deepEqual([status, Object.keys(body)], [400, ['label']], text)
      assert.match(body.label[0], new RegExp(position), text)
    }
  })

  it('stores a template with unknown tags or filters, reports them, and clears them with a fixed file', async () => {
    const created = await create({ label: toDataUri('<p>\n{% teleport part %}{{ part.name | shout }}') })
    assert.equal(created.problems.length, 2)
    assert.match(created.problems[0], /teleport.*line 2, column 1/)
    assert.match(created.problems[1], /shout.*line 2/)
    const fixedTemplate = await member.patch(`${PATH}${created.pk}/`, { label: toDataUri('{{ part.name }}') })
    assert.deepEqual(fixedTemplate.body.problems, [])
    const updated = await member.put(`${PATH}${created.pk}/`, { name: 'Again', label: fixedTemplate.body.label })
    assert.deepEqual([updated.body.label, updated.body.problems], [fixedTemplate.body.label, []])
  })

  it('does not reveal through filters what a caller cannot view', async () => {
    // a role for parts only
    const [{ pk: group }] = await service.rows(`insert into user_group (name) values ('parts alone') returning pk`)
    await service.rows(
      `update rule_set set can_view = name = 'part', can_add = name = 'part', can_change = name = 'part' where "group" = $1`,
      [group],
    )
    const nobodyKey = service.getPk('nobody')
    await service.rows(`insert into user_group_member ("user", "group") values ($1, $2)`, [nobodyKey, group])
    // the rows were written directly to the database, which the service would notice only after a while
    const { accounts } = service.app.routes.services
    accounts.invalidate()
    try {
      const createWithFilters = (filters: string) => service.nobody.post(PATH, { name: 'A label', label: EXTERNAL_URL, filters })
      assert.equal((await createWithFilters('name=One')).status, 201)
      assert.deepEqual(Object.keys((await createWithFilters('default_location__name=Safe')).body), ['filters'])
    } finally {
      await service.rows(`delete from user_group where pk = $1`, [group])
      accounts.invalidate()
    }
  })

  it('requires the permission to add parts', () =>
    assertCallers(service, (client) => client.post(PATH, { name: 'Callers', label: EXTERNAL_URL }), ['member', 'superuser']))
})

describe('GET /api/label/part/', () => {
  let pks: Record<'all' | 'one' | 'two' | 'off', number>
  before(async () => {
    await service.rows('delete from part_label')
    pks = {
      all: (await create({ name: 'Every part' })).pk,
      one: (await create({ filters: 'name=One' })).pk,
      two: (await create({ filters: ' name = Two ' })).pk,
      off: (await create({ filters: 'name__startswith=T', enabled: false })).pk,
    }
    // only an import can create such templates
    await service.rows(`insert into part_label (name, label, filters) values ('Odd', 'x', 'colour=red'), ('Odd', 'x', 'name')`)
  })
  const listKeys = async (query: string): Promise<number[]> => {
    const { status, body, text } = await member.get(`${PATH}${query}`)
    assert.equal(status, 200, text)
    return body.results.map(({ pk }: { pk: number }) => pk)
  }

  it('finds templates that apply to every listed object, in every spelling of the parameter', async () => {
    const [one, two, three] = parts as [number, number, number]
    const { all, one: fitsOne, two: fitsTwo, off } = pks
    for (const name of ['part', 'part[]', 'parts', 'parts[]']) {
      assert.deepEqual(await listKeys(`?${name}=${one}`), [all, fitsOne], name)
      assert.deepEqual(await listKeys(`?${name}=${two}&${name}=${three}`), [all, off], name)
      assert.deepEqual(await listKeys(`?${name}=${two},${three}`), [all, off], name)
      assert.deepEqual(await listKeys(`?${name}=${two}&${name}=${two}`), [all, fitsTwo, off], name)
    }
    assert.deepEqual(await listKeys(`?part=${one}&parts=${two}`), [all, fitsOne])
    assert.deepEqual(await listKeys(`?part=${one}&part[]=${two}`), [all, fitsOne])
    assert.deepEqual(await listKeys(`?part=${two}&enabled=true`), [all, fitsTwo])
    assert.equal((await listKeys('')).length, 6)
    assert.equal((await listKeys('?part=')).length, 6)
  })

  it('reflects a change of the object immediately', async () => {
    const [one] = parts as [number]
    await superuser.patch(`/api/part/${one}/`, { name: 'Tower' })
    assert.deepEqual(await listKeys(`?part=${one}`), [pks.all, pks.off])
    await superuser.patch(`/api/part/${one}/`, { name: 'One' })
    assert.deepEqual(await listKeys(`?part=${one}`), [pks.all, pks.one])
  })

  it('rejects invalid and unknown keys', async () => {
    for (const query of [
      'part=x',
      'parts=1.5',
      `part=${parts[0]},x`,
      'part[]=-1',
      'parts=99999',
      `part=${parts[0]}&part=99999`,
    ]) {
      const { status, body } = await member.get(`${PATH}?${query}`)
      assert.deepEqual([status, Object.keys(body)], [400, [query.split('=')[0]]], query)
    }
  })

  it('searches names and descriptions', async () => {
    assert.deepEqual(await listKeys('?search=every+PART'), [pks.all])
    assert.deepEqual(await listKeys('?search=nothing+of+it'), [])
  })

  it('requires the permission to view parts', () =>
    assertCallers(service, (client) => client.get(PATH), ['viewer', 'member', 'superuser']))
})

describe('templates for build lines', () => {
  it('are filtered by fields of a line and of related objects', async () => {
    const created = await create({ filters: 'bom_item__reference__icontains=R1, build__status=20' }, '/api/label/buildline/')
    assert.equal(created.filters, 'bom_item__reference__icontains=R1, build__status=20')
    for (const filters of ['reference', 'anything=else']) {
      const rejection = await member.post('/api/label/buildline/', { name: 'x', label: EXTERNAL_URL, filters })
      assert.deepEqual(Object.keys(rejection.body), ['filters'])
    }
    assert.equal((await member.get('/api/label/buildline/?line=1')).status, 400)
  })
})

describe('built-in templates', () => {
  it('exist from the start, with readable files', async () => {
    for (const path of ['/api/label/stock/', '/api/label/location/', '/api/label/buildline/']) {
      const { results } = (await viewer.get(path)).body
      const builtIn = results.filter(({ label }: { label: string }) => label.includes('/media/label/inventree/'))
      assert.notEqual(builtIn.length, 0, path)
      for (const { label, problems } of builtIn) {
        assert.deepEqual(problems, [])
        const file = await viewer.get(new URL(label).pathname)
        assert.equal(file.status, 200, label)
        assert.match(file.text, /\{[{%]/)
      }
    }
  })

  it('can be deleted, or given another file, like any other', async () => {
    const [first] = (await superuser.get('/api/label/stock/')).body.results
    const changed = await superuser.patch(`/api/label/stock/${first.pk}/`, { label: toDataUri('{{ item.pk }}') })
    assert.match(changed.body.label, /\/media\/label\/template\/stockitem\//)
    assert.equal((await superuser.delete(`/api/label/stock/${first.pk}/`)).status, 204)
  })
})
