import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder } from '../../testing/files.ts'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { testService } from '../../testing/service.ts'

const service = await testService({ ...(await preparePrinting()), DATA_DIR: createFilesFolder().dataDir })
const { member, viewer, superuser } = service

describe('GET /api/report/test/{id}/print/', { skip: printingUnsupported }, () => {
  it('attaches the report to its items while REPORT_ATTACH_TEST_REPORT is on, if the caller may add attachments', async () => {
    await service.pool.query(`
      insert into part (pk, name, trackable) overriding system value values (1, 'Lamp', true);
      insert into part_test_template (pk, part, test_name, key) overriding system value values (1, 1, 'Light', 'light');
      insert into stock_item (pk, part, quantity, serial, purchase_price_currency) overriding system value values
        (1, 1, 1, '7', 'EUR'), (2, 1, 1, '8', 'EUR');
      insert into stock_item_test_result (stock_item, template, result, value) values (1, 1, true, '300 lm')`)
    const [template] = (await member.get('/api/report/test/')).body.results
    const print = (client: typeof member, more = '') => client.get(`/api/report/test/${template.pk}/print/?items=1,2${more}`)
    const readAttachments = async () => (await member.get('/api/stock/attachment/')).body.results
    assert.equal((await print(member)).status, 200)
    assert.deepEqual(await readAttachments(), [])

    await superuser.patch('/api/settings/global/REPORT_ATTACH_TEST_REPORT/', { value: true })
    assert.equal((await print(viewer)).status, 200)
    assert.deepEqual(await readAttachments(), [])
    assert.equal((await print(member)).status, 200)
    assert.equal((await print(member, '&format=pdf')).status, 200)
    const attachments = await readAttachments()
    assert.deepEqual(
      attachments.map(({ stock_item, filename, user }: Record<string, unknown>) => [stock_item, filename, user]),
      [1, 2, 1, 2].map((item) => [item, 'test_report.pdf', service.getPk('member')]),
    )
    const { token } = (await member.get('/api/user/token/')).body
    const { pathname } = new URL(attachments[0].attachment)
    const file = await service.app.inject({ method: 'GET', url: pathname, headers: { authorization: `Token ${token}` } })
    const pages = await readPdf(file.rawPayload)
    assert.match(pages[0]?.text ?? '', /Light.*300 lm/s)
    assert.equal(pages.length, 2)
  })

  it('names the unknown stock item', async () => {
    const [template] = (await member.get('/api/report/test/')).body.results
    const { status, body } = await member.get(`/api/report/test/${template.pk}/print/?item=999999`)
    assert.deepEqual([status, body], [400, { item: ['There is no stock item 999999.'] }])
  })
})
