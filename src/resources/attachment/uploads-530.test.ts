import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder, encodeForm } from '../../testing/files.ts'
import { testService } from '../../testing/service.ts'

const { dataDir } = createFilesFolder()
const service = await testService({ DATA_DIR: dataDir, WIRE_FORM: 'inventree', INVENTREE_API: '530' })
const { superuser } = service
const path = '/api/attachment/'
const [part] = await service.rows(`insert into part (name) values ('Bolt') returning pk`)
const model_id = (part as { pk: number }).pk

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Uploads a file to the part, as clients do: a multipart form with texts. */
function upload(name: string, content: Buffer, more: Record<string, string> = {}) {
  const { body, headers } = encodeForm({
    model_type: 'part',
    model_id: String(model_id),
    ...more,
    attachment: { name, content },
  })
  return superuser.post(path, body, headers)
}

describe('attachments, as clients of API 530 upload them', () => {
  it('returns the file with its name, size, object and account', async () => {
    const { status, body, text } = await upload('notes.txt', Buffer.from('hello'), { comment: 'text' })
    assert.equal(status, 201, text)
    const { pk, attachment, upload_date, user_detail, ...rest } = body
    assert.deepEqual(rest, {
      thumbnail: null,
      filename: 'notes.txt',
      link: null,
      comment: 'text',
      is_image: false,
      upload_user: service.getPk('superuser'),
      file_size: 5,
      model_type: 'part',
      model_id,
      tags: [],
    })
    assert.match(attachment, /^\/media\/attachments\/notes_?[a-z0-9]*\.txt$/)
    assert.equal((await superuser.get(attachment)).text, 'hello')
    assert.match(upload_date, /^\d{4}-\d\d-\d\d$/)
    assert.equal(user_detail.username, 'superuser')
    assert.equal((await superuser.get(`${path}${pk}/`)).body.file_size, 5)
  })

  it('renames the file, and keeps its name if the new one is empty or names a folder', async () => {
    const { body: created } = await upload('draft.txt', Buffer.from('hello'))
    const rename = (filename: string) => superuser.patch(`${path}${created.pk}/`, { filename })
    const renamed = await rename('final.txt')
    assert.deepEqual([renamed.status, renamed.body.filename], [200, 'final.txt'])
    assert.equal((await superuser.get(renamed.body.attachment)).text, 'hello')
    const rejected = await rename('../final.txt')
    assert.deepEqual([rejected.status, Object.keys(rejected.body)], [400, ['filename']])
    const unchanged = await rename('')
    assert.deepEqual([unchanged.status, unchanged.body.filename], [200, 'final.txt'])
    assert.equal((await superuser.get(`${path}${created.pk}/`)).body.filename, 'final.txt')
  })

  it('recognizes a picture by its content, and makes a thumbnail', async () => {
    const { body: picture } = await upload('photo.png', PNG)
    const { is_image, thumbnail, file_size } = (await superuser.get(`${path}${picture.pk}/`)).body
    assert.deepEqual([is_image, file_size], [true, PNG.length])
    assert.equal((await superuser.get(thumbnail)).headers['content-type'], 'image/png')
    const { body: pictures } = await superuser.get(`${path}?is_image=true`)
    assert.deepEqual(
      pictures.map((row: { pk: number }) => row.pk),
      [picture.pk],
    )
    assert.equal((await superuser.delete(`${path}${picture.pk}/`)).status, 204)
    assert.equal((await superuser.get(`${path}${picture.pk}/`)).status, 404)
    assert.equal((await superuser.get(thumbnail)).status, 404)
  })

  it('accepts any type of file, and a link with it, but no empty file', async () => {
    assert.equal((await upload('setup.exe', Buffer.from('MZ'))).status, 201)
    const both = await upload('both.txt', Buffer.from('both'), { link: 'https://docs.example/both' })
    assert.deepEqual([both.status, both.body.filename, both.body.link], [201, 'both.txt', 'https://docs.example/both'])
    const count = (await superuser.get(`${path}?limit=1`)).body.count
    const empty = await upload('empty.txt', Buffer.alloc(0))
    assert.deepEqual([empty.status, Object.keys(empty.body)], [400, ['attachment']])
    assert.equal((await superuser.get(`${path}?limit=1`)).body.count, count)
  })

  it('accepts the picture of a part in a form of its own', async () => {
    const { body, headers } = encodeForm({ image: { name: 'part.png', content: PNG } })
    const changed = await superuser.patch(`/api/part/${model_id}/`, body, headers)
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await superuser.get(changed.body.image)).headers['content-type'], 'image/png')
  })
})
