/**
 * The specification of the service as a test: one row for each operation of its tables, written from the specification and not from the
 * code, so that the two are compared. The tables are in `specification/`, one file for each area, and the fields of the objects in
 * `specification/resources.ts`; `specification/checks.ts` derives checks from a row.
 *
 * The service runs in its default wire form. An operation is called as described in its row, without further parameters or fields. If a
 * decision (docs/decisions.md) settles what the specification leaves open, the row refers to it.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authenticationRows } from './specification/authentication.ts'
import { barcodeRows } from './specification/barcodes.ts'
import { createChecks } from './specification/checks.ts'
import { labelRows } from './specification/labels.ts'
import { splitRow } from './specification/operations.ts'
import { pluginRows } from './specification/plugins.ts'
import { purchaseOrderRows } from './specification/purchase-orders.ts'
import { reportRows } from './specification/reports.ts'
import { settingRows } from './specification/settings.ts'
import { createFixture } from './specification/test-data.ts'

/** Number of operations in the tables of the specification. */
const OPERATIONS = 108

const tables = [authenticationRows, purchaseOrderRows, pluginRows, labelRows, reportRows, barcodeRows, settingRows]
const operations = tables.flat().flatMap(splitRow)
const fixture = await createFixture()

describe('the tables of the specification', () => {
  it(`have ${OPERATIONS} operations, each once`, () => {
    assert.equal(operations.length, OPERATIONS)
    assert.equal(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size, OPERATIONS)
  })
})

for (const operation of operations)
  describe(`${operation.method} ${operation.path}`, () => {
    for (const { title, run } of createChecks(operation)) it(title, () => run(fixture))
  })
