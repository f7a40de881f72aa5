import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createFilesFolder, encodeForm } from '../../testing/files.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'

const { dataDir, media } = createFilesFolder()
const service = await testService({ DATA_DIR: dataDir })
const inventreeService = await testService({ DATA_DIR: dataDir, WIRE_FORM: 'inventree' })
const { member, superuser } = service

for (const { pool } of [service, inventreeService])
  await pool.query(`
    insert into company (pk, name, currency) overriding system value values (1, 'Acme', 'EUR'), (2, 'Other', 'EUR');
    insert into part (pk, name, active) overriding system value values (1, 'Bolt', false), (2, 'Nut', false), (3, 'Chair', true), (4, 'Table', true);
    insert into manufacturer_part (pk, part, manufacturer, "MPN") overriding system value values (1, 1, 1, 'M1'), (2, 2, 1, 'M2');
    insert into stock_item (pk, part, quantity, purchase_price_currency) overriding system value values (1, 1, 5, 'EUR'), (2, 2, 5, 'EUR');
    insert into purchase_order (pk, reference, supplier, total_price_currency) overriding system value values (1, 'PO-0001', 1, 'EUR'), (2, 'PO-0002', 1, 'EUR');
    insert into build_order (pk, reference, part, status) overriding system value values (1, 'BO-0001', 3, 30), (2, 'BO-0002', 4, 30)`)

const OWNERS = [
  ['/api/part/attachment/', 'part', '/api/part/'],
  ['/api/stock/attachment/', 'stock_item', '/api/stock/'],
  ['/api/company/attachment/', 'company', '/api/company/'],
  ['/api/company/part/manufacturer/attachment/', 'manufacturer_part', '/api/company/part/manufacturer/'],
  ['/api/order/po/attachment/', 'order', '/api/order/po/'],
  ['/api/build/attachment/', 'build', '/api/build/'],
] as const

const pdf = Buffer.from('%PDF-1.7\n% a data sheet\n')
const getFilePath = (url: string) => join(media, decodeURIComponent(new URL(url).pathname.replace('/media/', '')))

for (const [path, owner, url] of OWNERS) {
  describe(path, () => {
    it('POST attaches a file, which is downloaded under its own name', async () => {
      const { body, headers } = encodeForm({
        [owner]: '1',
        comment: 'Data sheet',
        attachment: { name: 'Datenblatt Größe 5.pdf', content: pdf },
      })
      const created = await member.post(path, body, headers)
      assert.equal(created.status, 201, created.text)
      const { attachment, user_detail, upload_date, ...rest } = created.body
      assert.deepEqual(rest, {
        pk: rest.pk,
        [owner]: 1,
        filename: 'Datenblatt Größe 5.pdf',
        comment: 'Data sheet',
        link: null,
        user: service.getPk('member'),
      })
      assert.equal(user_detail.username, 'member')
      assert.match(attachment, /^http:\/\/.+\/media\/\w+_files\/Datenblatt_Groe_5_[a-z0-9]{12}\.pdf$/)
      const download = await member.get(new URL(attachment).pathname)
      assert.deepEqual([download.text, download.headers['content-type']], [String(pdf), 'application/pdf'])
      assert.equal(
        download.headers['content-disposition'],
        `attachment; filename="Datenblatt Gr__e 5.pdf"; filename*=UTF-8''Datenblatt%20Gr%C3%B6%C3%9Fe%205.pdf`,
      )
    })

    it('POST attaches a link, and rejects a request with neither file nor link', async () => {
      const created = await member.post(path, {
        [owner]: 2,
        link: 'https://acme.example/sheet',
        comment: 'Sheet',
        filename: 'x.pdf',
        user: service.getPk('staff'),
      })
      assert.deepEqual(
        [created.status, created.body.attachment, created.body.filename, created.body.user],
        [201, null, '', service.getPk('member')],
      )
      const neither = await member.post(path, { [owner]: 1, comment: 'Nothing' })
      assert.deepEqual([neither.status, Object.keys(neither.body)], [400, ['attachment', 'link']])
      const emptied = await member.patch(`${path}${created.body.pk}/`, { link: '' })
      assert.deepEqual([emptied.status, Object.keys(emptied.body)], [400, ['attachment', 'link']])
    })

    it('rejects invalid values, naming the field', async () => {
      const invalidBodies: [object, string][] = [
        [{}, owner],
        [{ [owner]: 999 }, owner],
        [{ [owner]: null }, owner],
        [{ [owner]: 1, attachment: null }, 'attachment'],
        [{ [owner]: 1, attachment: 'sheet.pdf' }, 'attachment'],
        [{ [owner]: 1, attachment: 'https://acme.example/sheet.pdf' }, 'attachment'],
        [{ [owner]: 1, link: 'javascript:alert(1)' }, 'link'],
        [{ [owner]: 1, link: 'https://a.example/', comment: 'x'.repeat(101) }, 'comment'],
        [{ [owner]: 1, link: 'https://a.example/', filename: '../../x' }, 'filename'],
        [{ [owner]: 1, link: 'https://a.example/', filename: '' }, 'filename'],
        [{ [owner]: 1, link: 'https://a.example/', user: 999 }, 'user'],
      ]
      for (const [body, field] of invalidBodies) {
        const { status, body: responseBody } = await member.post(path, body)
        assert.deepEqual([status, Object.keys(responseBody)], [400, [field]], JSON.stringify(body))
      }
    })

    it('PATCH renames a file and replaces it', async () => {
      const createDataUri = (text: string) => `data:text/csv;name=${text}.csv;base64,${Buffer.from(text).toString('base64')}`
      const { body: created } = await member.post(path, { [owner]: 1, attachment: createDataUri('first') })
      assert.equal(created.filename, 'first.csv')
      const renamed = await member.patch(`${path}${created.pk}/`, { filename: 'parts.csv' })
      assert.deepEqual([renamed.body.filename, renamed.body.attachment], ['parts.csv', created.attachment])
      const withoutExtension = await member.patch(`${path}${created.pk}/`, { filename: 'parts' })
      assert.deepEqual([withoutExtension.status, Object.keys(withoutExtension.body)], [400, ['non_field_errors']])
      const { body: secondAttachment } = await member.post(path, { [owner]: 1, attachment: createDataUri('other') })
      for (const filename of ['other.csv', 'what?.csv', 'a:b.csv', "it's.csv", '100 %.csv']) {
        const response = await member.patch(`${path}${created.pk}/`, { filename })
        assert.deepEqual([response.status, Object.keys(response.body)], [400, ['non_field_errors']], filename)
      }
      assert.equal(
        (await member.patch(`${path}${secondAttachment.pk}/`, { filename: 'other.csv', comment: 'the same' })).status,
        200,
      )
      assert.equal((await member.delete(`${path}${secondAttachment.pk}/`)).status, 204)
      const unchanged = await member.put(`${path}${created.pk}/`, { [owner]: 1, attachment: created.attachment })
      assert.deepEqual([unchanged.body.filename, unchanged.body.attachment], ['parts.csv', created.attachment])
      const replaced = await member.patch(`${path}${created.pk}/`, { attachment: createDataUri('second') })
      assert.equal(replaced.body.filename, 'second.csv')
      await waitUntil(() => !existsSync(getFilePath(created.attachment)), 'the replaced file still exists')
      assert.ok(existsSync(getFilePath(replaced.body.attachment)))
    })

    it('GET lists, filters and searches', async () => {
      const all = (await member.get(path)).body
      assert.equal((await member.get(`${path}?${owner}=2`)).body.count, 1)
      assert.equal((await member.get(`${path}?${owner}=1`)).body.count, all.count - 1)
      assert.equal((await member.get(`${path}?search=acme.example`)).body.count, 1)
      assert.equal((await member.get(`${path}?search=data sheet`)).body.count, 1)
      assert.equal((await member.get(`${path}?search=http: localhost`)).body.count, 0)
      assert.equal((await member.get(`${path}?${owner}=999`)).status, 400)
    })

    it('DELETE removes the file; so does deleting its object', async () => {
      const attach = async () =>
        (await member.post(path, { [owner]: 1, attachment: `data:application/pdf;base64,${pdf.toString('base64')}` })).body
      const [one, two, three, last] = [await attach(), await attach(), await attach(), await attach()]
      assert.equal((await member.delete(`${path}${one.pk}/`)).status, 204)
      assert.equal((await member.delete(path, { items: [two.pk, three.pk] })).status, 204)
      for (const { attachment } of [one, two, three])
        await waitUntil(() => !existsSync(getFilePath(attachment)), 'a file still exists')
      assert.ok(existsSync(getFilePath(last.attachment)))
      if (path !== '/api/company/attachment/') {
        assert.equal((await superuser.delete(`${url}1/`)).status, 204)
        await waitUntil(() => !existsSync(getFilePath(last.attachment)), 'the file of a deleted object still exists')
        assert.equal((await member.get(`${path}?limit=1`)).body.count, 1)
        await service.pool.query(`insert into part (pk, name, active) overriding system value values (1, 'Bolt', false) on conflict do nothing;
          insert into manufacturer_part (pk, part, manufacturer, "MPN") overriding system value values (1, 1, 1, 'M1') on conflict do nothing;
          insert into stock_item (pk, part, quantity, purchase_price_currency) overriding system value values (1, 1, 5, 'EUR') on conflict do nothing`)
      }
    })

    it('requires the same permissions as its object', async () => {
      await assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser'])
      await assertCallers(service, (client) => client.post(path, {}), ['member', 'superuser'])
      await assertCallers(service, (client) => client.delete(path, {}), ['member', 'superuser'])
    })

    it('existing clients get the URL of a file without the site, and send it back', async () => {
      const { body } = await inventreeService.member.post(path, { [owner]: 1, attachment: `data:,text` })
      assert.match(body.attachment, /^\/media\/\w+_files\/attachment_[a-z0-9]{12}\.bin$/)
      assert.equal(
        (await inventreeService.member.put(`${path}${body.pk}/`, { ...body, comment: 'Kept' })).body.attachment,
        body.attachment,
      )
    })
  })
}
