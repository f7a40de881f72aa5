import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'
import { rendering } from '../fixture.ts'
import { LABEL_KINDS, REPORT_KINDS } from '../kinds.ts'
import { compileTemplate } from '../template/compile.ts'
import { baseTemplates } from './bases.ts'
import { shippedTemplate, shippedTemplates } from './shipped.ts'

const { render } = rendering(await testService())

describe('templates that come with the service', () => {
  it('are there for every kind, under the paths that existing systems have', () => {
    assert.deepEqual(new Set(shippedTemplates.map(({ kind }) => kind)), new Set([...LABEL_KINDS, ...REPORT_KINDS]))
    assert.match(shippedTemplate('label/inventree/part/part_label.html') ?? '', /qrcode/)
    assert.equal(shippedTemplate('label/inventree/part/other.html'), undefined)
  })

  for (const [name, text] of [...shippedTemplates.map(({ path, text }) => [path, text] as const), ...baseTemplates])
    it(`${name} has no problems`, () => assert.deepEqual(compileTemplate(text), { problems: [] }))

  for (const { kind, path, name, description, size, text } of shippedTemplates)
    it(`${path} shows its sample`, async () => {
      const { document } = await render(text, { kind, template: { name, description, ...size } })
      assert.doesNotMatch(document(), /\{\{|\{%|undefined|\[object|null</)
      assert.match(document(), /Resistor|data:image|Audio amplifier|Example/)
    })
})
