import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from '../paths.ts'
import { databasePerTest } from '../testing/database.ts'
import { formatDatabaseDocument } from './database-document.ts'

describe('docs/database.md', () => {
  const getPool = databasePerTest()

  it('shows the database that the migrations make', async () => {
    const stored = readFileSync(join(ROOT, 'docs/database.md'), 'utf8')
    assert.equal(await formatDatabaseDocument(getPool()), stored, 'run "npm run documents"')
  })

  it('cannot be written if a table has no purpose', async () => {
    await getPool().query('create table thing (pk integer primary key)')
    await assert.rejects(formatDatabaseDocument(getPool()), /the table thing has no comment/)
  })

  it('cannot be written if a function has no purpose, or the function of a purpose is gone', async () => {
    await getPool().query('alter function yes_or_no rename to no_or_yes')
    await assert.rejects(formatDatabaseDocument(getPool()), /no_or_yes\(\) has no purpose.*; there is no function yes_or_no\(\)/)
  })
})
