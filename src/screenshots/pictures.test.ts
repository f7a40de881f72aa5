import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, describe, it } from 'node:test'
import sharp from 'sharp'
import { ROOT } from '../paths.ts'
import { createTestDatabase } from '../testing/database.ts'
import { stopClock } from './fixed-time.ts'
import { scenes } from './scenes.ts'
import { MAX_PICTURE_BYTES, storePicture } from './store.ts'

const IMAGES = join(ROOT, 'docs/images')

describe('the pictures of the documentation', () => {
  it('exist for each scene, and no others', () => {
    assert.deepEqual(
      readdirSync(IMAGES)
        .map((name) => basename(name, '.png'))
        .toSorted(),
      Object.keys(scenes).toSorted(),
    )
  })

  it('are PNG files of at most 200 kB', async () => {
    for (const name of readdirSync(IMAGES)) {
      const path = join(IMAGES, name)
      assert.ok(statSync(path).size <= MAX_PICTURE_BYTES, name)
      assert.equal((await sharp(path).metadata()).format, 'png', name)
    }
  })
})

describe('storing a picture', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-pictures-test-'))
  after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'one.png')

  /** A light picture of 200 x 100 pixels with a black field at its upper left corner. */
  const draw = (width: number, height: number, size = { width: 200, height: 100 }) =>
    sharp({ create: { ...size, channels: 3, background: '#f6f7f7' } })
      .composite([{ input: { create: { width, height, channels: 3, background: '#000000' } }, left: 0, top: 0 }])
      .png()
      .toBuffer()

  it('rewrites it only if at least 0.1 % of its pixels differ', async () => {
    assert.equal(await storePicture(path, await draw(10, 10)), 'new')
    const stored = readFileSync(path)
    // 19 of 20,000 pixels
    assert.equal(await storePicture(path, await draw(10, 10).then((picture) => addPixels(picture, 19))), 'unchanged')
    assert.deepEqual(readFileSync(path), stored)
    assert.equal(await storePicture(path, await draw(10, 12)), 'changed')
    assert.notDeepEqual(readFileSync(path), stored)
    assert.equal(await storePicture(path, await draw(10, 12, { width: 200, height: 101 })), 'changed')
  })

  it('writes nothing when it only checks', async () => {
    const stored = readFileSync(path)
    assert.equal(await storePicture(path, await draw(50, 50), { writes: false }), 'changed')
    assert.deepEqual(readFileSync(path), stored)
    const other = join(folder, 'other.png')
    assert.equal(await storePicture(other, await draw(50, 50), { writes: false }), 'new')
    assert.throws(() => statSync(other), { code: 'ENOENT' })
  })

  it('rejects one that is too large', async () => {
    const large = await sharp(randomBytes(800 * 800 * 3), { raw: { width: 800, height: 800, channels: 3 } })
      .png()
      .toBuffer()
    await assert.rejects(storePicture(join(folder, 'large.png'), large), /would have \d+ bytes: at most 200000 are allowed/)
    assert.throws(() => statSync(join(folder, 'large.png')), { code: 'ENOENT' })
  })

  const addPixels = (picture: Buffer, count: number) =>
    sharp(picture)
      .composite([{ input: { create: { width: count, height: 1, channels: 3, background: '#000000' } }, left: 50, top: 50 }])
      .png()
      .toBuffer()
})

describe('a stopped clock', () => {
  const TIME = '2026-05-12T13:20:00.000Z'

  it('shows one time in this process and in statements, defaults and functions of its database, until it is started', async () => {
    const { pool, drop } = await createTestDatabase(2)
    after(drop)
    await pool.query(`create table clocked (pk integer, at timestamptz default now(), day date default current_date);
      create function read_clock() returns timestamptz language sql as 'select clock_timestamp()'`)
    const startClock = await stopClock(pool, TIME)
    try {
      assert.equal(new Date().toISOString(), TIME)
      await pool.query('insert into clocked (pk) values ($1)', [1])
      const statement =
        'select now() as now, current_date as today, read_clock() as read, at, day from clocked where at <= now() and pk = $1'
      const expected = { now: '2026-05-12 13:20:00+00', today: '2026-05-12', read: '2026-05-12 13:20:00+00' }
      const { rows } = await pool.query(statement, [1])
      assert.deepEqual(rows, [{ ...expected, at: expected.now, day: expected.today }])
    } finally {
      startClock()
    }
    assert.notEqual(new Date().toISOString(), TIME)
    const { rows } = await pool.query("select now() > '2026-05-13' as is_running")
    assert.deepEqual(rows, [{ is_running: true }])
  })
})
