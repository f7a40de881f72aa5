import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { waitUntil } from '../testing/until.ts'
import { Disk } from './disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-disk-'))
after(() => rmSync(folder, { recursive: true }))

const messages: string[] = []
const log = pino({ level: 'info' }, { write: (line) => void messages.push(JSON.parse(line).msg) })
const reserve = join(folder, 'reserve')
const MEBIBYTE = 1024 * 1024

/** The fake number of free bytes. */
let freeBytes = 0
const disks: Disk[] = []
const watchDisk = async (minFreeBytes: number) => {
  const disk = new Disk(folder, minFreeBytes, log, async () => freeBytes)
  disks.push(disk)
  await disk.start()
  return disk
}

beforeEach(() => {
  for (const disk of disks.splice(0)) disk.stop()
  rmSync(reserve, { force: true })
  messages.length = 0
})
after(() => {
  for (const disk of disks) disk.stop()
})

describe('a disk', () => {
  it('is low while there is less free space than required, and logs that once each time', async () => {
    freeBytes = 1_000
    const disk = await watchDisk(1_000)
    assert.equal(disk.isLow, false)
    freeBytes = 999
    await waitUntil(() => disk.isLow, 'it is not noticed')
    freeBytes = 1_050
    let checks = 0
    const countingDisk = new Disk(folder, 1_000, log, async () => ++checks && freeBytes)
    disks.push(countingDisk)
    await countingDisk.start()
    await waitUntil(() => checks > 2, 'it is checked only once')
    assert.equal(disk.isLow, true, 'a little more than the minimum is not enough to continue')
    assert.equal(countingDisk.isLow, false)
    freeBytes = 1_100
    await waitUntil(() => !disk.isLow, 'free space is not noticed')
    assert.deepEqual(messages, [
      'the disk is nearly full: changes are rejected until there is free space',
      'the disk has free space again: changes are accepted',
    ])
  })

  it('is recognized as low from the start', async () => {
    freeBytes = 10
    assert.equal((await watchDisk(1_000)).isLow, true)
  })

  it('is not monitored if no free space is required', async () => {
    freeBytes = 0
    assert.equal((await watchDisk(0)).isLow, false)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('holds a reserve that can be released, and creates it again when there is space', async () => {
    freeBytes = 100 * MEBIBYTE
    const disk = await watchDisk(MEBIBYTE)
    assert.equal(statSync(reserve).size, 64 * MEBIBYTE)
    freeBytes = 60 * MEBIBYTE
    assert.equal(disk.releaseReserve(), true)
    assert.equal(disk.releaseReserve(), false)
    assert.deepEqual(readdirSync(folder), [])
    freeBytes = 100 * MEBIBYTE
    await waitUntil(() => readdirSync(folder).length === 1, 'the reserve is not created again')
  })

  it('completes an interrupted reserve, and creates none that would leave too little space', async () => {
    freeBytes = 64 * MEBIBYTE
    await watchDisk(MEBIBYTE)
    assert.deepEqual(readdirSync(folder), [])
    freeBytes = 100 * MEBIBYTE
    await watchDisk(MEBIBYTE)
    truncateSync(reserve, 5)
    await watchDisk(MEBIBYTE)
    assert.equal(statSync(reserve).size, 64 * MEBIBYTE)
  })

  it('keeps its state if it cannot be checked, and logs that once', async () => {
    let checks = 0
    const disk = new Disk(folder, 1_000, log, async () => {
      checks++
      throw new Error('gone')
    })
    disks.push(disk)
    await disk.start()
    await waitUntil(() => checks > 2, 'it is not checked again')
    assert.equal(disk.isLow, false)
    assert.deepEqual(messages, ['cannot monitor the free disk space'])
  })

  it('uses the free space reported by the operating system', async () => {
    const disk = new Disk(folder, Number.MAX_SAFE_INTEGER, log)
    disks.push(disk)
    await disk.start()
    assert.equal(disk.isLow, true)
  })
})
