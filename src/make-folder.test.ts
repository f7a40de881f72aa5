import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { makeFolder } from './make-folder.ts'

const place = mkdtempSync(join(tmpdir(), 'stockroom-folder-'))
after(() => rmSync(place, { recursive: true }))

describe('makeFolder', () => {
  it('makes a folder with those that it lies in, and leaves one that is there', () => {
    const folder = join(place, 'one', 'two', 'three')
    makeFolder(folder)
    makeFolder(folder)
    assert.ok(existsSync(folder))
  })

  it('ends with an error where no folder can be made', () => {
    writeFileSync(join(place, 'file'), '')
    assert.throws(() => makeFolder(join(place, 'file')), { code: 'EEXIST' })
    assert.throws(() => makeFolder(join(place, 'file', 'below')), { code: 'ENOTDIR' })
  })

  it('ends in a file system that takes none', { skip: !existsSync('/proc/self') }, () => {
    assert.throws(() => makeFolder('/proc/stockroom'), { code: 'ENOENT' })
    assert.throws(() => makeFolder('/proc/stockroom/data'), { code: 'ENOENT' })
  })
})
