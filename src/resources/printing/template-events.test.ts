import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { preparePrinting } from '../../testing/printing.ts'
import { testService } from '../../testing/service.ts'

const service = await testService(await preparePrinting())
const { superuser } = service
const actor = service.getPk('superuser')

const toFile = (text: string, name = 'template.html') => `data:text/html;name=${name},${encodeURIComponent(text)}`
const readEvents = () =>
  service.rows(`select kind, actor, details from security_event where kind like 'template%' order by pk`) as Promise<
    { kind: string; actor: number; details: Record<string, any> }[]
  >

const cases: [path: string, body: Record<string, unknown>, change: Record<string, unknown>, fileField: string][] = [
  [
    'label/part',
    { name: 'Bin', description: '', label: toFile('{{ part.name }}'), width: 60, height: 25 },
    { width: 62.5 },
    'label',
  ],
  [
    'report/build',
    { name: 'Order', description: 'x', template: toFile('{{ title }}'), page_size: 'A4' },
    { landscape: true },
    'template',
  ],
  ['report/snippet', { snippet: toFile('Thanks', 'thanks.html'), description: 'Thanks' }, { description: 'Regards' }, 'snippet'],
  ['report/asset', { asset: toFile('Terms', 'terms.html'), description: 'Terms' }, { description: 'Terms 2' }, 'asset'],
]

describe('templates', () => {
  for (const [template, body, change, fileField] of cases)
    it(`are recorded for ${template} when they are created, changed and deleted`, async () => {
      const first = (await readEvents()).length
      const created = await superuser.post(`/api/${template}/`, body)
      assert.equal(created.status, 201, created.text)
      const { pk } = created.body
      const path = `/api/${template}/${pk}/`
      assert.equal((await superuser.patch(path, change)).status, 200)
      // nothing changes, and an error changes nothing
      assert.equal((await superuser.patch(path, change)).status, 200)
      assert.equal((await superuser.patch(path, { [fileField]: 'no file' })).status, 400)
      assert.equal((await superuser.patch(path, { [fileField]: toFile('Other', 'other.html') })).status, 200)
      assert.equal((await superuser.delete(path)).status, 204)
      const [made, changed, replaced, deleted, ...rest] = (await readEvents()).slice(first)
      assert.deepEqual(rest, [])
      assert.ok(made && changed && replaced && deleted)
      const [[name, value] = []] = Object.entries(change)
      assert.deepEqual(
        [made.kind, made.actor, made.details.template_kind, made.details.pk],
        ['template_made', actor, template, pk],
      )
      assert.equal(made.details[fileField].before, null)
      assert.match(made.details[fileField].after, /\.html$/)
      assert.deepEqual([changed.kind, changed.details.pk], ['template_changed', pk])
      assert.equal(
        typeof value === 'number' ? Number(changed.details[name as string].after) : changed.details[name as string].after,
        value,
      )
      assert.equal(changed.details[fileField], undefined)
      assert.equal(replaced.details[fileField].before, made.details[fileField].after)
      assert.notEqual(replaced.details[fileField].after, replaced.details[fileField].before)
      assert.deepEqual([deleted.kind, deleted.details.pk, deleted.details[fileField].after], ['template_deleted', pk, null])
      assert.equal(deleted.details[fileField].before, replaced.details[fileField].after)
    })
})
