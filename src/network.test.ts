import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProxyCheck, extractAddress, getNetwork } from './network.ts'

test('an IPv6 address counts as its /64, in any notation', () => {
  const cases: [string, string][] = [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ]
  for (const [address, network] of cases) assert.equal(getNetwork(address), network, address)
})

test('an IPv4 address counts as itself, in either notation', () => {
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:c000:0201'])
    assert.equal(getNetwork(address), '192.0.2.1', address)
})

test('a string that is not an address stays unchanged', () => {
  for (const text of ['', 'unknown', '192.0.2.1:80', '[::1]']) assert.equal(getNetwork(text), text)
})

test('the address is extracted from every form that proxies write', () => {
  for (const [text, address] of [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:5678', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:5678', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%eth0]:5678', 'fe80::1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['unknown', 'unknown'],
    ['', ''],
  ] as const)
    assert.equal(extractAddress(text), address)
})

test('proxies are trusted by their addresses and networks', () => {
  const isTrusted = createProxyCheck(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1'])
  for (const address of ['10.1.2.3', '10.1.2.3:80', '192.0.2.1', '::ffff:10.1.2.3', '2001:db8:7::1', '[2001:db8::1]:80', '::1'])
    assert.ok(isTrusted(address), address)
  for (const address of ['11.1.2.3', '192.0.2.2', '2001:db9::1', '::2', 'unknown', '', '10.0.0.0/8'])
    assert.ok(!isTrusted(address), address)
  assert.ok(createProxyCheck(true)('192.0.2.1'))
  assert.ok(!createProxyCheck(false)('127.0.0.1'))
})
