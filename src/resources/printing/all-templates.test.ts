import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TEMPLATE_MODEL_NAMES, TEMPLATE_MODELS } from '../../printing/kinds.ts'
import { createFilesFolder } from '../../testing/files.ts'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, staff, superuser } = service

const template = 'data:text/html;name=own.html,<p>{{ pk }}</p>'

/** The lists of all templates, and the lists by kind, with the name of the file there. */
const AREAS = [
  {
    area: 'label',
    path: '/api/label/template/',
    file: 'label',
    byKind: { part: 'part', stockitem: 'stock', stocklocation: 'location', buildline: 'buildline' },
  },
  {
    area: 'report',
    path: '/api/report/template/',
    file: 'template',
    byKind: {
      part: 'bom',
      build: 'build',
      purchaseorder: 'po',
      salesorder: 'so',
      returnorder: 'ro',
      stocklocation: 'slr',
      stockitem: 'test',
    },
  },
] as const

for (const { area, path, file, byKind } of AREAS) {
  const create = async (body: object = {}) => {
    const created = await member.post(path, { name: 'Own', description: 'Ours', model_type: 'part', template, ...body })
    assert.equal(created.status, 201, created.text)
    return created.body
  }

  describe(`POST ${path}`, () => {
    it('creates a template for each kind of object, which has a key in the list of its kind', async () => {
      for (const model_type of TEMPLATE_MODEL_NAMES) {
        const { pk, revision, updated, updated_by, problems, origin, ...rest } = await create({ model_type })
        assert.deepEqual([revision, updated_by, problems, origin], [2, service.getPk('member'), [], 'own'])
        assert.ok(Date.now() - Date.parse(updated) < 60_000)
        assert.equal(rest.model_type, model_type)
        const [{ kind_pk }] = await service.rows(`select kind_pk from ${area}_template where pk = $1`, [pk])
        const kind = (byKind as Record<string, string>)[model_type]
        assert.equal(kind !== undefined, kind_pk !== null, model_type)
        if (!kind) continue
        const shown = await superuser.get(`/api/${area}/${kind}/${kind_pk}/`)
        assert.deepEqual([shown.body.name, shown.body[file]], ['Own', rest.template])
      }
    })

    it('rejects invalid values, naming the field, and changes nothing', async () => {
      const before = await service.rows(`select * from ${area}_template order by pk`)
      const valid = { name: 'Own', description: 'Ours', model_type: 'part', template }
      for (const [field, body] of [
        ['name', { name: '' }],
        ['description', { description: null }],
        ['model_type', { model_type: 'nonsense' }],
        ['model_type', { model_type: null }],
        ['template', { template: null }],
        ['template', { template: 'data:text/html,{{ name' }],
        ['filters', { filters: 'colour=red' }],
        ['filters', { model_type: 'stockitem', filters: 'name=x' }],
        ['enabled', { enabled: 'perhaps' }],
      ] as const) {
        const { status, body: errors } = await member.post(path, { ...valid, ...body })
        assert.deepEqual([status, Object.keys(errors)], [400, [field]], JSON.stringify(body))
      }
      assert.deepEqual(Object.keys((await member.post(path, {})).body).toSorted(), [
        'description',
        'model_type',
        'name',
        'template',
      ])
      assert.deepEqual(await service.rows(`select * from ${area}_template order by pk`), before)
    })

    it('requires the permission in a role', () =>
      assertCallers(service, (client) => client.post(path, { name: 'Own', description: 'Ours', model_type: 'part', template }), [
        'member',
        'superuser',
      ]))
  })

  describe(`GET ${path}`, () => {
    it('lists the templates of all kinds, with filters and orders', async () => {
      const find = async (query: string) => (await member.get(`${path}?${query}`)).body
      const all = (await find('limit=1')).count
      const counts = await Promise.all(
        TEMPLATE_MODEL_NAMES.map(async (model) => (await find(`model_type=${model}&limit=1`)).count),
      )
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        all,
      )
      const { pk } = await create({ name: 'Zebra', filters: 'name=Zebra', attach_to_model: true })
      assert.deepEqual(
        (await find('search=zebra')).results.map((row: any) => row.pk),
        [pk],
      )
      assert.deepEqual(
        (await find('attach_to_model=true')).results.map((row: any) => row.pk),
        [pk],
      )
      assert.equal((await find('ordering=-name&limit=1')).results[0].name, 'Zebra')
      const [{ pk: part }] = await service.rows(`insert into part (name, "IPN") values ('Zebra', $1) returning pk`, [area])
      const [{ pk: other }] = await service.rows(`insert into part (name, "IPN") values ('Other', $1) returning pk`, [area])
      const names = async (items: number) =>
        (await find(`model_type=part&items=${items}`)).results.map((row: any) => row.name) as string[]
      assert.ok((await names(part)).includes('Zebra'))
      assert.ok(!(await names(other)).includes('Zebra'))
      assert.equal((await member.get(`${path}?items=${part}`)).status, 400)
      await assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser'])
      assert.equal((await staff.get(path)).status, 403)
    })
  })

  describe(`PATCH ${path}{id}/`, () => {
    it('counts saves, and moves a template to another kind', async () => {
      const { pk } = await create()
      const changed = await superuser.patch(`${path}${pk}/`, { model_type: 'stockitem', enabled: false })
      const { model_type, enabled, revision, updated_by, updated_by_detail } = changed.body
      assert.deepEqual(
        [changed.status, model_type, enabled, revision, updated_by, updated_by_detail.username],
        [200, 'stockitem', false, 3, service.getPk('superuser'), 'superuser'],
      )
      const [{ kind_pk }] = await service.rows(`select kind_pk from ${area}_template where pk = $1`, [pk])
      assert.equal((await superuser.get(`/api/${TEMPLATE_MODELS.stockitem[area]}/${kind_pk}/`)).body.name, 'Own')
      const rejected = await superuser.patch(`${path}${pk}/`, { filters: 'reference=x' })
      assert.deepEqual([rejected.status, Object.keys(rejected.body)], [400, ['filters']])
    })
  })

  describe(`DELETE ${path}{id}/`, () => {
    it('deletes it in both lists', async () => {
      const { pk } = await create()
      const [{ kind_pk }] = await service.rows(`select kind_pk from ${area}_template where pk = $1`, [pk])
      assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
      assert.equal((await member.get(`/api/${TEMPLATE_MODELS.part[area]}/${kind_pk}/`)).status, 404)
    })
  })
}
