import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { makeFolder } from './make-folder.ts'

const tempFolder = mkdtempSync(join(tmpdir(), 'stockroom-folder-'))
after(() => rmSync(tempFolder, { recursive: true }))

describe('makeFolder', () => {
  it('creates a folder and its parents, and accepts an existing one', () => {
    const folder = join(tempFolder, 'one', 'two', 'three')
    makeFolder(folder)
    makeFolder(folder)
    assert.ok(existsSync(folder))
  })

  it('throws if the folder cannot be created', () => {
    writeFileSync(join(tempFolder, 'file'), '')
    assert.throws(() => makeFolder(join(tempFolder, 'file')), { code: 'EEXIST' })
    assert.throws(() => makeFolder(join(tempFolder, 'file', 'below')), { code: 'ENOTDIR' })
  })

  it('throws in /proc instead of hanging', { skip: !existsSync('/proc/self') }, () => {
    assert.throws(() => makeFolder('/proc/stockroom'), { code: 'ENOENT' })
    assert.throws(() => makeFolder('/proc/stockroom/data'), { code: 'ENOENT' })
  })
})
