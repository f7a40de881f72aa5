import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { samples } from '../../resources/barcode/sample-codes.ts'
import { parseInternalCode } from './own-code.ts'

describe('internal codes', () => {
  it('are recognized without a request, in both forms', () => {
    assert.deepEqual(parseInternalCode('{"stockitem": 12}'), { kind: 'stockitem', pk: 12 })
    assert.deepEqual(parseInternalCode(' {"stocklocation":7} '), { kind: 'stocklocation', pk: 7 })
    assert.deepEqual(parseInternalCode('INV-SL7'), { kind: 'stocklocation', pk: 7 })
    assert.deepEqual(parseInternalCode('INV-PO120'), { kind: 'purchaseorder', pk: 120 })
  })

  it('are recognized in no other form', () => {
    for (const code of [...Object.values(samples), '{"screw": 1}', '{"part": 1, "x": 2}', 'INV-XX1', 'INV-PA', '{"part": -1}'])
      assert.equal(parseInternalCode(code), undefined)
  })
})
