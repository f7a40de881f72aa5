import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { readPdf } from '../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../testing/printing.ts'
import { testService } from '../testing/service.ts'

const service = await testService(await preparePrinting())
const { member, superuser } = service

const TEXT = '贴片电阻 저항 コンデンサ'
const toDataUrl = (text: string) => `data:text/html,${encodeURIComponent(text)}`
/** InvenTree templates that name a font, or use only the base of all labels. */
const LABELS = {
  'a list of fonts':
    '{% extends "label/label_base.html" %}{% load barcode %}{% block style %}div{font-family: Arial, Helvetica, sans-serif;}{% endblock %}{% block content %}<div>{{ part.name }}</div>{% endblock %}',
  'the base alone':
    '{% extends "label/label_base.html" %}{% load barcode %}{% block content %}<div>{{ part.name }}</div>{% endblock %}',
  'a font in an element':
    '{% extends "label/label_base.html" %}{% block content %}<div style="font: 4mm Courier, monospace">{{ part.name }}</div>{% endblock %}',
}
const REPORT = `{% extends "report/inventree_report_base.html" %}
{% load report %}
{% block style %}.a{font-family: Arial, sans-serif}{% endblock %}
{% block header_content %}<h3>贴片 مقاوم {{ reference }}</h3>{% endblock %}
{% block page_content %}<p>${TEXT}</p><p class="a">${TEXT} Ελληνικά Кириллица</p>{% endblock page_content %}`

async function create(path: string, body: object): Promise<number> {
  const response = await superuser.post(path, body)
  assert.equal(response.status, 201, response.text)
  return response.body.pk
}

describe('characters of every script', { skip: printingUnsupported }, () => {
  let category: number
  before(async () => {
    category = await create('/api/part/category/', { name: 'Parts' })
  })
  const createLabel = (text: string) =>
    create('/api/label/part/', { name: 'A label', width: 90, height: 40, label: toDataUrl(text) })
  const createPart = (name: string) => create('/api/part/', { name, category })
  const createAuthorization = async () => ({ authorization: `Token ${(await member.get('/api/user/token/')).body.token}` })
  async function readText(file: string): Promise<string> {
    const { rawPayload } = await service.app.inject({
      method: 'GET',
      url: new URL(file).pathname,
      headers: await createAuthorization(),
    })
    return (await readPdf(rawPayload)).map(({ text }) => text).join(' ')
  }
  const removeSpaces = (message: string) => message.replaceAll(/\s/g, '')

  for (const [name, text] of Object.entries(LABELS))
    it(`are printed on a label whose template has ${name}`, async () => {
      const [template, partPk] = [await createLabel(text), await createPart(`${TEXT} ${name}`)]
      const response = await member.get(`/api/label/part/${template}/print/?part=${partPk}`)
      assert.deepEqual([response.status, 'warnings' in response.body], [200, false], response.text)
      assert.ok(removeSpaces(await readText(response.body.file)).includes(removeSpaces(TEXT)))
    })

  it('are printed in a report, whatever fonts its template names', async () => {
    const supplier = await create('/api/company/', { name: 'Supplier', is_supplier: true, currency: 'EUR' })
    const order = await create('/api/order/po/', { reference: 'PO-0001', supplier, description: 'To try' })
    const template = await create('/api/report/po/', { name: 'A report', description: 'to try', template: toDataUrl(REPORT) })
    const response = await member.get(`/api/report/po/${template}/print/?order=${order}`)
    assert.deepEqual([response.status, 'warnings' in response.body], [200, false], response.text)
    const text = removeSpaces(await readText(response.body.file))
    assert.equal(text.split(removeSpaces(TEXT)).length, 3, text)
    for (const words of ['Ελληνικά', 'Кириллица', '贴片']) assert.ok(text.includes(words), text)
  })

  it('are reported by prints, previews and background prints if no font has them', async () => {
    const [template, partPk] = [await createLabel(LABELS['a list of fonts']), await createPart('Cap \u{1f600} \u0e01')]
    const path = `/api/label/part/${template}/print/?part=${partPk}`
    const response = await member.get(path)
    assert.equal(response.status, 200, response.text)
    const [warning] = response.body.warnings
    assert.equal(warning.code, 'characters_missing')
    assert.deepEqual([...warning.parameters.characters].sort(), ['\u0e01 (U+0E01)', '\u{1f600} (U+1F600)'])
    const preview = await service.app.inject({
      method: 'GET',
      url: `/api/label/part/${template}/preview/?part=${partPk}`,
      headers: await createAuthorization(),
    })
    assert.equal(preview.statusCode, 200)
    assert.match(String(preview.headers.warning), /^299 - ".*U\+1F600/)
    const key = { prefer: 'respond-async', 'idempotency-key': crypto.randomUUID() }
    const jobResponse = await member.get(path, key)
    let { body: job } = jobResponse
    while (job.status === 'waiting' || job.status === 'running') job = (await member.get(`/api/print-job/${job.id}/`)).body
    assert.deepEqual([job.status, job.warnings.map(({ code }: { code: string }) => code)], ['done', ['characters_missing']])
  })

  it('cause no warning in a background print if a font has them', async () => {
    const [template, partPk] = [await createLabel(LABELS['the base alone']), await createPart('Plain')]
    const path = `/api/label/part/${template}/print/?part=${partPk}`
    let { body: job } = await member.get(path, { prefer: 'respond-async', 'idempotency-key': crypto.randomUUID() })
    while (job.status === 'waiting' || job.status === 'running') job = (await member.get(`/api/print-job/${job.id}/`)).body
    assert.deepEqual([job.status, job.warnings], ['done', []])
  })
})
