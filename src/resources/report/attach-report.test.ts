import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createFilesFolder } from '../../testing/files.ts'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { testService } from '../../testing/service.ts'

const service = await testService({ ...(await preparePrinting()), DATA_DIR: createFilesFolder().dataDir })
const { member, viewer, superuser } = service

describe('GET /api/report/test/{id}/print/', { skip: printingUnsupported }, () => {
  it('attaches the report to its items while REPORT_ATTACH_TEST_REPORT is on, if the caller can add attachments', async () => {
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

describe('templates with attach_to_model and merge', { skip: printingUnsupported }, () => {
  /** Creates a template, and returns its key in the list of its kind. */
  const create = async (body: object, text: string) => {
    const template = `data:text/html,${encodeURIComponent(text)}`
    const created = await member.post('/api/report/template/', {
      name: 'Order sheet',
      description: 'Ours',
      model_type: 'purchaseorder',
      filename_pattern: '{{ reference }}.pdf',
      template,
      ...body,
    })
    assert.equal(created.status, 201, created.text)
    const [{ kind_pk }] = await service.rows('select kind_pk from report_template where pk = $1', [created.body.pk])
    return kind_pk as number
  }
  const readPages = async (fileUrl: string) => {
    const { token } = (await member.get('/api/user/token/')).body
    const url = new URL(fileUrl).pathname
    const { rawPayload } = await service.app.inject({ method: 'GET', url, headers: { authorization: `Token ${token}` } })
    return (await readPdf(rawPayload)).map(({ text }) => text.trim())
  }
  before(() =>
    service.pool.query(`
      insert into company (pk, name, currency) overriding system value values (1, 'Acme', 'EUR');
      insert into purchase_order (pk, reference, supplier, total_price_currency) overriding system value values
        (1, 'PO-0001', 1, 'EUR'), (2, 'PO-0002', 1, 'EUR')`),
  )

  it('attach to each object its own document', async () => {
    const pk = await create({ attach_to_model: true }, '<p>{{ reference }}</p>')
    const { body } = await member.get(`/api/report/po/${pk}/print/?orders=1,2`)
    assert.deepEqual(await readPages(body.file), ['PO-0001', 'PO-0002'])
    const { results } = (await member.get('/api/attachment/?model_type=purchaseorder&ordering=model_id')).body
    assert.deepEqual(
      results.map(({ model_id, filename, comment }: any) => [model_id, filename, comment]),
      [
        [1, 'PO-0001.pdf', 'Order sheet'],
        [2, 'PO-0002.pdf', 'Order sheet'],
      ],
    )
    assert.deepEqual(await readPages(results[0].attachment), ['PO-0001'])
    assert.deepEqual(await readPages(results[1].attachment), ['PO-0002'])
    assert.equal((await viewer.get(`/api/report/po/${pk}/print/?orders=1`)).status, 200)
    assert.equal((await member.get('/api/attachment/?model_type=purchaseorder')).body.count, 2)
  })

  it('print all objects in one document', async () => {
    const source =
      '<p>{% for one in instances %}{{ one.reference }} of {{ one.supplier.name }}. {% endfor %}{{ instances.size }}</p>'
    const pk = await create({ merge: true }, source)
    const { body } = await member.get(`/api/report/po/${pk}/print/?orders=2,1`)
    assert.deepEqual(await readPages(body.file), ['PO-0002 of Acme. PO-0001 of Acme. 2'])
    const sample = await member.get(`/api/report/po/${pk}/print/`)
    assert.match((await readPages(sample.body.file))[0] ?? '', /PO-SAMPLE of Sample supplier\. 1/)
  })
})
