import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { normalizePicture } from './pictures.ts'

describe('normalizePicture', () => {
  it('processes two pictures of one account at the same time, so that another account does not wait for the rest', async () => {
    const size = { width: 700, height: 700, channels: 3 } as const
    const noise = Buffer.from(Array.from({ length: 700 * 700 * 3 }, (_, index) => (index * 2_654_435_761) % 251))
    const rotatedPicture = await sharp(noise, { raw: size }).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const completedAccounts: number[] = []
    const normalizeFor = async (account: number) => {
      await normalizePicture(rotatedPicture, account)
      completedAccounts.push(account)
    }
    await Promise.all([...Array.from({ length: 10 }, () => normalizeFor(1)), normalizeFor(2)])
    assert.ok(completedAccounts.indexOf(2) < 5, completedAccounts.join(' '))
  })
})
