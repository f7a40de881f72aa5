import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { packFiles } from '../../testing/servers/npm-registry.ts'
import { unpackPackage } from './unpack-package.ts'

const root = mkdtempSync(join(tmpdir(), 'stockroom-unpack-'))
after(() => rmSync(root, { recursive: true, force: true }))
let folderCount = 0
const unpack = async (archive: Buffer | Readable, budget = { bytes: 1e6, files: 10 }, signal = new AbortController().signal) => {
  const folder = join(root, `${++folderCount}`)
  await unpackPackage(archive, { folder, budget, signal })
  return readdirSync(folder).sort()
}
const archive = await packFiles({ 'package.json': '{}', a: 'a', b: 'b'.repeat(10_000) })

describe('unpackPackage', () => {
  it('unpacks compressed and plain archives, and streams', async () => {
    const expected = ['a', 'b', 'package.json']
    assert.deepEqual(await unpack(archive), expected)
    assert.deepEqual(await unpack(gunzipSync(archive)), expected)
    assert.deepEqual(await unpack(Readable.from([gunzipSync(archive)])), expected)
  })

  it('stops at its limits of bytes and files, which all packages share', async () => {
    await assert.rejects(unpack(archive, { bytes: 5_000, files: 10 }), /too large/)
    await assert.rejects(unpack(archive, { bytes: 1e6, files: 2 }), /too large/)
    const budget = { bytes: 1e6, files: 5 }
    await unpack(archive, budget)
    await assert.rejects(unpack(archive, budget), /too large/)
    // the rest is not even read
    const names = ['package.json', ...Array.from({ length: 3_000 }, (_, index) => `f${index}`)].map((name) => [name, '{}'])
    const limits = { bytes: 1e8, files: 2 }
    await assert.rejects(unpack(await packFiles(Object.fromEntries(names)), limits), /too large/)
    assert.ok(limits.files > -1_000, `${limits.files} files`)
  })

  it('rejects data that is not an archive, and stops when it is aborted', async () => {
    for (const bytes of [Buffer.from('no archive'), archive.subarray(0, 100), Buffer.alloc(0)])
      await assert.rejects(unpack(bytes), /The archive of the package cannot be read/)
    await assert.rejects(unpack(archive, undefined, AbortSignal.abort()), { name: 'AbortError' })
  })
})
