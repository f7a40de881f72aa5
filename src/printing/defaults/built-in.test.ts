import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BUILD_STATUS } from '../../resources/build/build-status.ts'
import { RO_LINE_STATUS } from '../../resources/order/ro-line/ro-line-status.ts'
import { STOCK_STATUS } from '../../resources/stock/stock-status.ts'
import { testService } from '../../testing/service.ts'
import { getTemplateModel, isLabel, isListed, LABEL_KINDS, REPORT_KINDS, TEMPLATE_MODELS, type TemplateKind } from '../kinds.ts'
import { german } from '../template/languages/german.ts'
import { baseTemplates } from './bases.ts'
import { builtInTemplates } from './built-in.ts'

const service = await testService()

describe('a new database', () => {
  it('has a template for each included file, and no other', async () => {
    const templates = []
    // kinds without a list of their own are in those of all kinds
    const others = Object.values(TEMPLATE_MODELS)
      .flatMap(({ label, report }): TemplateKind[] => [label, report])
      .filter((kind) => !isListed(kind))
    for (const kind of [...LABEL_KINDS, ...REPORT_KINDS, ...others]) {
      const area = isLabel(kind) ? 'label' : 'report'
      const list = isListed(kind) ? `/api/${kind}/` : `/api/${area}/template/?model_type=${getTemplateModel(kind)}`
      const { status, body, text } = await service.viewer.get(list)
      assert.equal(status, 200, text)
      for (const {
        name,
        description,
        label,
        template,
        width,
        height,
        filename_pattern: filename,
        problems,
        enabled,
      } of body.results ?? body) {
        assert.deepEqual([problems, enabled], [[], true])
        const path = new URL(label ?? template, 'http://stockroom.test').pathname.replace('/media/', '')
        templates.push({ kind, path, name, description, filename, size: isLabel(kind) ? { width, height } : undefined })
        const file = await service.viewer.get(`/media/${path}`)
        assert.deepEqual([file.status, file.text], [200, builtInTemplates.find((one) => one.path === path)?.text])
      }
    }
    const compareByPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1)
    const builtIn = builtInTemplates.map(({ text, ...rest }) => rest)
    assert.deepEqual(templates.toSorted(compareByPath), builtIn.toSorted(compareByPath))
  })
})

describe('the texts of the built-in templates', () => {
  it('have a German translation, and no other text has one', () => {
    const sources = [...builtInTemplates.map(({ text }) => text), ...baseTemplates.liquid.values()].join('')
    const texts = new Set(sources.match(/(?<=")[^"]*(?=" \| translate: language)/g))
    for (const text of texts) assert.ok(Object.hasOwn(german, text), text)
    // of stock items, build orders and the outcomes of returns
    const states = [BUILD_STATUS, STOCK_STATUS, RO_LINE_STATUS].flatMap((codes) => Object.values(codes).map(({ label }) => label))
    for (const label of states) assert.ok(Object.hasOwn(german, label), label)
    const unused = Object.keys(german).filter((text) => !texts.has(text) && !states.includes(text))
    assert.deepEqual(unused, [])
  })
})
