import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder, encodeForm } from '../../testing/files.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { backfillFileSizes } from './backfill-file-sizes.ts'

const { dataDir } = createFilesFolder()
const service = await testService({ DATA_DIR: dataDir })
const { member, superuser, viewer } = service
const path = '/api/attachment/'

await service.pool.query(`
  insert into company (pk, name, currency) overriding system value values (1, 'Acme', 'EUR');
  insert into part (pk, name) overriding system value values (1, 'Bolt'), (2, 'Nut');
  insert into supplier_part (pk, part, supplier, "SKU") overriding system value values (1, 1, 1, 'S1');
  insert into manufacturer_part (pk, part, manufacturer, "MPN") overriding system value values (1, 1, 1, 'M1');
  insert into stock_item (pk, part, quantity, purchase_price_currency) overriding system value values (1, 1, 5, 'EUR');
  insert into build_order (pk, reference, part) overriding system value values (1, 'BO-0001', 2);
  insert into purchase_order (pk, reference, supplier, total_price_currency) overriding system value values (1, 'PO-0001', 1, 'EUR');
  insert into sales_order (pk, reference, customer, total_price_currency) overriding system value values (1, 'SO-0001', 1, 'EUR');
  insert into sales_order_shipment (pk, "order", reference) overriding system value values (1, 1, '1');
  insert into return_order (pk, reference, customer, total_price_currency) overriding system value values (1, 'RO-0001', 1, 'EUR')`)

/** All kinds of objects with attachments, and their lists by kind, where there is one. */
const KINDS: Record<string, [path: string, field: string] | undefined> = {
  part: ['/api/part/attachment/', 'part'],
  stockitem: ['/api/stock/attachment/', 'stock_item'],
  company: ['/api/company/attachment/', 'company'],
  supplierpart: undefined,
  manufacturerpart: ['/api/company/part/manufacturer/attachment/', 'manufacturer_part'],
  build: ['/api/build/attachment/', 'build'],
  purchaseorder: ['/api/order/po/attachment/', 'order'],
  salesorder: ['/api/order/so/attachment/', 'order'],
  salesordershipment: undefined,
  returnorder: ['/api/order/ro/attachment/', 'order'],
}

const link = 'https://acme.example/sheet'
const create = async (body: object) => {
  const created = await member.post(`${path}?tags=true`, { model_type: 'part', model_id: 1, link, ...body })
  assert.equal(created.status, 201, created.text)
  return created.body
}
/** A picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const readContent = () => service.rows('select * from attachment order by pk')

describe('POST /api/attachment/', () => {
  for (const [model_type, byKind] of Object.entries(KINDS))
    it(`attaches to an object of the kind ${model_type}, and gives it a key there`, async () => {
      const created = await create({ model_type, comment: 'Sheet', tags: ['sheet'] })
      assert.deepEqual(
        { ...created, user_detail: created.user_detail.username },
        {
          pk: created.pk,
          attachment: null,
          thumbnail: null,
          filename: '',
          link,
          comment: 'Sheet',
          is_image: false,
          upload_date: created.upload_date,
          upload_user: service.getPk('member'),
          user_detail: 'member',
          file_size: 0,
          model_type,
          model_id: 1,
          tags: ['sheet'],
        },
      )
      const [{ kind_pk }] = await service.rows('select kind_pk from attachment where pk = $1', [created.pk])
      if (!byKind) assert.equal(kind_pk, null)
      else {
        const [kindPath, field] = byKind
        const shown = await member.get(`${kindPath}${kind_pk}/`)
        assert.deepEqual([shown.body.pk, shown.body[field], shown.body.link], [kind_pk, 1, link])
      }
    })

  it('has the attachments that were added by kind', async () => {
    const { body: byKind } = await member.post('/api/part/attachment/', { part: 2, link, comment: 'By kind' })
    const { body } = await member.get(`${path}?model_type=part&model_id=2`)
    assert.deepEqual(
      body.results.map(({ comment, model_type, model_id }: any) => [comment, model_type, model_id]),
      [['By kind', 'part', 2]],
    )
    assert.notEqual(body.results[0].pk, byKind.pk)
  })

  it('stores the size of a file, and a smaller version of a picture', async () => {
    const { body, headers } = encodeForm({
      model_type: 'salesordershipment',
      model_id: '1',
      attachment: { name: 'photo.png', content: png },
    })
    const created = await member.post(path, body, headers)
    assert.equal(created.status, 201, created.text)
    const { attachment, thumbnail, filename, is_image, file_size } = created.body
    assert.deepEqual([filename, is_image, file_size], ['photo.png', true, png.length])
    assert.match(attachment, /\/media\/attachments\/photo_[a-z0-9]{12}\.png$/)
    assert.equal((await member.get(new URL(thumbnail).pathname)).headers['content-type'], 'image/png')
    const text = await create({ link: undefined, attachment: 'data:text/plain;name=notes.txt,hello' })
    assert.deepEqual([text.thumbnail, text.is_image, text.file_size], [null, false, 5])
    const noThumbnail = new URL(text.attachment).pathname.replace('.txt', '.thumbnail.txt')
    assert.equal((await member.get(noThumbnail)).status, 404)
  })

  it('rejects invalid values, naming the field, and changes nothing', async () => {
    const content = await readContent()
    const invalidBodies: [object, string[]][] = [
      [{}, ['model_type', 'model_id']],
      [{ model_type: null, model_id: null }, ['model_type', 'model_id']],
      [{ model_type: 'nonsense', model_id: 1, link }, ['model_type']],
      [{ model_type: 'stocklocation', model_id: 1, link }, ['model_type']],
      [{ model_type: 'part', model_id: 999, link }, ['model_id']],
      [{ model_type: 'part', model_id: -1, link }, ['model_id']],
      [{ model_type: 'part', model_id: 'one', link }, ['model_id']],
      [{ model_type: 'part', model_id: 1 }, ['attachment', 'link']],
      [{ model_type: 'part', model_id: 1, link: 'javascript:alert(1)' }, ['link']],
      [{ model_type: 'part', model_id: 1, link, comment: 'x'.repeat(251) }, ['comment']],
      [{ model_type: 'part', model_id: 1, attachment: 'data:,x', filename: 'a/b.txt' }, ['filename']],
    ]
    for (const [body, fields] of invalidBodies) {
      const response = await member.post(path, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, fields], JSON.stringify(body))
    }
    assert.deepEqual(await readContent(), content)
  })

  it('requires the permission in the role of the object', async () => {
    await assertCallers(service, (client) => client.post(path, { model_type: 'part', model_id: 1, link }), [
      'member',
      'superuser',
    ])
    const rules = await service.rows(
      `select pk, name from rule_set where "group" = (select pk from user_group where name = 'viewers') and name in ('part', 'stock')`,
    )
    const change = async (name: string, rights: object) => {
      const rule = rules.find((entry) => entry.name === name)
      assert.equal((await superuser.patch(`/api/user/ruleset/${rule.pk}/`, rights)).status, 200)
    }
    await change('stock', { can_add: true })
    await change('part', { can_view: false })
    try {
      assert.equal((await viewer.post(path, { model_type: 'part', model_id: 1, link })).status, 403)
      assert.equal((await viewer.post(path, { model_type: 'stockitem', model_id: 1, link })).status, 201)
      const { body } = await viewer.get(path)
      assert.ok(body.count > 0 && body.results.every(({ model_type }: any) => model_type !== 'part'))
      const [{ pk }] = (await member.get(`${path}?model_type=part`)).body.results
      assert.equal((await viewer.get(`${path}${pk}/`)).status, 404)
    } finally {
      await change('stock', { can_add: false })
      await change('part', { can_view: true })
    }
  })
})

describe('GET /api/attachment/', () => {
  it('filters by object, kind of content, picture, account and tag', async () => {
    const file = await create({
      model_id: 2,
      link: undefined,
      attachment: 'data:text/plain;name=tagged.txt,x',
      tags: ['Data sheet'],
    })
    const query = async (text: string) => (await member.get(`${path}?${text}`)).body
    const all = (await query('limit=1')).count
    assert.equal((await query('tags__name=Data sheet')).results[0].pk, file.pk)
    assert.equal((await query('tags__slug=data-sheet')).count, 1)
    assert.equal((await query('search=data-sheet')).count, 1)
    assert.equal((await query('search=tagged.txt')).count, 1)
    assert.equal((await query('is_file=true')).count + (await query('is_file=false')).count, all)
    assert.equal((await query('is_link=true')).count + (await query('is_link=false')).count, all)
    assert.equal((await query('is_image=true')).count, 1)
    assert.equal((await query('has_thumbnail=true')).count, 1)
    assert.equal((await query(`upload_user=${service.getPk('member')}&model_type=supplierpart`)).count, 1)
    assert.ok((await query('model_id=1')).results.every(({ model_id }: any) => model_id === 1))
    for (const text of ['model_id=abc', 'model_type=nonsense', 'upload_user=99999'])
      assert.equal((await member.get(`${path}?${text}`)).status, 400, text)
    const sizes = (await query('ordering=-file_size')).results.map(({ file_size }: any) => file_size)
    assert.deepEqual(
      sizes,
      sizes.toSorted((one: number, other: number) => other - one),
    )
    await assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser'])
  })

  it('counts the attachments of one kind exactly, after each change', async () => {
    const count = async () => (await member.get('/api/part/attachment/?limit=1')).body.count
    const before = await count()
    const { pk } = await create({})
    assert.equal(await count(), before + 1)
    await create({ model_type: 'stockitem' })
    assert.equal(await count(), before + 1)
    assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
    assert.equal(await count(), before)
  })
})

describe('PATCH /api/attachment/{id}/', () => {
  it('changes the comment, the tags and the name of the file', async () => {
    const { pk } = await create({ link: undefined, attachment: 'data:text/plain;name=first.txt,x' })
    const changed = await member.patch(`${path}${pk}/?tags=true`, { comment: 'New', tags: ['a', 'b'], filename: 'second.txt' })
    assert.deepEqual(
      [changed.status, changed.body.comment, changed.body.tags, changed.body.filename],
      [200, 'New', ['a', 'b'], 'second.txt'],
    )
    assert.equal((await member.patch(`${path}${pk}/`, { filename: '' })).body.filename, 'second.txt')
    assert.equal((await member.patch(`${path}${pk}/`, { filename: 'Changed' })).status, 400)
    const linked = await member.patch(`${path}${pk}/`, { attachment: null, link })
    assert.deepEqual([linked.body.filename, linked.body.file_size, linked.body.attachment], ['', 0, null])
  })

  it('moves it to another object, where it gets a key of that kind', async () => {
    const { pk } = await create({})
    const moved = await member.patch(`${path}${pk}/`, { model_type: 'company' })
    assert.deepEqual([moved.status, moved.body.model_type, moved.body.model_id], [200, 'company', 1])
    const [row] = await service.rows('select kind_pk, part, company from attachment where pk = $1', [pk])
    assert.deepEqual([row.part, row.company], [null, 1])
    assert.equal((await member.get(`/api/company/attachment/${row.kind_pk}/`)).status, 200)
    const unknown = await member.patch(`${path}${pk}/`, { model_id: 999 })
    assert.deepEqual([unknown.status, Object.keys(unknown.body)], [400, ['model_id']])
  })

  it('has one version in both lists: a change in one is a conflict in the other', async () => {
    const { pk } = await create({})
    const [{ kind_pk }] = await service.rows('select kind_pk from attachment where pk = $1', [pk])
    const byKind = `/api/part/attachment/${kind_pk}/`
    const { headers } = await member.get(byKind)
    assert.equal((await member.get(`${path}${pk}/`)).headers.etag, headers.etag)
    assert.equal((await member.patch(`${path}${pk}/`, { comment: 'First' })).status, 200)
    const late = await member.patch(byKind, { comment: 'Second' }, { 'if-match': String(headers.etag) })
    assert.equal(late.status, 412)
  })
})

describe('DELETE /api/attachment/{id}/', () => {
  it('deletes it in both lists; deleting its object does so, too', async () => {
    const { pk } = await create({ model_type: 'build' })
    const [{ kind_pk }] = await service.rows('select kind_pk from attachment where pk = $1', [pk])
    assert.equal((await viewer.delete(`${path}${pk}/`)).status, 403)
    assert.equal((await member.delete(path, { items: [pk] })).status, 204)
    assert.equal((await member.get(`/api/build/attachment/${kind_pk}/`)).status, 404)
    assert.equal((await superuser.delete('/api/order/ro/1/')).status, 204)
    assert.equal((await member.get(`${path}?model_type=returnorder`)).body.count, 0)
  })
})

describe('events', () => {
  it('name an attachment by both of its keys', async () => {
    const [{ last }] = await service.rows('select coalesce(max(id), 0) as last from event')
    const { pk } = await create({})
    const [{ kind_pk }] = await service.rows('select kind_pk from attachment where pk = $1', [pk])
    await member.patch(`/api/part/attachment/${kind_pk}/`, { comment: 'New' })
    await member.patch(`${path}${pk}/`, { model_type: 'stockitem' })
    await member.delete(`${path}${pk}/`)
    const events = await service.rows('select model, key, kind from event where id > $1 order by id', [last])
    const [{ next }] = await service.rows(`select last_value as next from stock_item_attachment_pk_seq`)
    const ofKind = (model: string) => events.filter((event) => event.model === model).map(({ key, kind }) => [key, kind])
    assert.deepEqual(ofKind('attachment'), [
      [pk, 'created'],
      [pk, 'saved'],
      [pk, 'saved'],
      [pk, 'deleted'],
    ])
    assert.deepEqual(ofKind('part_attachment'), [
      [kind_pk, 'created'],
      [kind_pk, 'saved'],
      [kind_pk, 'deleted'],
    ])
    assert.deepEqual(ofKind('stock_item_attachment'), [
      [Number(next), 'created'],
      [Number(next), 'deleted'],
    ])
  })
})

describe('files of earlier versions', () => {
  it('get their size and kind while the service runs', async () => {
    const { pk } = await create({ link: undefined, attachment: `data:image/png;name=p.png;base64,${png.toString('base64')}` })
    await service.pool.query('update attachment set file_size = null, is_image = false where pk = $1', [pk])
    assert.equal((await member.get(`${path}${pk}/`)).body.file_size, 0)
    assert.equal(await backfillFileSizes(service.app.routes.services), 1)
    const { body } = await member.get(`${path}${pk}/`)
    assert.deepEqual([body.file_size, body.is_image], [png.length, true])
  })
})
