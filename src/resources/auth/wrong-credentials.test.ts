import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../testing/listeners-caught-up.ts'
import { PASSWORD, testService } from '../../testing/service.ts'

const LOGIN = '/api/auth/login/'
const ME = '/api/user/me/'
const createBasicHeaders = (name: string, password: string) => ({ authorization: `Basic ${btoa(`${name}:${password}`)}` })

describe('wrong passwords by Basic', () => {
  it('are rejected above the limit for one address, whatever the names, and recorded', async () => {
    const { anonymous, rows } = await testService({ SIGN_IN_RATE: '20' })
    const statuses: number[] = []
    for (let round = 0; round < 25; round++)
      statuses.push((await anonymous.get(ME, createBasicHeaders(`name${round}`, 'Spring2025'))).status)
    assert.deepEqual(statuses, [...Array(20).fill(401), ...Array(5).fill(429)])
    const events = await rows(`select username, address, details from security_event where kind = 'sign_in_failed' order by pk`)
    assert.equal(events.length, 20)
    assert.deepEqual(events[0], { username: 'name0', address: '127.0.0.1', details: { by: 'basic' } })
    assert.equal(
      (await anonymous.get(ME, createBasicHeaders('member', PASSWORD))).status,
      429,
      'the right password gets the same response',
    )
  })

  it('are counted alone: right passwords do not count', async () => {
    const strict = await testService({ SIGN_IN_RATE: '2' })
    const { anonymous, pool } = strict
    for (let round = 0; round < 6; round++) {
      // a changed account is no longer cached, so its password is checked again
      await pool.query(`update user_account set first_name = $1 where username = 'member'`, [`round ${round}`])
      await waitForListeners(strict)
      assert.equal((await anonymous.get(ME, createBasicHeaders('member', PASSWORD))).status, 200)
    }
  })
})

describe('the network address that is counted', () => {
  it('is the whole /64 of an IPv6 address', async () => {
    const { anonymous } = await testService({ TRUST_PROXY: 'true', SIGN_IN_RATE: '100' })
    const sendWrongPassword = (address: string) =>
      anonymous.post(LOGIN, { username: 'member', password: 'wrong' }, { 'x-forwarded-for': address })
    for (let round = 1; round <= 10; round++) assert.equal((await sendWrongPassword(`2001:db8:1:2:${round}::7`)).status, 400)
    assert.equal((await sendWrongPassword('2001:db8:1:2::ffff')).status, 429)
    assert.equal((await sendWrongPassword('2001:db8:1:3::1')).status, 400)
    for (let round = 1; round <= 5; round++) {
      assert.equal((await sendWrongPassword('192.0.2.1')).status, 400)
      assert.equal((await sendWrongPassword('::ffff:192.0.2.1')).status, 400)
    }
    assert.equal((await sendWrongPassword('192.0.2.1')).status, 429)
    assert.equal((await sendWrongPassword('::ffff:c000:201')).status, 429)
  })

  it('also counts for the rate limit of sign-ins', async () => {
    const { anonymous } = await testService({ TRUST_PROXY: 'true', SIGN_IN_RATE: '3' })
    const statuses = []
    for (let round = 1; round <= 4; round++) {
      const address = { 'x-forwarded-for': `2001:db8:1:2::${round}` }
      statuses.push((await anonymous.post(LOGIN, { username: 'member', password: PASSWORD }, address)).status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 429])
  })

  it('is that of the proxy if the forwarded one is invalid', async () => {
    const { anonymous, rows } = await testService({ TRUST_PROXY: 'true', SIGN_IN_RATE: '100' })
    const forwardedAddresses = ['x'.repeat(60), 'unknown', '1.2.3.4.5', `fe80::1%${'z'.repeat(60)}`]
    for (const address of forwardedAddresses) {
      const response = await anonymous.post(LOGIN, { username: 'member', password: PASSWORD }, { 'x-forwarded-for': address })
      assert.equal(response.status, 200, address)
    }
    const sessions = await rows('select address from user_session order by pk')
    assert.deepEqual(
      sessions.map(({ address }) => address),
      ['127.0.0.1', '127.0.0.1', '127.0.0.1', 'fe80::1'],
    )
    // a new invalid address each time gives a client no more attempts
    for (let round = 0; round < 10; round++)
      await anonymous.post(LOGIN, { username: 'viewer', password: 'wrong' }, { 'x-forwarded-for': `nonsense ${round}` })
    const lastResponse = await anonymous.post(LOGIN, { username: 'viewer', password: 'wrong' }, { 'x-forwarded-for': 'nonsense' })
    assert.equal(lastResponse.status, 429)
  })
})
