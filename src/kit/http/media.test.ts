// Over 400 lines: every way to upload a file, and every protection of stored files, is tested here.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { createFilesFolder, encodeForm } from '../../testing/files.ts'
import { assertCallers, CALLERS, PASSWORD, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'

const { dataDir, media } = createFilesFolder()
const service = await testService({ DATA_DIR: dataDir, MAX_FILE_BYTES: '300000' })
const { member } = service

const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
const createCompany = async (fields: Record<string, unknown> = {}) =>
  (await member.post('/api/company/', { name: 'A', currency: 'EUR', email: `${Math.random()}@a.example`, ...fields })).body
const toDataUri = (content: Buffer, type = 'image/png') => `data:${type};base64,${content.toString('base64')}`
const listStoredFiles = () => (existsSync(join(media, 'company_images')) ? readdirSync(join(media, 'company_images')) : [])

const fetchRaw = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  service.app.inject({
    method,
    url,
    headers: { authorization: `Basic ${Buffer.from(`member:${PASSWORD}`).toString('base64')}`, ...headers },
  })
const listLooseFiles = () => service.rows('select path from loose_file')

describe('a file in a request body', () => {
  it('is accepted in a multipart form, together with text fields', async () => {
    const { body, headers } = encodeForm({
      name: 'Multi',
      currency: 'EUR',
      is_supplier: 'false',
      image: { name: 'Logo – A.png', content: png },
    })
    const created = await member.post('/api/company/', body, headers)
    assert.equal(created.status, 201, created.text)
    assert.equal(created.body.is_supplier, false)
    assert.match(created.body.image, /^\/media\/company_images\/Logo__A_[a-z0-9]{12}\.png$/)
    assert.deepEqual((await fetchRaw(created.body.image)).rawPayload, png)
    assert.deepEqual(await listLooseFiles(), [])
  })

  it('is accepted as a data: URI; sending its own URL keeps it, null deletes it and its file', async () => {
    const created = await createCompany({ image: toDataUri(png) })
    assert.match(created.image, /^\/media\/company_images\/image_[a-z0-9]{12}\.png$/)
    const updated = await member.put(`/api/company/${created.pk}/`, { ...created })
    assert.equal(updated.body.image, created.image)
    assert.equal((await member.patch(`/api/company/${created.pk}/`, { image: null })).body.image, null)
    await waitUntil(() => !listStoredFiles().includes(created.image.split('/').at(-1)), 'its file is still there')
    assert.equal((await fetchRaw(created.image)).statusCode, 404)
  })

  it("is a copy if another row's URL is sent", async () => {
    const first = await createCompany({ image: toDataUri(png) })
    const second = await createCompany({ image: first.image })
    assert.notEqual(second.image, first.image)
    await member.delete(`/api/company/${first.pk}/`)
    await waitUntil(() => !listStoredFiles().includes(first.image.split('/').at(-1)), 'its file is still there')
    assert.deepEqual((await fetchRaw(second.image)).rawPayload, png)
  })

  it('takes precedence over a string in the same field, whatever their order in the form; the URL of the file keeps it', async () => {
    const created = await createCompany({ image: toDataUri(png) })
    const path = `/api/company/${created.pk}/`
    const otherPicture = await sharp(png).negate().png().toBuffer()
    const file = { name: 'new.png', content: otherPicture }
    for (const method of ['PATCH', 'PUT']) {
      let { image } = created
      for (const parts of [
        [image, file],
        [file, image],
        [file, ''],
      ]) {
        const { body, headers } = encodeForm({ name: created.name, currency: 'EUR', image: parts })
        const changed = await member.send(method, path, body, headers)
        assert.equal(changed.status, 200, changed.text)
        assert.notEqual(changed.body.image, image)
        assert.deepEqual((await fetchRaw(changed.body.image)).rawPayload, otherPicture)
        image = changed.body.image
      }
      const { body, headers } = encodeForm({ name: 'As it is', currency: 'EUR', image })
      const updated = await member.send(method, path, body, headers)
      assert.deepEqual([updated.status, updated.body.name, updated.body.image], [200, 'As it is', image])
    }
    // the replaced file is deleted afterwards
    await waitUntil(async () => (await listLooseFiles()).length === 0, 'a file that was replaced is still there')
  })

  it('is rejected under its field if it is not a file', async () => {
    const invalidImages = [
      'https://example.org/x.png',
      'x.png',
      '/media/company_images/none.png',
      '/media/../secret.key',
      'data:image/png;base64,$',
      'data:,',
      7,
      {},
    ]
    for (const image of invalidImages) {
      const { status, body } = await member.post('/api/company/', { name: 'B', currency: 'EUR', image })
      assert.deepEqual([status, Object.keys(body)], [400, ['image']], String(image))
    }
    assert.deepEqual(await listLooseFiles(), [])
  })

  it('leaves nothing behind if the request is rejected', async () => {
    const before = listStoredFiles()
    const rejection = await member.post('/api/company/', { currency: 'EUR', image: toDataUri(png) })
    assert.deepEqual([rejection.status, Object.keys(rejection.body)], [400, ['name']])
    const { body, headers } = encodeForm({ currency: 'EUR', image: { name: 'a.png', content: png } })
    assert.equal((await member.post('/api/company/', body, headers)).status, 400)
    assert.deepEqual([listStoredFiles(), await listLooseFiles()], [before, []])
  })

  it('is stored once for an Idempotency-Key', async () => {
    const { body, headers } = encodeForm({ name: 'Once', currency: 'EUR', image: { name: 'a.png', content: png } })
    const send = (content: Buffer) => member.post('/api/company/', content, { ...headers, 'idempotency-key': 'once' })
    const first = await send(body)
    const before = listStoredFiles()
    const repeated = await send(body)
    assert.deepEqual([repeated.headers['idempotency-replayed'], repeated.body], ['true', first.body])
    const otherPicture = encodeForm({
      name: 'Once',
      currency: 'EUR',
      image: { name: 'a.png', content: Buffer.concat([png, png]) },
    })
    assert.equal((await send(otherPicture.body)).status, 422)
    assert.deepEqual([listStoredFiles(), await listLooseFiles()], [before, []])
  })

  it('has a size limit of its own, in a form and in JSON', async () => {
    const before = listStoredFiles()
    const large = Buffer.alloc(300_001)
    const { body, headers } = encodeForm({ name: 'Large', currency: 'EUR', image: { name: 'a.png', content: large } })
    assert.equal((await member.post('/api/company/', body, headers)).status, 413)
    assert.equal((await member.post('/api/company/', { name: 'Large', currency: 'EUR', image: toDataUri(large) })).status, 413)
    assert.deepEqual([listStoredFiles(), await listLooseFiles()], [before, []])
  })
})

describe('a form', () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const part = (name: string, value: string, parameters = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${parameters}\r\n\r\n${value}\r\n`

  it('returns 400 if it is truncated, or has another boundary or none', async () => {
    const fullContent = `${part('name', 'A')}${part('image', 'x'.repeat(90_000), '; filename="a.png"')}`
    for (const [body, type] of [
      [fullContent, headers['content-type']],
      [`${fullContent}--b--`, 'multipart/form-data; boundary=other'],
      [`${fullContent}--b--`, 'multipart/form-data'],
      ['', headers['content-type']],
    ] as const) {
      const { status, text } = await member.send('POST', '/api/company/', Buffer.from(body), { 'content-type': type })
      assert.equal(status, 400, text)
    }
    assert.deepEqual(await listLooseFiles(), [])
  })

  it('returns 413 with thousands of parts, or with more text than a body may have', async () => {
    const manyParts = Array.from({ length: 5_000 }, (_, index) => part(`x${index}`, '')).join('')
    assert.equal((await member.send('POST', '/api/company/', `${manyParts}--b--`, headers)).status, 413)
    const files = Array.from({ length: 50 }, () => part('image', 'x', '; filename="a.png"')).join('')
    assert.equal((await member.send('POST', '/api/company/', `${files}--b--`, headers)).status, 413)
    const long = Array.from({ length: 3 }, (_, index) => part(`x${index}`, 'x'.repeat(400_000))).join('')
    assert.equal((await member.send('POST', '/api/company/', `${long}--b--`, headers)).status, 413)
    assert.deepEqual(await listLooseFiles(), [])
  })

  it('changes no prototype, and is accepted only if the operation takes files', async () => {
    const oddFields = ['__proto__', 'constructor', '__proto__.polluted', 'toString'].map((name) => part(name, 'x')).join('')
    const { status } = await member.send(
      'POST',
      '/api/company/',
      `${oddFields}${part('name', 'Odd')}${part('currency', 'EUR')}--b--`,
      headers,
    )
    assert.equal(status, 201)
    assert.equal(({} as { polluted?: string }).polluted, undefined)
    assert.equal((await service.superuser.send('POST', '/api/project-code/', `${part('code', 'A')}--b--`, headers)).status, 415)
  })
})

const html = Buffer.from('<html><script>alert(1)</script></html>')

describe('large bodies', () => {
  const { port } = service.app.server.address() as { port: number }
  const authorization = `Basic ${Buffer.from(`member:${PASSWORD}`).toString('base64')}`
  const open = (type: string) =>
    request({ port, method: 'POST', path: '/api/company/', headers: { authorization, 'content-type': type } }).on(
      'error',
      () => {},
    )

  it('are cut off if they never end', async () => {
    const endless = open('multipart/form-data; boundary=b')
    const responsePromise = once(endless, 'response')
    const writeMore = () => {
      while (!endless.destroyed && endless.write(Buffer.alloc(65_536)));
    }
    endless.on('drain', writeMore)
    writeMore()
    const [{ statusCode, headers }] = await responsePromise
    assert.deepEqual([statusCode, headers.connection], [413, 'close'])
    endless.destroy()
  })

  it('leave nothing behind if they are interrupted', async () => {
    const before = listStoredFiles()
    const interrupted = open('multipart/form-data; boundary=b')
    interrupted.write('--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n')
    interrupted.write(Buffer.alloc(50_000))
    await waitUntil(async () => (await listLooseFiles()).length === 1, 'the upload does not begin')
    interrupted.destroy()
    await waitUntil(async () => (await listLooseFiles()).length === 0, 'its file is still recorded as loose')
    assert.deepEqual([listStoredFiles(), readdirSync(join(media, '.unfinished'))], [before, []])
  })

  it('are limited to a few at a time if they are JSON, while a form is still accepted', async () => {
    const openRequests = Array.from({ length: 8 }, () => open('application/json'))
    for (const clientRequest of openRequests) clientRequest.write('{')
    const sendJson = () => {
      const clientRequest = open('application/json')
      // in two pieces, so that it has no Content-Length
      clientRequest.write('{')
      clientRequest.end('}')
      return once(clientRequest, 'response').then(([{ statusCode }]) => statusCode)
    }
    await waitUntil(async () => (await sendJson()) === 503, 'all are read at the same time')
    const { body, headers } = encodeForm({ name: 'Beside', currency: 'EUR', image: { name: 'a.png', content: png } })
    assert.equal((await member.post('/api/company/', body, headers)).status, 201)
    assert.equal((await createCompany()).name, 'A')
    for (const clientRequest of openRequests) clientRequest.destroy()
    await waitUntil(async () => (await sendJson()) === 400, 'their slots are not released')
  })

  it('use only the name from a file path', async () => {
    const boundary = { 'content-type': 'multipart/form-data; boundary=b' }
    for (const name of [
      '../../../evil.png',
      '..\\..\\evil.png',
      '/etc/evil.png',
      '.png',
      '...png',
      'a\u0000b.png',
      '%2e%2e%2fevil.png',
      `${'x'.repeat(4_000)}.png`,
    ]) {
      const head = `--b\r\nContent-Disposition: form-data; name="image"; filename="${name}"\r\n\r\n`
      const tail = `\r\n--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nN\r\n--b\r\nContent-Disposition: form-data; name="currency"\r\n\r\nEUR\r\n--b--`
      const created = await member.send(
        'POST',
        '/api/company/',
        Buffer.concat([Buffer.from(head), png, Buffer.from(tail)]),
        boundary,
      )
      if (created.status === 201) assert.match(created.body.image, /^\/media\/company_images\/\w[\w.-]{0,90}\.png$/, name)
      else assert.equal(created.status, 400, created.text)
      await member.delete(`/api/company/${created.body.pk}/`)
    }
    assert.deepEqual(readdirSync(media).toSorted(), ['.unfinished', 'company_images'])
    assert.deepEqual(readdirSync(join(media, '.unfinished')), [])
  })
})

describe('GET /media/{path}', () => {
  it('never lets stored HTML or SVG run, whatever its name', async () => {
    for (const [content, name] of [
      [html, 'a.png'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'a.svg'],
      [html, 'a.html'],
    ] as const) {
      const { pk } = await createCompany()
      const path = `company_images/test_${name}`
      await service.rows('update company set image = $1 where pk = $2', [path, pk])
      mkdirSync(join(media, 'company_images'), { recursive: true })
      writeFileSync(join(media, path), content)
      const response = await fetchRaw(`/media/${path}`)
      assert.equal(response.statusCode, 200)
      assert.equal(response.headers['content-type'], 'application/octet-stream')
      assert.match(String(response.headers['content-disposition']), /^attachment; /)
      assert.match(String(response.headers['content-security-policy']), /default-src 'none'.*sandbox/)
      assert.equal(response.headers['x-content-type-options'], 'nosniff')
    }
  })

  it('supports ranges, and responds 304 if nothing has changed', async () => {
    const { image } = await createCompany({ image: toDataUri(png) })
    const fullContent = await fetchRaw(image)
    assert.deepEqual(
      [fullContent.headers['content-type'], fullContent.headers['accept-ranges'], Number(fullContent.headers['content-length'])],
      ['image/png', 'bytes', png.length],
    )
    assert.match(String(fullContent.headers['content-disposition']), /^inline; filename="image_/)
    const etag = String(fullContent.headers.etag)
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 10],
      ['bytes=10-', 10, png.length],
      ['bytes=-7', png.length - 7, png.length],
      [`bytes=5-${'9'.repeat(12)}`, 5, png.length],
    ] as const) {
      const response = await fetchRaw(image, { range })
      assert.deepEqual([response.statusCode, response.rawPayload], [206, png.subarray(start, end)], range)
      assert.equal(response.headers['content-range'], `bytes ${start}-${end - 1}/${png.length}`)
    }
    for (const range of [`bytes=${png.length}-`, 'bytes=-0'])
      assert.equal((await fetchRaw(image, { range })).statusCode, 416, range)
    for (const range of ['bytes=9-2', 'bytes=0-1,3-4', 'bytes=-', 'lines=1-2', 'x'])
      assert.equal((await fetchRaw(image, { range })).statusCode, 200, range)
    assert.equal((await fetchRaw(image, { range: 'bytes=0-1', 'if-range': '"other"' })).statusCode, 200)
    assert.equal((await fetchRaw(image, { 'if-none-match': etag })).statusCode, 304)
    const head = await fetchRaw(image, {}, 'HEAD')
    assert.deepEqual([head.statusCode, head.headers['content-length'], head.rawPayload.length], [200, String(png.length), 0])
  })

  it("is allowed for callers who can view the file's row", async () => {
    const { image } = await createCompany({ image: toDataUri(png) })
    await assertCallers(service, (client) => client.get(image), ['viewer', 'member', 'superuser'])
    await assertCallers(
      service,
      (client) => client.get('/media/elsewhere/x.png'),
      CALLERS.filter((name) => name !== 'anonymous'),
    )
    assert.equal((await member.post(image)).status, 405)
  })

  it('finds only stored files', async () => {
    writeFileSync(join(dataDir, 'secret.key'), 'secret')
    for (const path of [
      '../secret.key',
      '%2e%2e/secret.key',
      '..%2fsecret.key',
      'company_images/%2e%2e/%2e%2e/secret.key',
      'company_images/..%2f..%2fsecret.key',
      'company_images/',
      '',
      'company_images/%00',
      `company_images/${'x'.repeat(5000)}`,
    ]) {
      const response = await fetchRaw(`/media/${path}`)
      assert.ok([400, 404].includes(response.statusCode), `${path}: ${response.statusCode}`)
      assert.ok(!response.payload.includes('secret.key') || !response.payload.includes('secret"'))
    }
  })
})

describe('the sweep', () => {
  it('deletes files that a crash left without a row, after a day, and nothing else', async () => {
    const { image } = await createCompany({ image: toDataUri(png) })
    const { files, storedFiles } = service.app.routes.services
    // the state after the process dies between writing the file and its row
    await files.write('company_images/left.png', [png])
    await service.rows(`insert into loose_file (path) values ('company_images/left.png')`)
    await storedFiles.clear()
    assert.ok(listStoredFiles().includes('left.png'), 'its request may still be in progress')
    await service.rows(`update loose_file set since = now() - interval '25 hours'`)
    // a row in loose_file for a file that is still in use deletes nothing
    await service.rows(`insert into loose_file (path, since) values ($1, '-infinity')`, [image.replace('/media/', '')])
    await storedFiles.clear()
    assert.ok(!listStoredFiles().includes('left.png'))
    assert.equal((await fetchRaw(image)).statusCode, 200)
    assert.deepEqual(await listLooseFiles(), [])
  })
})

describe('a picture', () => {
  const phonePicture = sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } }).withExif({
    IFD3: { GPSLatitude: '52/1 31/1 0/1' },
  })
  const fetchBytes = async (pictureUrl: string) => (await fetchRaw(pictureUrl)).rawPayload

  it('is rotated upright, and stripped of camera metadata', async () => {
    const sideways = await phonePicture
      .clone()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
      .jpeg()
      .toBuffer()
    assert.ok((await sharp(sideways).metadata()).exif)
    const { image } = await createCompany({ image: toDataUri(sideways, 'image/jpeg') })
    const { width, height, exif, orientation, format } = await sharp(await fetchBytes(image)).metadata()
    assert.deepEqual([width, height, exif, orientation, format], [40, 60, undefined, undefined, 'jpeg'])
  })

  it('gets the extension of its type, whatever its name says', async () => {
    for (const [kind, extension] of [
      ['jpeg', 'jpg'],
      ['webp', 'webp'],
      ['gif', 'gif'],
      ['png', 'png'],
    ] as const) {
      const { body, headers } = encodeForm({
        name: kind,
        currency: 'EUR',
        image: { name: 'x.html', content: await phonePicture.clone()[kind]().toBuffer() },
      })
      const { image } = (await member.post('/api/company/', body, headers)).body
      assert.match(image, new RegExp(`/x_[a-z0-9]{12}\\.${extension}$`))
      assert.equal((await fetchRaw(image)).headers['content-type'], `image/${kind}`)
    }
    assert.deepEqual(await listLooseFiles(), [])
  })

  it('has smaller versions, which are deleted with it', async () => {
    const large = await sharp({ create: { width: 900, height: 300, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    const { pk, image } = await createCompany({ image: toDataUri(large) })
    const sizes: [string, number, number][] = [
      ['thumbnail', 128, 43],
      ['preview', 256, 85],
    ]
    const pictureUrls = sizes.map(([name]) => image.replace('.png', `.${name}.png`))
    for (const [index, [name, width, height]] of sizes.entries()) {
      const all = await Promise.all([1, 2, 3].map(() => fetchBytes(pictureUrls[index])))
      for (const bytes of all) {
        const metadata = await sharp(bytes).metadata()
        assert.deepEqual([metadata.width, metadata.height], [width, height], name)
      }
    }
    await assertCallers(service, (client) => client.get(pictureUrls[0]), ['viewer', 'member', 'superuser'])
    await member.delete(`/api/company/${pk}/`)
    await waitUntil(
      () => !listStoredFiles().some((name) => name.startsWith(image.split('/').at(-1).replace('.png', ''))),
      'a smaller version remains',
    )
    for (const pictureUrl of pictureUrls) assert.equal((await fetchRaw(pictureUrl)).statusCode, 404)
  })

  it('is rejected if it cannot be read, is not a picture, or is a decompression bomb', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const truncated = (
      await sharp({
        create: { width: 200, height: 200, channels: 3, background: 'red', noise: { type: 'gaussian', mean: 9, sigma: 99 } },
      })
        .png()
        .toBuffer()
    ).subarray(0, 9_000)
    const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: 'red' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    assert.ok(bomb.length < 300_000, String(bomb.length))
    const before = listStoredFiles()
    for (const [content, description] of [
      [svg, 'svg'],
      [html, 'html'],
      [truncated, 'truncated'],
      [png.subarray(0, 20), 'a head'],
      [bomb.subarray(0), 'bomb'],
    ] as const) {
      const memoryBefore = process.memoryUsage().rss
      const { status, body } = await member.post('/api/company/', {
        name: description,
        currency: 'EUR',
        image: toDataUri(content),
      })
      assert.deepEqual([status, Object.keys(body)], [400, ['image']], description)
      assert.ok(process.memoryUsage().rss - memoryBefore < 100_000_000, `${description} takes memory`)
    }
    assert.deepEqual([listStoredFiles(), await listLooseFiles()], [before, []])
  })
})
