import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../testing/service.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member } = service
const LONG = `https://shop.example/?key=${'x'.repeat(1_500)}`

describe('a link of more than 200 characters', () => {
  it('is rejected when a client enters it', async () => {
    const { status, body } = await member.post('/api/company/', { name: 'Alder', link: LONG, website: LONG })
    assert.deepEqual([status, Object.keys(body)], [400, ['website', 'link']])
  })

  it('stays where it was imported, and a client returns it with other changes', async () => {
    const { pk } = (await member.post('/api/company/', { name: 'Birch' })).body
    await service.rows('update company set link = $1, website = $1 where pk = $2', [LONG, pk])
    const company = (await member.get(`/api/company/${pk}/`)).body
    const replaced = await member.put(`/api/company/${pk}/`, { ...company, name: 'Birch and Sons' })
    assert.deepEqual([replaced.status, replaced.body.link, replaced.body.name], [200, LONG, 'Birch and Sons'])
    for (const link of [`${LONG}y`, LONG.slice(0, 201)])
      assert.deepEqual(Object.keys((await member.patch(`/api/company/${pk}/`, { link })).body), ['link'])
    assert.equal((await member.get(`/api/company/${pk}/`)).body.link, LONG)
    assert.equal((await member.patch(`/api/company/${pk}/`, { link: 'https://short.example' })).status, 200)
  })
})
