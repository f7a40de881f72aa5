import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'
import { isLabel, LABEL_KINDS, REPORT_KINDS } from '../kinds.ts'
import { shippedTemplates } from './shipped.ts'

const service = await testService()

describe('a new database', () => {
  it('has a template for each included file, and no other', async () => {
    const templates = []
    for (const kind of [...LABEL_KINDS, ...REPORT_KINDS]) {
      const { status, body, text } = await service.viewer.get(`/api/${kind}/`)
      assert.equal(status, 200, text)
      for (const { name, description, label, template, width, height, problems, enabled } of body.results) {
        assert.deepEqual([problems, enabled], [[], true])
        const path = new URL(label ?? template).pathname.replace('/media/', '')
        templates.push({ kind, path, name, description, size: isLabel(kind) ? { width, height } : undefined })
        const file = await service.viewer.get(`/media/${path}`)
        assert.deepEqual([file.status, file.text], [200, shippedTemplates.find((one) => one.path === path)?.text])
      }
    }
    const compareByPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1)
    const shipped = shippedTemplates.map(({ text, ...rest }) => rest)
    assert.deepEqual(templates.toSorted(compareByPath), shipped.toSorted(compareByPath))
  })
})
