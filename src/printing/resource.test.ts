import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { createFileReader } from './resource.ts'

const create = { width: 40, height: 20, channels: 3, background: 'red' } as const
const picture = await sharp({ create }).png().toBuffer()
const library = {
  file: async (path: string) =>
    path === 'a.png' ? { type: 'image/png', bytes: picture } : { type: 'text/css', bytes: Buffer.from('p {}') },
}
const PICTURE_URL = 'https://stockroom.invalid/media/a.png'

describe('files of a document', () => {
  it('are pictures in the requested size and rotation', async () => {
    const sizes = {
      '': [40, 20],
      '?width=20': [20, 10],
      '?height=40': [80, 40],
      '?width=30&height=30': [30, 30],
      '?rotate=90': [20, 40],
      '?width=20&rotate=-90': [10, 20],
      '?width=99999': [4_000, 2_000],
    }
    for (const [query, size] of Object.entries(sizes)) {
      const result = await createFileReader(new Set([PICTURE_URL + query]), library, undefined)(PICTURE_URL + query)
      const { width, height } = await sharp(result?.bytes).metadata()
      assert.deepEqual([width, height], size, query)
    }
  })

  it('may be many pictures of different sizes', async () => {
    const urls = Array.from({ length: 150 }, (_, index) => `${PICTURE_URL}?width=${index + 1}`)
    const readDocumentFile = createFileReader(new Set(urls), library, undefined)
    const result = await Promise.all(urls.map(readDocumentFile))
    assert.ok(result.every((one) => one?.type === 'image/png'))
  })

  it('are returned unchanged if they are not pictures, and only if the template named them', async () => {
    const style = 'https://stockroom.invalid/media/a.css?width=3'
    assert.equal((await createFileReader(new Set([style]), library, undefined)(style))?.bytes.toString(), 'p {}')
    assert.equal(await createFileReader(new Set([PICTURE_URL]), library, undefined)(`${PICTURE_URL}?width=20`), undefined)
  })
})
