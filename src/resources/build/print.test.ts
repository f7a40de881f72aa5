import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { assertCallers, type Client, testService } from '../../testing/service.ts'
import { createCaller, createRenderer } from '../printing/fixture.ts'
import { fillStock } from '../stock/fixture.ts'

const service = await testService(await preparePrinting())
const { superuser } = service
const { part, build, bom, linesOf, stock, allocate, begin } = createBuildHelpers(service)
const { texts, reader } = createRenderer(service)
const REPORT = { kind: 'report/build', template: { name: 'Build' } } as const
const LABEL = { kind: 'label/buildline', template: { name: 'Line', width: 125, height: 48 } } as const

const fixtures = { order: 0, other: 0, line: 0, leg: 0, output: 0 }

before(async () => {
  await fillStock(service)
  const [table, chair] = [await part({ assembly: true, is_template: true }), await part({ assembly: true })]
  await service.rows('update part set variant_of = $1 where pk = $2', [table, chair])
  const [leg, seat] = [await part(), await part()]
  for (const [pk, name, IPN] of [
    [chair, 'Garden chair', 'CHAIR'],
    [leg, 'Oak leg', 'LEG'],
    [seat, 'Woven seat', 'SEAT'],
  ])
    assert.equal((await superuser.patch(`/api/part/${pk}/`, { name, IPN })).status, 200)
  await bom(table, leg, 4, { inherited: true, reference: 'L1, L2' })
  await bom(table, seat, 9)
  await bom(chair, seat)
  const order = await build(chair, 3, { reference: 'BO-0301', title: 'For the terrace' })
  const [{ pk: line }] = await linesOf(order)
  assert.equal((await allocate(order, line, await stock(leg, 20), 5)).status, 201)
  const [output = 0] = await begin(order, 2)
  const other = await build(chair, 7, { reference: 'BO-0302', parent: order })
  Object.assign(fixtures, { order, other, line, leg, output })
})

/** Downloads a PDF as a client does, and returns its pages. */
async function readPages(url: string) {
  const { token } = (await service.member.get('/api/user/token/')).body
  const response = await service.app.inject({ method: 'GET', url, headers: { authorization: `Token ${token}` } })
  assert.equal(response.statusCode, 200, response.payload)
  return readPdf(response.rawPayload)
}

const readFirstKey = async (path: string): Promise<number> => (await superuser.get(path)).body.results[0].pk

describe('GET /api/report/build/{id}/print/', () => {
  it('prints build orders and their components with the built-in template', {
    skip: printingUnsupported,
  }, async () => {
    const pk = await readFirstKey('/api/report/build/')
    const pages = await readPages(`/api/report/build/${pk}/print/?builds=${fixtures.order},${fixtures.other}&format=pdf`)
    const [first = '', second = '', ...extraPages] = pages.map(({ text }) => text)
    assert.deepEqual(extraPages, [])
    for (const text of [
      'BO-0301',
      '3 × ',
      'Garden chair',
      'For the terrace',
      'Oak leg',
      'LEG',
      'L1, L2',
      '12',
      '5',
      'Woven seat',
    ])
      assert.ok(first.includes(text), `${text} in ${first}`)
    assert.match(second, /BO-0302/)
    assert.match(second, /28/)
    assert.doesNotMatch(second, /Build order BO-0301/)
  })

  it('provides the variables of a build order as whole objects', async () => {
    const source = `{{ reference }} {{ title }} {{ quantity }} {{ part.IPN }}
      {%- for item in bom_items %} {{ item.quantity }}x{{ item.sub_part.IPN }}{% endfor %}
      {%- for line in line_items %} {{ line.quantity }}/{{ line.allocated }}={{ line.bom_item.sub_part.IPN }}{% endfor %}
      {%- for output in build_outputs %} {{ output.pk }}:{{ output.quantity }}{% endfor %}
      {%- for one in build.sub_builds %} {{ one.reference }}<{{ one.parent.reference }}{% endfor %}`
    assert.deepEqual(await texts(source, { ...REPORT, items: [fixtures.order] }), [
      `BO-0301 For the terrace 3 CHAIR 4xLEG 1xSEAT 12/5=LEG 3/0=SEAT ${fixtures.output}:2 BO-0302<BO-0301`,
    ])
  })

  it('provides the names used by templates of InvenTree', async () => {
    const lines =
      '{% for line in build.build_lines.all %} {{ line.part.IPN }}-{{ line.unallocated_quantity }}-{{ line.is_fully_allocated }}{% endfor %}'
    const outputs = '{% for output in build.incomplete_outputs %} {{ output.id }}{% endfor %}{{ build.complete_outputs|length }}'
    const source = `{% load report %}{{ build.id }} {{ build.remaining }} {{ build.get_absolute_url }}${lines}${outputs}`
    assert.deepEqual(await texts(source, { ...REPORT, items: [fixtures.order] }), [
      `${fixtures.order} 3 /build/${fixtures.order}/ LEG-7-False SEAT-3-False ${fixtures.output}0`,
    ])
  })

  it('hides other objects from callers who may only view builds', async () => {
    const roles = new Map([['build', new Set(['view'] as const)]])
    const caller = createCaller(service.getPk('member'), { isSuperuser: false, isStaff: false, roles })
    const source = '{{ reference }} {{ line_items.size }} [{{ part.IPN }}{{ build_outputs.size }}]'
    assert.deepEqual(await texts(source, { ...REPORT, items: [fixtures.order], reader: reader(caller) }), ['BO-0301 2 []'])
  })

  it("rejects a missing build order, and one that does not match the template's filters", async () => {
    const created = await superuser.post('/api/report/build/', {
      name: 'Of one',
      description: 'to try',
      template: 'data:text/html,{{ reference }}',
      filters: 'part__IPN=CHAIR,quantity__lte=3',
    })
    assert.equal(created.status, 201, created.text)
    const print = (build: number) => superuser.get(`/api/report/build/${created.body.pk}/print/?build=${build}`)
    assert.deepEqual(Object.keys((await print(999_999)).body), ['build'])
    assert.match((await print(fixtures.other)).body.non_field_errors[0], /does not apply/)
    if (!printingUnsupported) assert.equal((await print(fixtures.order)).status, 200)
    const isListed = async (build: number) =>
      (await superuser.get(`/api/report/build/?build=${build}`)).body.results.some(
        ({ pk }: { pk: number }) => pk === created.body.pk,
      )
    assert.deepEqual([await isListed(fixtures.order), await isListed(fixtures.other)], [true, false])
  })

  it('requires the permission to view builds', { skip: printingUnsupported }, async () => {
    const pk = await readFirstKey('/api/report/build/')
    const print = (client: Client) => client.get(`/api/report/build/${pk}/print/?build=${fixtures.order}`)
    await assertCallers(service, print, ['viewer', 'member', 'superuser'])
  })
})

describe('GET /api/label/buildline/{id}/print/', () => {
  it('prints the component of a line and its source', { skip: printingUnsupported }, async () => {
    const pk = await readFirstKey('/api/label/buildline/')
    const printResponse = await service.member.get(`/api/label/buildline/${pk}/print/?line=${fixtures.line}`)
    assert.equal(printResponse.status, 200, printResponse.text)
    const [page, ...extraPages] = await readPages(new URL(printResponse.body.file).pathname)
    assert.deepEqual([Math.round(page?.width ?? 0), Math.round(page?.height ?? 0), extraPages], [125, 48, []])
    const { body: leg } = await superuser.get(`/api/part/${fixtures.leg}/`)
    for (const text of ['BO-0301', leg.name, '12', '5', 'L1, L2', 'From'])
      assert.ok(page?.text.includes(text), `${text} in ${page?.text}`)
  })

  it('provides the variables of a line', async () => {
    const source = `{{ build_line.pk }} {{ build.reference }} {{ build.part.IPN }} {{ bom_item.quantity }} {{ part.IPN }}
      {{- quantity | prepend: " " }} {{ allocated_quantity }}
      {%- for one in allocations %} {{ one.quantity }}/{{ one.stock_item.quantity }} {{ one.build.reference }}{% endfor %}`
    assert.deepEqual(await texts(source, { ...LABEL, items: [fixtures.line] }), [
      `${fixtures.line} BO-0301 CHAIR 4 LEG 12 5 5/20 BO-0301`,
    ])
  })

  it('requires the permission to view builds', { skip: printingUnsupported }, async () => {
    const pk = await readFirstKey('/api/label/buildline/')
    const print = (client: Client) => client.get(`/api/label/buildline/${pk}/print/?line=${fixtures.line}`)
    await assertCallers(service, print, ['viewer', 'member', 'superuser'])
  })
})
