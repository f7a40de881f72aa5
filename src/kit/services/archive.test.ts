import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { extract } from 'tar'
import { createFilesFolder } from '../../testing/files.ts'
import { packArchive } from './archive.ts'

function createFiles(count: number) {
  const { dataDir } = createFilesFolder()
  const folder = join(dataDir, 'packed')
  mkdirSync(folder)
  for (let index = 0; index < count; index++) writeFileSync(join(folder, `${index}.bin`), randomBytes(200_000))
  return { dataDir, folder }
}

describe('an archive', () => {
  it('contains the files', async () => {
    const { dataDir } = createFiles(3)
    const stream = await packArchive({ cwd: dataDir, portable: true }, ['packed'])
    const found: string[] = []
    const reader = extract({ cwd: dataDir, strip: 1, onReadEntry: ({ path }) => found.push(path) })
    for await (const chunk of stream) reader.write(chunk)
    assert.deepEqual(found.sort(), ['packed/', 'packed/0.bin', 'packed/1.bin', 'packed/2.bin'])
  })

  it('ends with an error, and the process goes on, if files are deleted while nothing reads', async () => {
    const { dataDir, folder } = createFiles(40)
    const stream = await packArchive({ cwd: dataDir, portable: true, strict: true }, ['packed'])
    await new Promise((resolve) => stream.once('readable', resolve))
    const failed = new Promise<Error>((resolve) => stream.once('error', resolve))
    rmSync(folder, { recursive: true })
    stream.read()
    assert.match((await failed).message, /ENOENT/)
  })
})
