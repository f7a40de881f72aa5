import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nameRelease, parseRelease } from './release.ts'

describe('the release of InvenTree that wrote a dump', () => {
  it('is in its first element since 1.3', () => {
    const release = parseRelease({ metadata: true, source_version: '1.5.0', api_version: 530 })
    assert.equal(nameRelease(release, []), '1.5.0 (API 530)')
    assert.equal(nameRelease(parseRelease({ metadata: true, source_version: '\u001b[2J' }), []), 'unknown')
  })

  it('is not a record', () => {
    for (const element of [null, 1, [], {}, { model: 'part.part', metadata: true }, { metadata: { metadata: true } }])
      assert.equal(parseRelease(element), undefined)
  })

  it('follows from its models before', () => {
    assert.equal(nameRelease(undefined, ['part.part', 'label.partlabel']), '0.12 to 0.15')
    assert.equal(nameRelease(undefined, ['report.labeltemplate']), '0.16 to 1.1')
    assert.equal(nameRelease(undefined, ['report.labeltemplate', 'common.parameter']), '1.2 or newer')
    assert.equal(nameRelease(undefined, ['part.part']), undefined)
  })
})
