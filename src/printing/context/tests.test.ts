import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createCaller, createRenderer } from '../../resources/printing/fixture.ts'
import { getSubject } from '../../resources/printing/subjects.ts'
import { testService } from '../../testing/service.ts'

const service = await testService()
const { texts, statements, reader } = createRenderer(service)

let items: number[]
before(async () => {
  await service.pool.query(`
    insert into part (pk, name, trackable, is_template, variant_of) overriding system value values
      (1, 'Lamp', true, true, null), (2, 'Red lamp', true, false, 1), (3, 'Bulb', true, false, null);
    insert into part_test_template (pk, part, test_name, key, required, enabled) overriding system value values
      (1, 1, 'Look', 'look', false, true), (2, 2, 'Light', 'light', true, true), (3, 1, 'Old', 'old', true, false),
      (4, 3, 'Glow', 'glow', true, true);
    insert into stock_item (pk, part, quantity, serial, belongs_to, purchase_price_currency) overriding system value values
      (1, 2, 1, '7', null, 'EUR'), (2, 3, 1, '8', 1, 'EUR'), (3, 2, 1, '9', null, 'EUR');
    insert into stock_item_test_result (stock_item, template, result, value, date, "user") values
      (1, 2, true, '300', '2026-01-02', ${service.getPk('member')}), (1, 2, false, '20', '2026-01-01', null),
      (1, 3, true, 'ok', '2026-01-01', null), (2, 4, true, 'warm', '2026-01-01', null), (3, 2, false, '1', '2026-01-01', null)`)
  items = [1, 3]
})
const template = { name: 'Tests' }
const SOURCE = `{{ part.name }} {{ serial }}:{% for key in test_keys %} {{ key }}={{ results[key].value }}/{{ results[key].result }}/{{ results[key].user }}/{{ test_template_map[key].test_name }}{% endfor %} ({{ test_template_list.size }} {{ result_list.size }}){% for item in installed_items %} {{ item.part.name }} {{ item.serial }}{% endfor %}`

describe('template variables of test reports', () => {
  it('are the newest result of each test: required, other and inactive ones', async () => {
    const [first, second] = await texts(SOURCE, { kind: 'report/test', template, items })
    assert.equal(first, 'Red lamp 7: light=300/true/member/Light look=///Look old=ok/true// (2 2) Bulb 8')
    assert.equal(second, 'Red lamp 9: light=1/false//Light look=///Look (2 1)')
  })

  it('include results of installed items if the template requests it', async () => {
    const [first] = await texts('{% for result in result_list %}{{ result.test_name }} {% endfor %}', {
      kind: 'report/test',
      template: { ...template, include_installed: true },
      items,
    })
    assert.equal(first, 'Light Old Glow')
  })

  it('take as many statements for many items as for one', async () => {
    const countStatements = async (itemPks: number[]) => {
      statements.length = 0
      await texts(SOURCE, { kind: 'report/test', template, items: itemPks })
      return statements.length
    }
    assert.equal(await countStatements([1, 3]), await countStatements([1]))
  })

  it('are those of a sample without items', async () => {
    const [text] = await texts(SOURCE, { kind: 'report/test', template })
    assert.match(text ?? '', /^Sample assembly 1007: supplycurrent=48 mA\/true\/robin\/Supply current appearance=/)
  })

  it('omit the part for callers who cannot view parts', async () => {
    const caller = createCaller(service.getPk('member'), {
      isSuperuser: false,
      isStaff: false,
      roles: new Map([['stock', new Set(['view'] as const)]]),
    })
    const [text] = await texts(SOURCE, { kind: 'report/test', template, items, reader: reader(caller) })
    assert.match(text ?? '', /^7: light=300/)
  })

  it('are also available to stock labels', async () => {
    assert.deepEqual(await texts('{{ tests.light.value }}', { kind: 'label/stock', items }), ['300', '1'])
  })

  it('belong to stock items', () => assert.equal(getSubject('report/test').objects?.path, '/api/stock/'))
})
