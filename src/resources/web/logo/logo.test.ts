import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { createLibrary } from '../../../printing/library.ts'
import { createFilesFolder } from '../../../testing/files.ts'
import { assertCallers, CALLERS, testService } from '../../../testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { anonymous, staff } = service
const PATH = '/api/web/logo/'

const drawPicture = (width: number, height: number) => sharp({ create: { width, height, channels: 4, background: '#0a0' } })

const toDataUri = (bytes: Buffer, name: string, type = 'image/png') =>
  `data:${type};name=${name};base64,${bytes.toString('base64')}`
const readLogo = async (): Promise<string | null> => (await anonymous.get('/api/web/instance/')).body.logo
const getFile = (url: string) => service.app.inject({ url })

describe('GET /api/web/instance/', () => {
  it('returns the name of the installation to anyone', async () => {
    await staff.patch('/api/settings/global/INVENTREE_INSTANCE/', { value: 'Songbird' })
    assert.deepEqual((await anonymous.get('/api/web/instance/')).body, { name: 'Songbird', logo: null })
    await assertCallers(service, (client) => client.get('/api/web/instance/'), [...CALLERS])
  })
})

describe('POST /api/web/logo/', () => {
  it('stores a picture as a small PNG without metadata, which anyone can read', async () => {
    const photo = await drawPicture(2_000, 1_000)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Wren, 1 Field Lane' } })
      .toBuffer()
    assert.match(photo.toString('latin1'), /Field Lane/)
    const { status, body } = await staff.post(PATH, { logo: toDataUri(photo, 'photo.jpg', 'image/jpeg') })
    assert.equal(status, 200)
    assert.equal(body.logo, await readLogo())
    const { rawPayload, headers } = await getFile(body.logo)
    assert.equal(headers['content-type'], 'image/png')
    assert.match(String(headers['cache-control']), /immutable/)
    assert.match(String(headers['content-security-policy']), /sandbox/)
    const { format, width, height, exif } = await sharp(rawPayload).metadata()
    assert.deepEqual({ format, width, height, exif }, { format: 'png', width: 512, height: 256, exif: undefined })
    assert.doesNotMatch(rawPayload.toString('latin1'), /Field Lane/)
  })

  it('is the variable of templates', async () => {
    const { logo } = createLibrary(service.app.routes.services, undefined)
    const { rawPayload } = await getFile((await readLogo()) ?? '')
    assert.equal(await logo(), `data:image/png;base64,${rawPayload.toString('base64')}`)
  })

  it('changes its URL with the picture, and keeps small ones as large as they are', async () => {
    const previous = await readLogo()
    await staff.post(PATH, { logo: toDataUri(await drawPicture(40, 20).png().toBuffer(), 'logo.png') })
    assert.notEqual(await readLogo(), previous)
    const { rawPayload } = await getFile((await readLogo()) ?? '')
    assert.equal((await sharp(rawPayload).metadata()).width, 40)
    // an old URL still works, and is not cached
    assert.equal((await getFile(previous ?? '')).headers['cache-control'], 'no-cache')
  })

  it('records the change as a security event, and leaves no file behind', async () => {
    const [event] = await service.rows(
      `select details from security_event where kind = 'setting_changed' order by pk desc limit 1`,
    )
    assert.equal(event?.details.key, 'LOGO')
    assert.equal(event?.details.after, await readLogo())
    assert.deepEqual(await service.rows('select path from loose_file'), [])
  })

  it('rejects everything that is not a picture of an accepted type, and keeps the logo', async () => {
    const before = await readLogo()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const tooMany = await drawPicture(12_000, 6_000).png().toBuffer()
    for (const logo of [
      toDataUri(svg, 'logo.svg', 'image/svg+xml'),
      toDataUri(svg, 'logo.png'),
      toDataUri(Buffer.from('GIF89a and then nothing'), 'logo.gif', 'image/gif'),
      toDataUri(tooMany, 'logo.png'),
      toDataUri(Buffer.concat([await drawPicture(9, 9).png().toBuffer(), Buffer.alloc(5 * 1024 * 1024)]), 'logo.png'),
      'https://example.com/logo.png',
      '',
    ]) {
      const { status, body } = await staff.post(PATH, { logo })
      assert.equal(status, 400, logo.slice(0, 60))
      assert.deepEqual(Object.keys(body), ['logo'])
    }
    assert.equal((await staff.post(PATH, {})).status, 400)
    assert.equal(await readLogo(), before)
    assert.deepEqual(await service.rows('select path from loose_file'), [])
  })

  it('requires staff', async () => {
    const logo = toDataUri(await drawPicture(10, 10).png().toBuffer(), 'logo.png')
    await assertCallers(service, (client) => client.post(PATH, { logo }), ['staff', 'superuser'], readLogo)
  })
})

describe('DELETE /api/web/logo/', () => {
  it('requires staff', () => assertCallers(service, (client) => client.delete(PATH), ['staff', 'superuser'], readLogo))

  it('removes the logo, and does nothing without one', async () => {
    await staff.post(PATH, { logo: toDataUri(await drawPicture(10, 10).png().toBuffer(), 'logo.png') })
    const url = (await readLogo()) ?? ''
    assert.equal((await staff.delete(PATH)).status, 204)
    assert.equal((await staff.delete(PATH)).status, 204)
    assert.equal(await readLogo(), null)
    assert.equal((await getFile(url)).statusCode, 404)
  })
})
