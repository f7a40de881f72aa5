import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder } from '../../testing/files.ts'
import { testService } from '../../testing/service.ts'
import { checkTemplates } from './check-templates.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { services } = service.app.routes

const readProblems = async (url: string): Promise<string[]> => (await service.superuser.get(url)).body.problems

/** Inserts a row as an import does, with its file if there is one. */
async function importTemplate(
  table: string,
  values: Record<string, string>,
  file?: [path: string, text: string],
): Promise<number> {
  const names = Object.keys(values)
  const placeholders = names.map((_, index) => `$${index + 1}`)
  const [{ pk }] = await service.rows(
    `insert into ${table} (${names.join()}) values (${placeholders.join()}) returning pk`,
    Object.values(values),
  )
  if (file) await services.files.write(file[0], [Buffer.from(file[1])])
  return pk
}

describe('unchecked templates', () => {
  it('are checked, and their problems are reported', async () => {
    const path = 'label/template/part/bin.html'
    const label = await importTemplate('part_label', { name: 'Bin', label: path }, [
      path,
      '{% load barcode humanize %}\n{% qr_code qr_data %}',
    ])
    const broken = 'report/report_template/purchaseorder/broken.html'
    const report = await importTemplate('purchase_order_report', { name: 'Broken', description: 'x', template: broken }, [
      broken,
      '\n{% if %}',
    ])
    const piece = 'report/snippets/piece.html'
    const snippet = await importTemplate('report_snippet', { snippet: piece, description: 'x' }, [piece, '{{ name | shout }}'])
    const missingTemplate = await importTemplate('stock_item_label', {
      name: 'Gone',
      label: 'label/template/stockitem/gone.html',
    })
    const outsideTemplate = await importTemplate('stock_item_label', { name: 'Odd', label: '../../etc/passwd' })
    const externalTemplate = await importTemplate('stock_item_label', { name: 'Far', label: 'https://files.example/label.html' })
    await checkTemplates(services)
    const [first, second] = await readProblems(`/api/label/part/${label}/`)
    assert.match(`${first} ${second}`, /library "humanize".*line 1.*qr_code.*line 2/s)
    assert.match((await readProblems(`/api/report/po/${report}/`))[0] ?? '', /line 2/)
    assert.match((await readProblems(`/api/report/snippet/${snippet}/`))[0] ?? '', /shout/)
    for (const pk of [missingTemplate, outsideTemplate, externalTemplate])
      assert.deepEqual(await readProblems(`/api/label/stock/${pk}/`), [])
  })

  it('lose their problems once the service supports their features', async () => {
    const path = 'label/template/location/fine.html'
    const pk = await importTemplate('stock_location_label', { name: 'Fine', label: path }, [path, '{{ location.name }}'])
    await service.rows(`update stock_location_label set problems = array['There was no filter.'] where pk = $1`, [pk])
    await checkTemplates(services, AbortSignal.abort())
    assert.equal((await readProblems(`/api/label/location/${pk}/`)).length, 1, 'an aborted check changes nothing')
    await checkTemplates(services)
    assert.deepEqual(await readProblems(`/api/label/location/${pk}/`), [])
  })
})
