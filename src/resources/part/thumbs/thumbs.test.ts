import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { createFilesFolder, encodeForm } from '../../../testing/files.ts'
import { assertCallers, PASSWORD, type TestService, testService } from '../../../testing/service.ts'

const { dataDir } = createFilesFolder()
const service = await testService({ DATA_DIR: dataDir })
const compatService = await testService({ DATA_DIR: dataDir, WIRE_FORM: 'inventree' })
const { member } = service
const PATH = '/api/part/thumbs/'

const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
const uri = `data:image/png;base64,${png.toString('base64')}`

async function createParts({ member, pool }: TestService) {
  await pool.query(`insert into part_category (pk, name) overriding system value values (1, 'All')`)
  const make = async (name: string, image: object = {}) =>
    (await member.post('/api/part/', { name, category: 1, minimum_stock: 0, ...image })).body
  const bolt = await make('Bolt', { image: uri })
  const nut = await make('Nut', { image: uri })
  const washer = await make('Washer', { existing_image: nut.image.split('/').at(-1) })
  const bare = await make('Bare')
  return { bolt, nut, washer, bare }
}
const { bolt, nut, washer, bare } = await createParts(service)

describe(`GET ${PATH}`, () => {
  it('lists each image once, with its number of parts, the most used first', async () => {
    assert.equal(washer.image, nut.image)
    const { body } = await member.get(PATH)
    assert.deepEqual(body.results, [
      { image: nut.image, count: 2 },
      { image: bolt.image, count: 1 },
    ])
    assert.equal(body.count, 2)
    const page = (await member.get(`${PATH}?limit=1`)).body
    assert.deepEqual([page.count, page.results.length, page.previous], [2, 1, null])
    assert.match(page.next, /limit=1&offset=1$/)
    const search = async (text: string) =>
      (await member.get(`${PATH}?search=${text}`)).body.results.map(({ count }: { count: number }) => count)
    assert.deepEqual(
      [await search('washer'), await search('bolt'), await search('all'), await search('none')],
      [[1], [1], [2, 1], []],
    )
  })

  it('gives existing clients the bare list, with paths below /media/, and accepts one of them for another part', async () => {
    const { nut, bare } = await createParts(compatService)
    const { body } = await compatService.member.get(`${PATH}?limit=1`)
    assert.deepEqual(
      body.map(({ image, count }: { image: string; count: number }) => [`/media/${image}`, count]),
      [[nut.image, 2]],
    )
    const patchResponse = await compatService.member.patch(`/api/part/${bare.pk}/`, { existing_image: body[0].image })
    assert.equal(patchResponse.body.image, nut.image)
  })

  it('requires the permission to view parts', () =>
    assertCallers(service, (client) => client.get(PATH), ['viewer', 'member', 'superuser']))
})

describe(`PATCH ${PATH}{id}/`, () => {
  it('changes the image of a part, and keeps the previous one for the others that use it', async () => {
    const { body, headers } = encodeForm({ image: { name: 'new.png', content: png } })
    const changed = await member.patch(`${PATH}${washer.pk}/`, body, headers)
    assert.equal(changed.status, 200, changed.text)
    assert.match(changed.body.image, /^\/media\/part_images\/new_[a-z0-9]{12}\.png$/)
    assert.deepEqual((await member.get(`${PATH}${washer.pk}/`)).body, changed.body)
    const authorization = `Basic ${Buffer.from(`member:${PASSWORD}`).toString('base64')}`
    await service.app.routes.services.storedFiles.clear()
    const imageResponse = await service.app.inject({ url: nut.image, headers: { authorization } })
    assert.deepEqual(imageResponse.rawPayload, png)
    assert.equal((await member.get(`${PATH}${bare.pk}/`)).body.image, null)
  })

  it('rejects a file that is not an image, and PUT requires one', async () => {
    for (const [method, body] of [
      ['PATCH', { image: 'x' }],
      ['PUT', {}],
      ['PUT', { image: 'data:,x' }],
    ] as const) {
      const { status, body: responseBody } = await member.send(method, `${PATH}${bolt.pk}/`, body)
      assert.deepEqual([status, Object.keys(responseBody)], [400, ['image']], method)
    }
    assert.equal((await member.patch(`${PATH}999/`, { image: uri })).status, 404)
    await assertCallers(service, (client) => client.patch(`${PATH}${bolt.pk}/`, { image: 'x' }), ['member', 'superuser'])
  })
})

describe('remote_image', () => {
  it('is fetched only if a setting says so, and never from the internal network', async () => {
    const patch = (url: unknown) => member.patch(`/api/part/${bare.pk}/`, { remote_image: url })
    const assertRejected = async (url: unknown) => {
      const { status, body } = await patch(url)
      assert.deepEqual([status, Object.keys(body)], [400, ['remote_image']], String(url))
    }
    const { services } = service.app.routes
    const { download } = services
    const requestedUrls: string[] = []
    services.download = async (url) => {
      requestedUrls.push(url)
      return png
    }
    await assertRejected('https://pictures.example/a.png')
    assert.deepEqual(requestedUrls, [])
    await service.superuser.patch('/api/settings/global/INVENTREE_DOWNLOAD_FROM_URL/', { value: true })
    const { body } = await patch('https://pictures.example/a/bolt.jpeg?x=1')
    assert.deepEqual(requestedUrls, ['https://pictures.example/a/bolt.jpeg?x=1'])
    assert.match(body.image, /^\/media\/part_images\/bolt_[a-z0-9]{12}\.png$/)
    services.download = async () => Buffer.from('<html>')
    await assertRejected('https://pictures.example/a.png')
    services.download = download
    const { port } = service.app.server.address() as { port: number }
    for (const url of [
      `http://127.0.0.1:${port}/static/img/blank_image.thumbnail.png`,
      `http://localhost:${port}/`,
      'file:///etc/passwd',
      'x',
      '',
      7,
    ])
      await assertRejected(url)
    assert.equal((await member.get(`/api/part/${bare.pk}/`)).body.image, body.image)
    assert.deepEqual(await service.rows('select * from loose_file'), [])
  })
})

describe('/api/notes-image-upload/', () => {
  it('stores an image for notes, for callers who can write any notes', async () => {
    const { body, headers } = encodeForm({ image: { name: 'note.png', content: png } })
    const uploadResponse = await member.post('/api/notes-image-upload/', body, headers)
    assert.equal(uploadResponse.status, 201, uploadResponse.text)
    assert.match(uploadResponse.body.image, /^\/media\/notes\/note_[a-z0-9]{12}\.png$/)
    assert.equal(uploadResponse.body.user, service.getPk('member'))
    assert.deepEqual((await service.viewer.get('/api/notes-image-upload/')).body.results, [uploadResponse.body])
    assert.equal((await service.viewer.get(uploadResponse.body.image)).status, 200)
    for (const wrong of [{}, { image: null }, { image: 'x' }]) {
      const { status, body } = await member.post('/api/notes-image-upload/', wrong)
      assert.deepEqual([status, Object.keys(body)], [400, ['image']])
    }
    await assertCallers(service, (client) => client.post('/api/notes-image-upload/', {}), ['member', 'superuser'])
  })
})
