import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network.ts'

test('an IPv6 address counts under its /64, however it is written', () => {
  const cases: [string, string][] = [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ]
  for (const [address, network] of cases) assert.equal(networkOf(address), network, address)
})

test('an IPv4 address counts under itself, in either form', () => {
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:c000:0201'])
    assert.equal(networkOf(address), '192.0.2.1', address)
})

test('what is no address stays', () => {
  for (const text of ['', 'unknown', '192.0.2.1:80', '[::1]']) assert.equal(networkOf(text), text)
})
