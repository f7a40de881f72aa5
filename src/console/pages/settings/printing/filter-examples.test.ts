import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LABEL_KINDS, REPORT_KINDS } from '../../../../printing/kinds.ts'
import { getSubject } from '../../../../resources/printing/subjects.ts'
import { findFilterError } from '../../../../resources/printing/template-fields.ts'
import { FILTER_EXAMPLES } from './filter-examples.ts'

describe('the examples of filters', () => {
  it('are accepted, one for each kind of template', () => {
    for (const kind of [...LABEL_KINDS, ...REPORT_KINDS])
      assert.equal(findFilterError(FILTER_EXAMPLES[kind] ?? 'missing', getSubject(kind)), undefined, kind)
  })
})
